// all_reduce and reduce_scatter: hosts exchange the values of those nodes of
// the reduction tree that they can compute alone, and each finishes the tree.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/tree_reduce.h"

namespace lockstep::internal {
namespace {

struct Range {
  int64_t first = 0;
  int64_t count = 0;
};

// The part of `count` elements that host `index` of `hosts` reduces. Whole
// cache lines, but for the last.
Range RangeOf(int64_t count, int index, int hosts) {
  constexpr int64_t kUnit = 64;
  int64_t units = (count + kUnit - 1) / kUnit;
  int64_t begin = std::min(count, units * index / hosts * kUnit);
  int64_t end = std::min(count, units * (index + 1) / hosts * kUnit);
  return {begin, end - begin};
}

class HostReduction {
 public:
  explicit HostReduction(const HostCollectiveContext& context)
      : context_(context),
        plan_(*context.plan),
        reduction_(*context.first().reduction),
        element_size_(ByteSize(reduction_.element_type())),
        partial_size_(ByteSize(reduction_.accumulation_type())) {}

  absl::Status AllReduce();
  absl::Status ReduceScatter();

 private:
  absl::Status AllReduceDirectly(int64_t count);
  absl::Status AllReduceByRanges(int64_t count);
  absl::Status GatherRanges(int64_t count, PayloadPtr own);

  size_t PartialBytes(int host, int64_t count) const {
    return plan_.subtrees(host).size() * count * partial_size_;
  }
  // Appends the values of the own subtrees for the elements of `range`, one
  // after the other, at `out`.
  absl::Status AppendPartials(Range range, std::byte** out) const;
  // result = the root's value of `count` elements, from what AppendPartials of
  // each host made.
  absl::Status Finish(const std::vector<const std::byte*>& partials,
                      int64_t count, std::byte* result) const;
  void CopyToOtherResults() const;

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const Reduction& reduction_;
  const int64_t element_size_;
  const int64_t partial_size_;
};

absl::Status HostReduction::AppendPartials(Range range, std::byte** out) const {
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node.size() > 1) return std::nullopt;
    const std::vector<int>& ranks = plan_.local_ranks();
    auto slot = std::lower_bound(ranks.begin(), ranks.end(), node.begin) -
                ranks.begin();
    return TreeValue{context_.arrivals[slot]->operand.data(), false};
  };
  for (TreeNode subtree : plan_.subtrees(plan_.self())) {
    RETURN_IF_ERROR(TreeReduce(reduction_, subtree, value_of, range.first,
                               range.count, *out));
    *out += range.count * partial_size_;
  }
  return absl::OkStatus();
}

