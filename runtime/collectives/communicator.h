#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/reduction.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Identifies one collective of one launch. Travels with every message; what
// arrives is checked against what is expected.
struct CollectiveCall {
  Epoch epoch;
  // The sequence in which launches are counted (LaunchKey).
  uint64_t launch_stream = 0;
  LaunchNumber launch;
  // The fingerprints of the launches of this stream that came last, this one
  // included, newest first (0 = none).
  uint64_t recent_programs[3] = {0, 0, 0};
  // Position in the execution order of the launch on this device, from 0. A
  // collective in a loop gets a number per iteration.
  int64_t number = 0;
  // Of operation, groups, element type and shapes.
  uint64_t digest = 0;
  // For messages: "all_reduce #3 of launch 5 (jit_step), m.mlir:12:8".
  std::string description;
  // Ends the wait with its cause; outlives the call. Never null.
  CancellationToken* cancellation = nullptr;
};

// What one rank brings to AllReduceTogether.
struct RankOperand {
  int rank = 0;
  const std::byte* operand = nullptr;
  std::byte* result = nullptr;
};

// One rank's endpoint of a clique. Each rank calls the same operations in the
// same order, each from a thread of its own, or several together
// (AllReduceTogether); a call returns when this rank's result is complete and
// its operand may be overwritten. Two threads must not
// use one communicator at a time; different cliques are independent.
//
// Every wait ends: with the result, or with an error. Errors:
//   the cancellation's cause    the token was cancelled
//   FAILED_PRECONDITION         a member is in another collective, launch or
//                               epoch: names both members and both calls
//   INTERNAL                    digests differ within one agreed program
//   UNAVAILABLE                 a host cannot be reached: names it
// After an error the clique stays usable for later launches: what arrives
// late for the failed one is dropped.
//
// Sizes are in bytes where not said otherwise. `operand` and `result` must not
// overlap.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual const CliqueKey& key() const = 0;
  virtual int rank() const = 0;

  // result[i] = the tree reduction over the members' operand[i]; `count`
  // elements. The same bits on every member.
  virtual absl::Status AllReduce(const CollectiveCall& call,
                                 const std::byte* operand, std::byte* result,
                                 int64_t count, const Reduction& reduction) = 0;
  // The same for several ranks of this process from one thread; this endpoint's
  // own rank is one of them.
  virtual absl::Status AllReduceTogether(const CollectiveCall& call,
                                         absl::Span<const RankOperand> ranks,
                                         int64_t count,
                                         const Reduction& reduction) = 0;
  // The operand holds size() chunks of `chunk_count` elements; the member at
  // rank k gets the reduction of the k-th chunks.
  virtual absl::Status ReduceScatter(const CollectiveCall& call,
                                     const std::byte* operand,
                                     std::byte* result, int64_t chunk_count,
                                     const Reduction& reduction) = 0;
  // result = the members' operands (all of one size) in rank order.
  virtual absl::Status AllGather(const CollectiveCall& call,
                                 absl::Span<const std::byte> operand,
                                 absl::Span<std::byte> result) = 0;
  // The operand holds size() chunks of one size; chunk k goes to rank k, and
  // the result holds the chunks received in order of the senders' ranks.
  virtual absl::Status AllToAll(const CollectiveCall& call,
                                absl::Span<const std::byte> operand,
                                absl::Span<std::byte> result) = 0;
  // Sends the operand to `targets`; the result is the operand of `source`, or
  // zeros without one. The members' arguments must match each other.
  virtual absl::Status Permute(const CollectiveCall& call,
                               std::optional<int> source,
                               absl::Span<const int> targets,
                               absl::Span<const std::byte> operand,
                               absl::Span<std::byte> result) = 0;
  // result = the operand of `root`, on every member.
  virtual absl::Status Broadcast(const CollectiveCall& call, int root,
                                 absl::Span<const std::byte> operand,
                                 absl::Span<std::byte> result) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_
