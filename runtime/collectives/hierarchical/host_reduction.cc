#include "runtime/collectives/hierarchical/host_reduction.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/base/status.h"
#include "runtime/collectives/tree_reduce.h"

namespace lockstep::internal {

absl::StatusOr<PayloadPtr> HostReduction::OwnPartials(Range range) const {
  auto partials =
      context_.buffers->Get(PartialBytes(plan_.self(), range.count));
  std::byte* out = partials->data();
  RETURN_IF_ERROR(AppendPartials(range, &out));
  return partials;
}

absl::Status HostReduction::AppendPartials(Range range, std::byte** out) const {
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node.size() > 1) return std::nullopt;
    return TreeValue{OperandOf(node.begin), false};
  };
  for (TreeNode subtree : plan_.subtrees(plan_.self())) {
    RETURN_IF_ERROR(TreeReduce(reduction_, subtree, value_of, range.first,
                               range.count, *out));
    *out += range.count * partial_size_;
  }
  return absl::OkStatus();
}

absl::Status HostReduction::Finish(
    const std::vector<const std::byte*>& partials, Range range,
    std::byte* result) const {
  const int64_t count = range.count;
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    const std::optional<CliquePlan::Place> place = plan_.FindSubtree(node);
    if (place.has_value() && partials[place->host] != nullptr) {
      return TreeValue{
          partials[place->host] + place->subtree * count * partial_size_, true};
    }
    if (node.size() > 1) return std::nullopt;
    return TreeValue{OperandOf(node.begin) + range.first * element_size_,
                     false};
  };
  if (reduction_.element_type() == reduction_.accumulation_type()) {
    return TreeReduce(reduction_, plan_.root(), value_of, 0, count, result);
  }
  auto value = context_.buffers->Get(count * partial_size_);
  RETURN_IF_ERROR(
      TreeReduce(reduction_, plan_.root(), value_of, 0, count, value->data()));
  reduction_.Store(value->data(), result, count);
  return absl::OkStatus();
}

void HostReduction::CopyToResults(Range range, const std::byte* from) const {
  if (range.count == 0) return;
  for (const Arrival* arrival : context_.arrivals) {
    std::byte* const to = arrival->result.data() + range.first * element_size_;
    if (to != from) std::memcpy(to, from, range.count * element_size_);
  }
}

absl::StatusOr<PayloadPtr> HostReduction::Join(const PayloadPtr& left,
                                               const PayloadPtr& right,
                                               int64_t count) const {
  auto joined = context_.buffers->Get(left->size());
  std::memcpy(joined->data(), left->data(), left->size());
  RETURN_IF_ERROR(reduction_.Combine(joined->data(), right->data(), count));
  return joined;
}

void HostReduction::WriteResults(const MessageBuffer& root,
                                 int64_t count) const {
  std::byte* const result = context_.first().result.data();
  reduction_.Store(root.data(), result, count);
  CopyToResults({0, count}, result);
}

absl::Status RunReduction(const HostCollectiveContext& context) {
  const HostReduction reduction(context);
  const int64_t bytes = reduction.operand_count() * reduction.partial_size();
  if (context.first().kind == CollectiveKind::kReduceScatter ||
      bytes > context.direct_max_bytes) {
    return RunSharedReduction(context);
  }
  // With two hosts both are the same.
  return context.plan->pairs_up() ? RunDoublingReduction(context)
                                  : RunDirectReduction(context);
}

}  // namespace lockstep::internal