absl::Status HostReduction::Finish(
    const std::vector<const std::byte*>& partials, int64_t count,
    std::byte* result) const {
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    std::optional<CliquePlan::Place> place = plan_.FindSubtree(node);
    if (!place) return std::nullopt;
    return TreeValue{
        partials[place->host] + place->subtree * count * partial_size_, true};
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

void HostReduction::CopyToOtherResults() const {
  absl::Span<std::byte> from = context_.first().result;
  if (from.empty()) return;
  for (const Arrival* arrival : context_.arrivals.subspan(1)) {
    std::memcpy(arrival->result.data(), from.data(), from.size());
  }
}

absl::Status HostReduction::AllReduce() {
  int64_t count = context_.first().operand.size() / element_size_;
  RETURN_IF_ERROR(count * partial_size_ <= context_.direct_max_bytes
                      ? AllReduceDirectly(count)
                      : AllReduceByRanges(count));
  CopyToOtherResults();
  return absl::OkStatus();
}

absl::Status HostReduction::AllReduceDirectly(int64_t count) {
  auto own = context_.buffers->Get(PartialBytes(plan_.self(), count));
  std::byte* out = own->data();
  RETURN_IF_ERROR(AppendPartials({0, count}, &out));
  std::vector<HostPart> parts(plan_.host_count());
  for (int host = 0; host < plan_.host_count(); ++host) {
    parts[host] = {own, 0, PartialBytes(host, count), 0};
  }
  ASSIGN_OR_RETURN(std::vector<PayloadPtr> received,
                   context_.exchange->Exchange(context_.first(), 0, parts));
  received[plan_.self()] = own;
  std::vector<const std::byte*> partials;
  for (const PayloadPtr& payload : received) {
    partials.push_back(payload->data());
  }
  return Finish(partials, count, context_.first().result.data());
}

absl::Status HostReduction::AllReduceByRanges(int64_t count) {
  const int hosts = plan_.host_count();
  Range mine = RangeOf(count, plan_.self(), hosts);
  std::vector<HostPart> parts(hosts);
  for (int host = 0; host < hosts; ++host) {
    Range range = RangeOf(count, host, hosts);
    auto partials =
        context_.buffers->Get(PartialBytes(plan_.self(), range.count));
    std::byte* out = partials->data();
    RETURN_IF_ERROR(AppendPartials(range, &out));
    parts[host] = {partials, 1, PartialBytes(host, mine.count), 1};
  }
  ASSIGN_OR_RETURN(std::vector<PayloadPtr> received,
                   context_.exchange->Exchange(context_.first(), 0, parts));
  received[plan_.self()] = parts[plan_.self()].payload;
  std::vector<const std::byte*> partials;
  for (const PayloadPtr& payload : received) {
    partials.push_back(payload->data());
  }
  auto own = context_.buffers->Get(mine.count * element_size_);
  RETURN_IF_ERROR(Finish(partials, mine.count, own->data()));
  return GatherRanges(count, std::move(own));
}

absl::Status HostReduction::GatherRanges(int64_t count, PayloadPtr own) {
  const int hosts = plan_.host_count();
  std::vector<HostPart> parts(hosts);
  for (int host = 0; host < hosts; ++host) {
    Range range = RangeOf(count, host, hosts);
    parts[host] = {own, 2, static_cast<size_t>(range.count * element_size_), 2};
  }
  ASSIGN_OR_RETURN(std::vector<PayloadPtr> received,
                   context_.exchange->Exchange(context_.first(), 1, parts));
  received[plan_.self()] = std::move(own);
  std::byte* result = context_.first().result.data();
  for (int host = 0; host < hosts; ++host) {
    Range range = RangeOf(count, host, hosts);
    std::memcpy(result + range.first * element_size_, received[host]->data(),
                range.count * element_size_);
  }
  return absl::OkStatus();
}

absl::Status HostReduction::ReduceScatter() {
  int64_t chunk = context_.first().result.size() / element_size_;
  std::vector<HostPart> parts(plan_.host_count());
  for (int host = 0; host < plan_.host_count(); ++host) {
    const std::vector<int>& ranks = plan_.ranks(host);
    auto partials =
        context_.buffers->Get(ranks.size() * PartialBytes(plan_.self(), chunk));
    std::byte* out = partials->data();
    for (int rank : ranks) {
      RETURN_IF_ERROR(AppendPartials({rank * chunk, chunk}, &out));
    }
    parts[host] = {partials, 0,
                   plan_.local_ranks().size() * PartialBytes(host, chunk), 0};
  }
  ASSIGN_OR_RETURN(std::vector<PayloadPtr> received,
                   context_.exchange->Exchange(context_.first(), 0, parts));
  received[plan_.self()] = parts[plan_.self()].payload;
  for (size_t slot = 0; slot < context_.arrivals.size(); ++slot) {
    std::vector<const std::byte*> partials;
    for (int host = 0; host < plan_.host_count(); ++host) {
      partials.push_back(received[host]->data() +
                         slot * PartialBytes(host, chunk));
    }
    RETURN_IF_ERROR(
        Finish(partials, chunk, context_.arrivals[slot]->result.data()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunReduction(const HostCollectiveContext& context) {
  HostReduction reduction(context);
  return context.first().kind == CollectiveKind::kAllReduce
             ? reduction.AllReduce()
             : reduction.ReduceScatter();
}

}  // namespace lockstep::internal
