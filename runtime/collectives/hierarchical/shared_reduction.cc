// all_reduce and reduce_scatter by shares of the elements, one per host, in
// steps that overlap.
#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_reduction.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

// The part of `count` elements that host `index` of `hosts` reduces. Whole
// cache lines, but for the last.
Range RangeOf(int64_t count, int index, int hosts) {
  constexpr int64_t kUnit = 64;
  int64_t units = (count + kUnit - 1) / kUnit;
  int64_t begin = std::min(count, units * index / hosts * kUnit);
  int64_t end = std::min(count, units * (index + 1) / hosts * kUnit);
  return {begin, end - begin};
}

// What one host reduces: `firsts.size()` ranges of `count` elements each, in
// steps of `step` elements of every range at once.
struct Share {
  std::vector<int64_t> firsts;
  int64_t count = 0;
  int64_t step = 1;

  int steps() const { return static_cast<int>((count + step - 1) / step); }
  int64_t first(int i) const { return i * step; }
  int64_t size(int i) const { return std::min(step, count - first(i)); }
};

// Each host reduces its share of the elements, of which it gets the partial
// results of all others; an all_reduce then hands it out. Messages to a host
// are the partial results for its steps, and then, of an all_reduce, the own
// steps' results.
class SharedReduction : public HostMessages {
 public:
  explicit SharedReduction(const HostCollectiveContext& context);

  absl::Status Run();

  absl::StatusOr<PayloadPtr> Message(int host, int index) override;
  size_t ExpectedBytes(int host, int index) const override;
  absl::Status Take(int host, int index, PayloadPtr payload) override;
  // Bodies of their own are evaluated element by element.
  bool is_brief() const override { return reduction_.is_native(); }

 private:
  Share ShareOf(int host) const;
  const Share& own() const { return shares_[plan_.self()]; }
  // Messages from one host to another.
  int MessageCount(int from, int to) const {
    return shares_[to].steps() + (gathers_ ? shares_[from].steps() : 0);
  }
  // Hosts compare it.
  uint64_t Layout() const;
  // The partial results of this host for a step of `host`: those of every range
  // in turn.
  absl::StatusOr<PayloadPtr> Partials(int host, int step) const;
  // Finishes the steps for which everything has come.
  absl::Status FinishSteps();
  absl::Status FinishStep(int step, const std::vector<PayloadPtr>& partials);

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const HostReduction reduction_;
  const bool gathers_;
  const int64_t count_;        // of elements that are reduced
  std::vector<Share> shares_;  // by host
  // By host: the partial results of the own steps from the next one on.
  std::vector<std::deque<PayloadPtr>> partials_;
  int finished_ = 0;  // steps
  // Of an all_reduce: the results of the finished steps, until they have gone
  // to all.
  struct Result {
    PayloadPtr payload;
    int hosts_left = 0;
  };
  std::vector<Result> results_;
};

SharedReduction::SharedReduction(const HostCollectiveContext& context)
    : context_(context),
      plan_(*context.plan),
      reduction_(context),
      gathers_(context.first().kind == CollectiveKind::kAllReduce),
      count_(reduction_.operand_count()),
      partials_(plan_.host_count()) {
  for (int host = 0; host < plan_.host_count(); ++host) {
    shares_.push_back(ShareOf(host));
  }
}

Share SharedReduction::ShareOf(int host) const {
  // Whole cache lines, also of results.
  constexpr int64_t kUnit = 64;
  Share share;
  if (gathers_) {
    const Range range = RangeOf(count_, host, plan_.host_count());
    share.firsts.push_back(range.first);
    share.count = range.count;
  } else {
    share.count = count_ / plan_.rank_count();
    for (int rank : plan_.ranks(host)) {
      share.firsts.push_back(rank * share.count);
    }
  }
  size_t subtrees = 1;  // of one host at most
  for (int other = 0; other < plan_.host_count(); ++other) {
    subtrees = std::max(subtrees, plan_.subtrees(other).size());
  }
  const int64_t bytes = reduction_.partial_size() * std::ssize(share.firsts) *
                        static_cast<int64_t>(subtrees);
  share.step =
      std::max<int64_t>(1, context_.message_bytes / bytes / kUnit) * kUnit;
  return share;
}

