#include "runtime/kernels/update_step.h"

#include <utility>
#include <vector>

namespace lockstep::internal {

KernelGraph UpdateStep(const Op& op, const Region& body,
                       UpdateVariant variant) {
  const size_t count = body.arguments().size() / 2;
  std::vector<const Value*> results, updates;
  for (size_t i = 0; i < count; ++i) {
    results.push_back(body.arguments()[i].get());
    updates.push_back(body.arguments()[count + i].get());
  }
  return StepGraph(KernelGraph::Kind::kUpdate, op, body, std::move(updates),
                   std::move(results), variant, TextOf(body));
}

}  // namespace lockstep::internal
