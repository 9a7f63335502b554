#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/base/cancellation.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/ragged_slices.h"
#include "runtime/collectives/reduction.h"
#include "runtime/devices/device_address.h"
#include "runtime/devices/device_queue.h"
#include "runtime/devices/work_scope.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

struct CollectiveCall;

// Hears of a collective while it runs. Thread-safe as far as its calls come
// from different threads one after the other.
class CollectiveObserver {
 public:
  virtual ~CollectiveObserver() = default;
  // This rank is about to wait for the other members of `clique`, on the thread
  // that does. An error ends the collective with it. `clique` and the call are
  // there until OnLeave.
  virtual absl::Status OnEnter(const CliqueKey& clique,
                               const CollectiveCall& call) = 0;
  // It is over, with `status`: after every OnEnter, also one that has failed.
  virtual void OnLeave(const CollectiveCall& call,
                       const absl::Status& status) = 0;
};

// Identifies one collective of one launch. Travels with every message; what
// arrives is checked against what is expected.
struct CollectiveCall {
  Epoch epoch;
  // The sequence in which launches are counted (LaunchKey).
  uint64_t launch_sequence = 0;
  LaunchNumber launch;
  // The fingerprints of the launches of this sequence that came last, this one
  // included, newest first (0 = none).
  uint64_t recent_programs[3] = {0, 0, 0};
  // Position among the collectives of the launch on this clique, from 0, in
  // program order. A collective in a loop gets a number per iteration.
  int64_t number = 0;
  // Of operation, groups, element type and shapes.
  uint64_t digest = 0;
  // It is in a loop or a branch, where other members may have decided
  // otherwise although the programs agree. Does not travel.
  bool is_conditional = false;
  // For messages: "all_reduce #3 of launch 5 (jit_step), m.mlir:12:8".
  std::string description;
  // For progress: position among the collectives of the launch on this device,
  // of all cliques, and "all_reduce #3" with it. Does not travel.
  int64_t device_number = 0;
  std::string name;
  // Ends the wait with its cause; outlives the call. Never null.
  CancellationToken* cancellation = nullptr;
  // Outlives the call. Null: nobody.
  CollectiveObserver* observer = nullptr;
};

class HostCommunicator;

// One rank's endpoint of a clique, for memory and queues of its device. Each
// rank calls the same operations in the same order; a call puts the operation
// on `queue` and returns: what follows there has the result, and may overwrite
// the operand. Where the queue is inline the operation is over by then. One
// queue at a time: a call on another queue comes after an event that says that
// what was called before is over. Cliques are independent.
//
// What is found at once is returned, what fails later fails `scope`. Every wait
// ends: with the result, or with an error. Errors:
//   the cancellation's cause    the token was cancelled
//   FAILED_PRECONDITION         a member is in another collective, launch or
//                               epoch: names both members and both calls
//   INTERNAL                    digests differ within one agreed program
//   UNAVAILABLE                 a host cannot be reached: names it
//   RESOURCE_EXHAUSTED          memory for copies is missing: says how much
// After an error the clique stays usable for later launches: what arrives
// late for the failed one is dropped.
//
// Counts are of elements where there is a reduction; otherwise the sizes of the
// addresses say how much. `operand` and `result` must not overlap. They, the
// reduction, the scope and this endpoint are there until the queue has come
// through. Not thread-safe.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual const CliqueKey& key() const = 0;
  virtual int rank() const = 0;
  // This endpoint for memory of the host; null where the host takes no part.
  virtual HostCommunicator* on_host() { return nullptr; }

  // All members begin the launch of `call`, whose collectives here come next:
  // each calls this once, from a thread of its own, and waits for the others.
  // What can be missing or different between hosts is found here, before
  // anything is on a device. Not needed where collectives are called on inline
  // queues. `queue`: any of the device. Errors as below; the digest and the
  // observer play no part.
  virtual absl::Status Prepare(DeviceQueue& queue, const CollectiveCall& call) {
    return absl::OkStatus();
  }

  // result[i] = the tree reduction over the members' operand[i]; `count`
  // elements. The same bits on every member.
  virtual absl::Status AllReduce(DeviceQueue& queue, WorkScope& scope,
                                 const CollectiveCall& call,
                                 DeviceAddress operand, DeviceAddress result,
                                 int64_t count, const Reduction& reduction) = 0;
  // The operand holds size() chunks of `chunk_count` elements; the member at
  // rank k gets the reduction of the k-th chunks.
  virtual absl::Status ReduceScatter(DeviceQueue& queue, WorkScope& scope,
                                     const CollectiveCall& call,
                                     DeviceAddress operand,
                                     DeviceAddress result, int64_t chunk_count,
                                     const Reduction& reduction) = 0;
  // result = the members' operands (all of one size) in rank order.
  virtual absl::Status AllGather(DeviceQueue& queue, WorkScope& scope,
                                 const CollectiveCall& call,
                                 DeviceAddress operand,
                                 DeviceAddress result) = 0;
  // The operand holds size() chunks of one size; chunk k goes to rank k, and
  // the result holds the chunks received in order of the senders' ranks.
  virtual absl::Status AllToAll(DeviceQueue& queue, WorkScope& scope,
                                const CollectiveCall& call,
                                DeviceAddress operand,
                                DeviceAddress result) = 0;
  // Sends the operand to `targets`; the result is the operand of `source`, or
  // zeros without one. The members' arguments must match each other.
  virtual absl::Status Permute(DeviceQueue& queue, WorkScope& scope,
                               const CollectiveCall& call,
                               std::optional<int> source,
                               std::vector<int> targets, DeviceAddress operand,
                               DeviceAddress result) = 0;
  // result = the operand of `root`, on every member.
  virtual absl::Status Broadcast(DeviceQueue& queue, WorkScope& scope,
                                 const CollectiveCall& call, int root,
                                 DeviceAddress operand,
                                 DeviceAddress result) = 0;
  // Copies `slices` from the senders' operands to the receivers' results, which
  // keep what no slice covers. The members' slices are the same.
  virtual absl::Status RaggedAllToAll(
      DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
      std::shared_ptr<const RaggedSlices> slices, DeviceAddress operand,
      DeviceAddress result) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_COMMUNICATOR_H_
