#ifndef LOCKSTEP_COORDINATOR_SERVER_H_
#define LOCKSTEP_COORDINATOR_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/base/options.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// A running coordinator: the state machine, its clock tick and its gRPC edge.
// Thread-safe.
class CoordinatorServer {
 public:
  struct Options {
    // host:port; port 0 takes a free one.
    std::string address = "127.0.0.1:0";
    CoordinatorOptions coordinator;
    Credentials credentials;
    absl::Duration tick = absl::Milliseconds(100);
    // Shuts down when no host has been there for so long: for a coordinator
    // that nobody else would end. Counts from the last host that was there;
    // before the first one from the start, or from when it is not awaited.
    absl::Duration ends_when_empty_for = absl::InfiniteDuration();
    // Whether the first host may still come, for at most the join deadline. One
    // that starts up for longer than ends_when_empty_for finds the coordinator
    // then. Asked at each tick, by a thread of the coordinator; none: no.
    std::function<bool()> awaits_first_host;
  };

  // UNAVAILABLE names the address when it cannot be bound. Further errors are
  // those of StartServer.
  static absl::StatusOr<std::unique_ptr<CoordinatorServer>> Start(
      Options options);
  // Stops listening; streams are ended.
  virtual ~CoordinatorServer() = default;

  // host:port with the port that was taken.
  virtual const std::string& address() const = 0;
  // The same as a client's Shutdown call, without waiting.
  virtual void RequestShutdown(const std::string& reason) = 0;
  // The same when no host is there. Else it ends after the last of them, by
  // ends_when_empty_for.
  virtual void RequestEndAfterHosts(const std::string& reason) = 0;
  // Until a requested shutdown is over.
  virtual void AwaitShutdown() = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVER_H_
