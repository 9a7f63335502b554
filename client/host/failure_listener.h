#ifndef LOCKSTEP_CLIENT_HOST_FAILURE_LISTENER_H_
#define LOCKSTEP_CLIENT_HOST_FAILURE_LISTENER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/host/live_hosts.h"

namespace lockstep {

// What goes wrong in a cluster, as one host hears of it (spec M-23, M-24).
struct FailureEvent {
  enum class Kind {
    // Others wait for this host, which is stuck, late or silent. Nothing has
    // failed.
    kHostNamed,
    // Two hosts, which the message names, do not reach each other.
    kLinkCut,
    // What hosts did together; they stay usable.
    kCallFailed,
    // With everything in which it takes part.
    kHostLost,
    // Nothing that needs other hosts works any more.
    kCoordinatorLost,
  };
  Kind kind = Kind::kHostNamed;
  // Where it began; none: between two hosts, or with the coordinator.
  std::optional<LiveHost> host;
  // What waits end with; why the coordinator is lost, or has refused this host,
  // whose calls end with ABORTED then; OK: waits go on.
  absl::Status status;
  std::string message;  // one line
};

// Calls a function for every event of the host view of this process, while this
// object lives: one after the other, on a thread that belongs to listeners. So
// the function may wait, and make calls, other than those that hosts make
// together in one order. What it throws is logged. Whatever waits hears of
// failures without listeners, too: these are for those who do something about
// them. May be there before Initialize and after Shutdown. The destructor waits
// until the function has returned, unless it is called by it.
class FailureListener {
 public:
  explicit FailureListener(std::function<void(const FailureEvent&)> function);
  ~FailureListener();
  FailureListener(const FailureListener&) = delete;
  FailureListener& operator=(const FailureListener&) = delete;

 private:
  const std::shared_ptr<const std::function<void(const FailureEvent&)>>
      function_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_FAILURE_LISTENER_H_
