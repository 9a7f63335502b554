#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_ARRIVAL_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_ARRIVAL_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/collectives/communicator.h"
#include "runtime/collectives/ragged_slices.h"
#include "runtime/collectives/reduction.h"
#include "runtime/collectives/tensor_parts.h"

namespace lockstep::internal {

// The values travel in messages: append only.
enum class CollectiveKind : uint8_t {
  kAllReduce = 1,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kPermute,
  kBroadcast,
  kRaggedAllToAll,
};

// "all_reduce".
absl::string_view CollectiveKindName(CollectiveKind kind);

// What one rank brings to a collective: the arguments of the HostCommunicator's
// method. Points into the caller's frame, which waits for the outcome.
struct Arrival {
  int rank = 0;
  const CollectiveCall* call = nullptr;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  absl::Span<const std::byte> operand;
  absl::Span<std::byte> result;
  const Reduction* reduction = nullptr;  // all_reduce, reduce_scatter
  std::optional<int> source;             // permute
  absl::Span<const int> targets;         // permute
  int root = 0;                          // broadcast
  // all_to_all: the parts of the operand, and those of the result.
  TensorParts sent;
  TensorParts received;
  const RaggedSlices* slices = nullptr;  // ragged_all_to_all
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_ARRIVAL_H_