uint64_t SharedReduction::Layout() const {
  const int64_t numbers[] = {count_, reduction_.partial_size(),
                             context_.message_bytes};
  return XXH3_64bits(numbers, sizeof(numbers));
}

absl::StatusOr<PayloadPtr> SharedReduction::Partials(int host, int step) const {
  const Share& share = shares_[host];
  const int64_t count = share.size(step);
  auto partials = context_.buffers->Get(
      share.firsts.size() * reduction_.PartialBytes(plan_.self(), count));
  std::byte* out = partials->data();
  for (int64_t first : share.firsts) {
    RETURN_IF_ERROR(
        reduction_.AppendPartials({first + share.first(step), count}, &out));
  }
  return partials;
}

absl::StatusOr<PayloadPtr> SharedReduction::Message(int host, int index) {
  if (index < shares_[host].steps()) return Partials(host, index);
  const int step = index - shares_[host].steps();
  if (step >= finished_) return nullptr;
  Result& result = results_[step];
  return --result.hosts_left == 0 ? std::move(result.payload) : result.payload;
}

size_t SharedReduction::ExpectedBytes(int host, int index) const {
  if (index < own().steps()) {
    return own().firsts.size() *
           reduction_.PartialBytes(host, own().size(index));
  }
  return shares_[host].size(index - own().steps()) * reduction_.element_size();
}

absl::Status SharedReduction::Take(int host, int index, PayloadPtr payload) {
  if (index < own().steps()) {
    partials_[host].push_back(std::move(payload));
    return FinishSteps();
  }
  const Share& share = shares_[host];
  const int step = index - own().steps();
  reduction_.CopyToResults(
      {share.firsts[0] + share.first(step), share.size(step)}, payload->data());
  return absl::OkStatus();
}

absl::Status SharedReduction::FinishSteps() {
  const int self = plan_.self();
  while (finished_ < own().steps()) {
    for (int host = 0; host < plan_.host_count(); ++host) {
      if (host != self && partials_[host].empty()) return absl::OkStatus();
    }
    std::vector<PayloadPtr> partials(plan_.host_count());
    for (int host = 0; host < plan_.host_count(); ++host) {
      if (host == self) continue;
      partials[host] = std::move(partials_[host].front());
      partials_[host].pop_front();
    }
    RETURN_IF_ERROR(FinishStep(finished_, partials));
    ++finished_;
  }
  return absl::OkStatus();
}

absl::Status SharedReduction::FinishStep(
    int step, const std::vector<PayloadPtr>& partials) {
  const int64_t count = own().size(step);
  const auto partials_of = [&](size_t range) {
    std::vector<const std::byte*> data;
    for (int host = 0; host < plan_.host_count(); ++host) {
      if (host == plan_.self()) {
        data.push_back(nullptr);
        continue;
      }
      data.push_back(partials[host]->data() +
                     range * reduction_.PartialBytes(host, count));
    }
    return data;
  };
  if (gathers_) {
    const Range range = {own().firsts[0] + own().first(step), count};
    auto result = context_.buffers->Get(count * reduction_.element_size());
    RETURN_IF_ERROR(reduction_.Finish(partials_of(0), range, result->data()));
    reduction_.CopyToResults(range, result->data());
    results_.push_back({std::move(result), plan_.host_count() - 1});
    return absl::OkStatus();
  }
  for (size_t slot = 0; slot < context_.arrivals.size(); ++slot) {
    const int64_t first = own().first(step);
    RETURN_IF_ERROR(reduction_.Finish(partials_of(slot),
                                      {own().firsts[slot] + first, count},
                                      context_.arrivals[slot]->result.data() +
                                          first * reduction_.element_size()));
  }
  return absl::OkStatus();
}

absl::Status SharedReduction::Run() {
  const int self = plan_.self();
  std::vector<HostStream> streams(plan_.host_count());
  for (int host = 0; host < plan_.host_count(); ++host) {
    streams[host] = {
        .sent = MessageCount(self, host),
        .sent_layout = Layout(),
        .sent_bytes = shares_[host].firsts.size() *
                      reduction_.PartialBytes(self, shares_[host].count),
        .received = MessageCount(host, self),
        .received_layout = Layout()};
  }
  return context_.exchange->Exchange(context_.first(), streams, *this);
}

}  // namespace

absl::Status RunSharedReduction(const HostCollectiveContext& context) {
  return SharedReduction(context).Run();
}

}  // namespace lockstep::internal
