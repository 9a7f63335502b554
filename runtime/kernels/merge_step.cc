#include "runtime/kernels/merge_step.h"

#include <utility>
#include <vector>

namespace lockstep::internal {

KernelGraph MergeStep(const Op& sort) {
  const Region& comparator = sort.region();
  std::vector<const Value*> lefts;
  for (size_t i = 0; i < comparator.arguments().size(); i += 2) {
    lefts.push_back(comparator.arguments()[i].get());
  }
  return StepGraph(KernelGraph::Kind::kMerge, sort, comparator,
                   std::move(lefts), {}, 0, TextOf(comparator));
}

}  // namespace lockstep::internal
