#include "runtime/collectives/rendezvous_communicator.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status CheckSize(const CollectiveCall& call, absl::string_view what,
                       int64_t expected, int64_t found) {
  if (expected == found) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(Describe(call), ": expected ", what,
                                          " of ", expected, " bytes, found ",
                                          found));
}

absl::Status CheckRank(const CollectiveCall& call, absl::string_view what,
                       int rank, int size) {
  if (rank >= 0 && rank < size) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(Describe(call), ": ", what, " ", rank,
                                          " is no rank of ", size, " members"));
}

}  // namespace

Arrival RendezvousCommunicator::MakeArrival(const CollectiveCall& call,
                                            CollectiveKind kind) const {
  Arrival arrival;
  arrival.rank = rank_;
  arrival.call = &call;
  arrival.kind = kind;
  return arrival;
}

absl::Status RendezvousCommunicator::AllReduceOnHost(
    const CollectiveCall& call, const std::byte* operand, std::byte* result,
    int64_t count, const Reduction& reduction) {
  Arrival arrival = MakeArrival(call, CollectiveKind::kAllReduce);
  int64_t bytes = count * ByteSize(reduction.element_type());
  arrival.operand = absl::MakeConstSpan(operand, bytes);
  arrival.result = absl::MakeSpan(result, bytes);
  arrival.reduction = &reduction;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::AllReduceTogether(
    const CollectiveCall& call, absl::Span<const RankOperand> ranks,
    int64_t count, const Reduction& reduction) {
  const int64_t bytes = count * ByteSize(reduction.element_type());
  std::vector<Arrival> arrivals(ranks.size(),
                                MakeArrival(call, CollectiveKind::kAllReduce));
  for (size_t i = 0; i < ranks.size(); ++i) {
    arrivals[i].rank = ranks[i].rank;
    arrivals[i].operand = absl::MakeConstSpan(ranks[i].operand, bytes);
    arrivals[i].result = absl::MakeSpan(ranks[i].result, bytes);
    arrivals[i].reduction = &reduction;
  }
  return rendezvous_->Meet(arrivals);
}

absl::Status RendezvousCommunicator::ReduceScatterOnHost(
    const CollectiveCall& call, const std::byte* operand, std::byte* result,
    int64_t chunk_count, const Reduction& reduction) {
  Arrival arrival = MakeArrival(call, CollectiveKind::kReduceScatter);
  int64_t bytes = chunk_count * ByteSize(reduction.element_type());
  arrival.operand = absl::MakeConstSpan(operand, bytes * key_.size());
  arrival.result = absl::MakeSpan(result, bytes);
  arrival.reduction = &reduction;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::AllGatherOnHost(
    const CollectiveCall& call, absl::Span<const std::byte> operand,
    absl::Span<std::byte> result) {
  RETURN_IF_ERROR(
      CheckSize(call, "a result", operand.size() * key_.size(), result.size()));
  Arrival arrival = MakeArrival(call, CollectiveKind::kAllGather);
  arrival.operand = operand;
  arrival.result = result;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::AllToAllOfPartsOnHost(
    const CollectiveCall& call, const TensorParts& sent,
    const TensorParts& received, absl::Span<const std::byte> operand,
    absl::Span<std::byte> result) {
  RETURN_IF_ERROR(CheckSize(call, "a result", operand.size(), result.size()));
  RETURN_IF_ERROR(CheckSize(call, "chunks", sent.byte_size(), operand.size()));
  RETURN_IF_ERROR(
      CheckSize(call, "chunks", received.byte_size(), result.size()));
  RETURN_IF_ERROR(CheckSize(call, "as many chunks as members",
                            sent.outer * sent.block * key_.size(),
                            operand.size()));
  RETURN_IF_ERROR(CheckSize(call, "as many chunks as members",
                            received.outer * received.block * key_.size(),
                            result.size()));
  Arrival arrival = MakeArrival(call, CollectiveKind::kAllToAll);
  arrival.sent = sent;
  arrival.received = received;
  arrival.operand = operand;
  arrival.result = result;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::PermuteOnHost(
    const CollectiveCall& call, std::optional<int> source,
    absl::Span<const int> targets, absl::Span<const std::byte> operand,
    absl::Span<std::byte> result) {
  RETURN_IF_ERROR(CheckSize(call, "a result", operand.size(), result.size()));
  if (source) RETURN_IF_ERROR(CheckRank(call, "source", *source, key_.size()));
  for (int target : targets) {
    RETURN_IF_ERROR(CheckRank(call, "target", target, key_.size()));
  }
  Arrival arrival = MakeArrival(call, CollectiveKind::kPermute);
  arrival.operand = operand;
  arrival.result = result;
  arrival.source = source;
  arrival.targets = targets;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::BroadcastOnHost(
    const CollectiveCall& call, int root, absl::Span<const std::byte> operand,
    absl::Span<std::byte> result) {
  RETURN_IF_ERROR(CheckSize(call, "a result", operand.size(), result.size()));
  RETURN_IF_ERROR(CheckRank(call, "root", root, key_.size()));
  Arrival arrival = MakeArrival(call, CollectiveKind::kBroadcast);
  arrival.operand = operand;
  arrival.result = result;
  arrival.root = root;
  return rendezvous_->Meet({&arrival, 1});
}

absl::Status RendezvousCommunicator::RaggedAllToAllOnHost(
    const CollectiveCall& call, const RaggedSlices& slices,
    absl::Span<const std::byte> operand, absl::Span<std::byte> result) {
  Arrival arrival = MakeArrival(call, CollectiveKind::kRaggedAllToAll);
  arrival.operand = operand;
  arrival.result = result;
  arrival.slices = &slices;
  return rendezvous_->Meet({&arrival, 1});
}

}  // namespace lockstep::internal
