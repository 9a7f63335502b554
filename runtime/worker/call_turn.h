#ifndef LOCKSTEP_RUNTIME_WORKER_CALL_TURN_H_
#define LOCKSTEP_RUNTIME_WORKER_CALL_TURN_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cluster/call.h"
#include "runtime/mesh/ids.h"
#include "runtime/worker/meeting_results.h"

namespace lockstep::internal {

class CallSequences;

// A call under way on this host: its place in the hosts' sequence. As long as
// it lives, calls of other threads in the same sequence wait, so that launches
// reach the devices in the order of the calls; a call that the same thread
// makes meanwhile comes after it. Owned by the thread that began it.
class CallTurn {
 public:
  struct Parts {
    LaunchKey place;  // number 0: this host's alone, counted at the launch
    Epoch epoch;      // since when the hosts are together
    std::vector<HostId> participants;  // ascending
    CallRequest request;
    // Held by the calling thread, which gives it to this; null: nobody else
    // makes calls there.
    std::shared_ptr<std::recursive_mutex> order;
    CallSequences* sequences = nullptr;  // outlives this; null: not counted
    std::shared_ptr<MeetingResults> results = nullptr;
  };

  explicit CallTurn(Parts parts) : parts_(std::move(parts)) {}
  ~CallTurn();
  CallTurn(const CallTurn&) = delete;
  CallTurn& operator=(const CallTurn&) = delete;

  const LaunchKey& place() const { return parts_.place; }
  Epoch epoch() const { return parts_.epoch; }
  const std::vector<HostId>& participants() const {
    return parts_.participants;
  }
  bool spans_hosts() const { return parts_.participants.size() > 1; }
  const CallDescription& description() const {
    return parts_.request.description;
  }
  const CallRequest& request() const { return parts_.request; }

  // What meetings found out in the calls before this one; null where hosts meet
  // in every call.
  MeetingResults* results() const { return parts_.results.get(); }
  // The call runs this program, on which its hosts agreed here or before.
  void SetProgram(uint64_t fingerprint) const;

  // All hosts of the call have met in it: calls of its sequence are in order
  // again.
  void RestoreOrder() const;

 private:
  const Parts parts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_CALL_TURN_H_
