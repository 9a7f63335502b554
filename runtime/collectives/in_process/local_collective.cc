#include "runtime/collectives/in_process/local_collective.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/part_copies.h"
#include "runtime/collectives/tree_reduce.h"

namespace lockstep::internal {
namespace {

using RankArrivals = absl::Span<const Arrival* const>;

void Copy(std::byte* to, const std::byte* from, size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

// result[0 .. count) = the reduction of the members' elements from `first` on.
absl::Status Reduce(RankArrivals arrivals, int64_t first, int64_t count,
                    std::byte* result) {
  const Reduction& reduction = *arrivals[0]->reduction;
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node.size() > 1) return std::nullopt;
    return TreeValue{arrivals[node.begin]->operand.data(), false};
  };
  TreeNode root{0, static_cast<int>(arrivals.size())};
  if (reduction.element_type() == reduction.accumulation_type()) {
    return TreeReduce(reduction, root, value_of, first, count, result);
  }
  std::unique_ptr<std::byte[]> partial(
      new std::byte[count * ByteSize(reduction.accumulation_type())]);
  RETURN_IF_ERROR(
      TreeReduce(reduction, root, value_of, first, count, partial.get()));
  reduction.Store(partial.get(), result, count);
  return absl::OkStatus();
}

absl::Status AllReduce(RankArrivals arrivals) {
  const Arrival& first = *arrivals[0];
  int64_t count =
      first.operand.size() / ByteSize(first.reduction->element_type());
  RETURN_IF_ERROR(Reduce(arrivals, 0, count, first.result.data()));
  for (const Arrival* arrival : arrivals.subspan(1)) {
    Copy(arrival->result.data(), first.result.data(), first.result.size());
  }
  return absl::OkStatus();
}

absl::Status ReduceScatter(RankArrivals arrivals) {
  int64_t chunk = arrivals[0]->result.size() /
                  ByteSize(arrivals[0]->reduction->element_type());
  for (size_t rank = 0; rank < arrivals.size(); ++rank) {
    RETURN_IF_ERROR(
        Reduce(arrivals, rank * chunk, chunk, arrivals[rank]->result.data()));
  }
  return absl::OkStatus();
}

absl::Status AllGather(RankArrivals arrivals) {
  for (const Arrival* to : arrivals) {
    size_t offset = 0;
    for (const Arrival* from : arrivals) {
      Copy(to->result.data() + offset, from->operand.data(),
           from->operand.size());
      offset += from->operand.size();
    }
  }
  return absl::OkStatus();
}

absl::Status AllToAll(RankArrivals arrivals) {
  std::vector<PartCopy> copies;
  for (size_t to = 0; to < arrivals.size(); ++to) {
    for (size_t from = 0; from < arrivals.size(); ++from) {
      copies.push_back({arrivals[from]->operand.data(),
                        PartPlace::Of(arrivals[from]->sent, to),
                        arrivals[to]->result.data(),
                        PartPlace::Of(arrivals[to]->received, from)});
    }
  }
  CopyParts(copies);
  return absl::OkStatus();
}

absl::Status Permute(RankArrivals arrivals) {
  for (size_t to = 0; to < arrivals.size(); ++to) {
    const Arrival& target = *arrivals[to];
    if (!target.source) {
      std::fill(target.result.begin(), target.result.end(), std::byte{0});
      continue;
    }
    const Arrival& source = *arrivals[*target.source];
    if (std::find(source.targets.begin(), source.targets.end(),
                  static_cast<int>(to)) == source.targets.end()) {
      return absl::InternalError(absl::StrCat(
          Describe(*target.call), ": rank ", to, " expects the value of rank ",
          *target.source, ", which does not send to it"));
    }
    Copy(target.result.data(), source.operand.data(), source.operand.size());
  }
  return absl::OkStatus();
}

absl::Status Broadcast(RankArrivals arrivals) {
  const Arrival& root = *arrivals[arrivals[0]->root];
  for (const Arrival* arrival : arrivals) {
    Copy(arrival->result.data(), root.operand.data(), root.operand.size());
  }
  return absl::OkStatus();
}

absl::Status RaggedAllToAll(RankArrivals arrivals) {
  std::vector<PartCopy> copies;
  for (size_t to = 0; to < arrivals.size(); ++to) {
    for (size_t from = 0; from < arrivals.size(); ++from) {
      for (const RaggedSlices::Slice& slice : arrivals[to]->slices->Between(
               static_cast<int>(from), static_cast<int>(to))) {
        copies.push_back({arrivals[from]->operand.data(),
                          PartPlace::OneBlock(slice.from, slice.size),
                          arrivals[to]->result.data(),
                          PartPlace::OneBlock(slice.to, slice.size)});
      }
    }
  }
  CopyParts(copies);
  return absl::OkStatus();
}

}  // namespace

absl::Status RunLocalCollective(RankArrivals arrivals) {
  switch (arrivals[0]->kind) {
    case CollectiveKind::kAllReduce:
      return AllReduce(arrivals);
    case CollectiveKind::kReduceScatter:
      return ReduceScatter(arrivals);
    case CollectiveKind::kAllGather:
      return AllGather(arrivals);
    case CollectiveKind::kAllToAll:
      return AllToAll(arrivals);
    case CollectiveKind::kPermute:
      return Permute(arrivals);
    case CollectiveKind::kBroadcast:
      return Broadcast(arrivals);
    case CollectiveKind::kRaggedAllToAll:
      return RaggedAllToAll(arrivals);
  }
  return absl::InternalError("unknown collective");
}

}  // namespace lockstep::internal
