#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_REDUCTION_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_REDUCTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/collectives/hierarchical/clique_plan.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/hierarchical/message_exchange.h"
#include "runtime/collectives/reduction.h"

namespace lockstep::internal {

// Elements of the operands.
struct Range {
  int64_t first = 0;
  int64_t count = 0;
};

// The arithmetic that all ways of reducing have in common.
class HostReduction {
 public:
  explicit HostReduction(const HostCollectiveContext& context)
      : context_(context),
        plan_(*context.plan),
        reduction_(*context.first().reduction),
        element_size_(ByteSize(reduction_.element_type())),
        partial_size_(ByteSize(reduction_.accumulation_type())) {}

  // Elements of each operand.
  int64_t operand_count() const {
    return static_cast<int64_t>(context_.first().operand.size()) /
           element_size_;
  }
  // False: a body of the program's own, evaluated element by element.
  bool is_native() const { return reduction_.kind().has_value(); }
  int64_t element_size() const { return element_size_; }
  int64_t partial_size() const { return partial_size_; }
  // Of what AppendPartials of `host` makes for `count` elements.
  size_t PartialBytes(int host, int64_t count) const {
    return plan_.subtrees(host).size() * count * partial_size_;
  }
  // What AppendPartials makes.
  absl::StatusOr<PayloadPtr> OwnPartials(Range range) const;
  // Appends the values of the own subtrees for the elements of `range`, one
  // after the other, at `out`.
  absl::Status AppendPartials(Range range, std::byte** out) const;
  // result = the root's value of the elements of `range`, from what
  // AppendPartials of each host made for them. Null for this host: from its
  // operands, which `result` is no part of then.
  absl::Status Finish(const std::vector<const std::byte*>& partials,
                      Range range, std::byte* result) const;
  // The value of a node of the tree from those of its halves, all of `count`
  // elements; neither changes.
  absl::StatusOr<PayloadPtr> Join(const PayloadPtr& left,
                                  const PayloadPtr& right, int64_t count) const;
  // The result of every local rank, of the root's value for all elements.
  void WriteResults(const MessageBuffer& root, int64_t count) const;
  // Elements of the result of every local rank; `from` may be one of them.
  void CopyToResults(Range range, const std::byte* from) const;

 private:
  // Of `rank`, which is of this host.
  const std::byte* OperandOf(int rank) const {
    const std::vector<int>& ranks = plan_.local_ranks();
    const auto slot =
        std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin();
    return context_.arrivals[slot]->operand.data();
  }

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const Reduction& reduction_;
  const int64_t element_size_;
  const int64_t partial_size_;
};

// The ways of reducing, of which RunReduction chooses one. Each host gets the
// partial results of all others, in one message of each.
absl::Status RunDirectReduction(const HostCollectiveContext& context);
// Recursive doubling, where the plan `pairs_up`: the hosts of a node of the
// tree exchange its halves' values with their counterparts, node after node.
absl::Status RunDoublingReduction(const HostCollectiveContext& context);
// Each host reduces its share of the elements, of which it gets the partial
// results of all others; an all_reduce then hands it out.
absl::Status RunSharedReduction(const HostCollectiveContext& context);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_REDUCTION_H_
