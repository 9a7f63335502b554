// all_reduce of few bytes: whole partial results, in one message per host.
#include <bit>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_reduction.h"

namespace lockstep::internal {
namespace {

// Each host gets all partial results, in one message of each other.
class DirectReduction : public HostMessages {
 public:
  explicit DirectReduction(const HostCollectiveContext& context)
      : context_(context),
        reduction_(context),
        count_(reduction_.operand_count()),
        received_(context.plan->host_count()) {}

  absl::Status Run() {
    const int self = context_.plan->self();
    ASSIGN_OR_RETURN(received_[self], reduction_.OwnPartials({0, count_}));
    RETURN_IF_ERROR(context_.exchange->Exchange(
        context_.first(),
        std::vector<HostStream>(
            received_.size(),
            {.sent = 1, .sent_bytes = received_[self]->size(), .received = 1}),
        *this));
    std::vector<const std::byte*> partials;
    for (const PayloadPtr& payload : received_) {
      partials.push_back(payload->data());
    }
    std::byte* const result = context_.first().result.data();
    RETURN_IF_ERROR(reduction_.Finish(partials, {0, count_}, result));
    reduction_.CopyToResults({0, count_}, result);
    return absl::OkStatus();
  }

  absl::StatusOr<PayloadPtr> Message(int, int) override {
    return received_[context_.plan->self()];
  }
  size_t ExpectedBytes(int host, int) const override {
    return reduction_.PartialBytes(host, count_);
  }
  absl::Status Take(int host, int, PayloadPtr payload) override {
    received_[host] = std::move(payload);
    return absl::OkStatus();
  }

 private:
  const HostCollectiveContext& context_;
  const HostReduction reduction_;
  const int64_t count_;
  std::vector<PayloadPtr> received_;  // the own partial results too
};

// Round r: the hosts of a node of 2^(r + 1) hosts have the values of its
// halves, and each gets the other half's from the host that is at its place
// there. The left one comes first in every sum, so all have the same bits.
class DoublingReduction : public HostMessages {
 public:
  explicit DoublingReduction(const HostCollectiveContext& context)
      : context_(context),
        reduction_(context),
        count_(reduction_.operand_count()),
        received_(context.plan->host_count()) {}

  absl::Status Run() {
    const int self = context_.plan->self();
    ASSIGN_OR_RETURN(values_.emplace_back(),
                     reduction_.OwnPartials({0, count_}));
    std::vector<HostStream> streams(context_.plan->host_count());
    for (HostStream& stream : streams) stream.is_concerned = false;
    for (int distance = 1; distance < context_.plan->host_count();
         distance *= 2) {
      streams[self ^ distance] = {.sent = 1, .received = 1};
    }
    RETURN_IF_ERROR(
        context_.exchange->Exchange(context_.first(), streams, *this));
    reduction_.WriteResults(*values_.back(), count_);
    return absl::OkStatus();
  }

  absl::StatusOr<PayloadPtr> Message(int host, int) override {
    const size_t round = RoundWith(host);
    return round < values_.size() ? values_[round] : nullptr;
  }
  size_t ExpectedBytes(int, int) const override { return values_[0]->size(); }
  // Values are joined as they come.
  bool is_brief() const override { return reduction_.is_native(); }
  absl::Status Take(int host, int, PayloadPtr payload) override {
    received_[host] = std::move(payload);
    const int self = context_.plan->self();
    while (true) {
      const int other = self ^ (1 << (values_.size() - 1));
      if (other >= context_.plan->host_count()) return absl::OkStatus();
      const PayloadPtr& theirs = received_[other];
      if (theirs == nullptr) return absl::OkStatus();
      ASSIGN_OR_RETURN(values_.emplace_back(),
                       other < self
                           ? reduction_.Join(theirs, values_.back(), count_)
                           : reduction_.Join(values_.back(), theirs, count_));
    }
  }

 private:
  size_t RoundWith(int host) const {
    return std::countr_zero(
        static_cast<unsigned>(context_.plan->self() ^ host));
  }

  const HostCollectiveContext& context_;
  const HostReduction reduction_;
  const int64_t count_;
  std::vector<PayloadPtr> values_;    // by round, of the own node before it
  std::vector<PayloadPtr> received_;  // by host
};

}  // namespace

absl::Status RunDirectReduction(const HostCollectiveContext& context) {
  return DirectReduction(context).Run();
}

absl::Status RunDoublingReduction(const HostCollectiveContext& context) {
  return DoublingReduction(context).Run();
}

}  // namespace lockstep::internal
