// A broadcast down a binary tree of hosts: each passes on what it gets, message
// by message, so no host sends it more than twice, and all are busy at once.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/hierarchical/local_copies.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

class HostBroadcast : public HostMessages {
 public:
  explicit HostBroadcast(const HostCollectiveContext& context);

  absl::Status Run();

  absl::StatusOr<PayloadPtr> Message(int host, int index) override;
  size_t ExpectedBytes(int host, int index) const override {
    return MessageBytes(index);
  }
  absl::Status Take(int host, int index, PayloadPtr payload) override;
  bool has_work_alone() const override {
    return local_.are_long() && !local_.are_done();
  }
  void WorkAlone() override { local_.DoSome(); }

 private:
  // Of those that were last made or taken: one child is mostly asked for what
  // the other has just got. What is older is packed again.
  static constexpr size_t kRecent = 8;

  int count() const {
    return static_cast<int>((bytes_ + message_bytes_ - 1) / message_bytes_);
  }
  size_t MessageBytes(int index) const {
    return std::min(message_bytes_, bytes_ - index * message_bytes_);
  }
  const PayloadPtr& Recent(int index) const {
    return recent_[index % kRecent].second;
  }
  bool IsRecent(int index) const {
    const auto& [which, payload] = recent_[index % kRecent];
    return which == index && payload != nullptr;
  }
  void Remember(int index, PayloadPtr payload) {
    recent_[index % kRecent] = {index, std::move(payload)};
  }
  // The host whose place in the tree is `place`; the root's is 0.
  int HostAt(int place) const {
    return (root_host_ + place) % plan_.host_count();
  }

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const int root_host_;
  const int place_;
  const size_t bytes_;
  const size_t message_bytes_;
  // Holds the first taken_ messages.
  const std::byte* source_ = nullptr;
  int taken_ = 0;
  std::array<std::pair<int, PayloadPtr>, kRecent> recent_;
  LocalCopies local_;
};

HostBroadcast::HostBroadcast(const HostCollectiveContext& context)
    : context_(context),
      plan_(*context.plan),
      root_host_(plan_.host_of_rank(context.first().root)),
      place_((plan_.self() - root_host_ + plan_.host_count()) %
             plan_.host_count()),
      bytes_(context.first().operand.size()),
      message_bytes_(static_cast<size_t>(context.message_bytes)),
      local_(context.message_bytes) {
  if (place_ != 0) {
    source_ = context.first().result.data();
    return;
  }
  const std::vector<int>& ranks = plan_.local_ranks();
  const auto root =
      std::lower_bound(ranks.begin(), ranks.end(), context.first().root);
  source_ = context.arrivals[root - ranks.begin()]->operand.data();
  taken_ = count();
  const PartPlace whole = PartPlace::OneBlock(0, static_cast<int64_t>(bytes_));
  for (const Arrival* arrival : context.arrivals) {
    local_.Add({source_, whole, arrival->result.data(), whole});
  }
}

absl::StatusOr<PayloadPtr> HostBroadcast::Message(int, int index) {
  if (index >= taken_) return nullptr;
  if (!IsRecent(index)) {
    auto payload = context_.buffers->Get(MessageBytes(index));
    std::memcpy(payload->data(), source_ + index * message_bytes_,
                payload->size());
    Remember(index, std::move(payload));
  }
  return Recent(index);
}

absl::Status HostBroadcast::Take(int, int index, PayloadPtr payload) {
  const auto bytes = static_cast<int64_t>(payload->size());
  const auto begin = static_cast<int64_t>(index * message_bytes_);
  std::vector<PartCopy> copies;
  for (const Arrival* arrival : context_.arrivals) {
    copies.push_back({payload->data(), PartPlace::OneBlock(0, bytes),
                      arrival->result.data(),
                      PartPlace::OneBlock(begin, bytes)});
  }
  CopyParts(copies);
  Remember(index, std::move(payload));
  taken_ = index + 1;
  return absl::OkStatus();
}

absl::Status HostBroadcast::Run() {
  const std::array<uint64_t, 3> said = {
      static_cast<uint64_t>(context_.first().root), bytes_, message_bytes_};
  const uint64_t layout = XXH3_64bits(said.data(), sizeof(said));
  std::vector<HostStream> streams(plan_.host_count());
  for (HostStream& stream : streams) stream.is_concerned = false;
  if (place_ != 0) {
    streams[HostAt((place_ - 1) / 2)] = {
        .sent_layout = layout, .received = count(), .received_layout = layout};
  }
  for (int child = 2 * place_ + 1;
       child <= 2 * place_ + 2 && child < plan_.host_count(); ++child) {
    streams[HostAt(child)] = {.sent = count(),
                              .sent_layout = layout,
                              .sent_bytes = bytes_,
                              .received_layout = layout};
  }
  RETURN_IF_ERROR(
      context_.exchange->Exchange(context_.first(), streams, *this));
  local_.DoAll();
  return absl::OkStatus();
}

}  // namespace

absl::Status RunBroadcast(const HostCollectiveContext& context) {
  return HostBroadcast(context).Run();
}

}  // namespace lockstep::internal
