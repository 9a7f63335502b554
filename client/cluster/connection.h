#ifndef LOCKSTEP_CLIENT_CLUSTER_CONNECTION_H_
#define LOCKSTEP_CLIENT_CLUSTER_CONNECTION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/cluster/array_table.h"
#include "proto/security/credentials.h"
#include "runtime/base/cancellation.h"
#include "runtime/cluster/array_description.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/roster.h"

namespace lockstep::internal {

// A client's side of the coordinator in the global view. Thread-safe.
class ClusterConnection {
 public:
  struct Options {
    std::string address;          // host:port of the coordinator
    Credentials credentials;      // of workers too
    std::string name = "client";  // for `lockstep status`
    // How long to wait for the coordinator and for a complete cluster.
    absl::Duration connect_deadline = absl::Seconds(30);
    // Lines for people: who is missing, who is waited for. Any thread.
    std::function<void(absl::string_view line)> on_notice;
    // Whether large arrays are copied to and from the memory of workers on this
    // machine.
    bool uses_memory = true;
  };

  // UNAVAILABLE names the address; DEADLINE_EXCEEDED who is missing.
  static absl::StatusOr<std::unique_ptr<ClusterConnection>> Open(
      Options options);

  // Ends the life of the client's programs and arrays on all hosts.
  virtual ~ClusterConnection() = default;

  // What workers are called with too.
  virtual const Credentials& credentials() const = 0;
  // The latest membership: another object with every change.
  virtual std::shared_ptr<const Roster> roster() const = 0;
  // Whether the host is lost, of which the roster may tell later.
  virtual bool IsLost(Incarnation incarnation) const = 0;
  // Changes when a host comes back in another life.
  virtual uint64_t lives() const = 0;
  virtual ClientId client() const = 0;
  virtual bool uses_memory() const = 0;
  virtual ClientHandle NewHandle() = 0;

  // Queues a command and returns; commands keep their order. When one is
  // refused, or a launch fails on the way, its results fail with the reason.
  virtual void Submit(Command command) = 0;

  // Calls to the coordinator about arrays with names (proto NameArray and so
  // on), whose errors they give; UNAVAILABLE and DEADLINE_EXCEEDED name its
  // address.
  virtual absl::Status NameArray(const ArrayNaming& naming) = 0;
  virtual absl::StatusOr<NamedArray> FindArray(const std::string& name,
                                               ArrayHandle handle) = 0;
  virtual absl::Status RemoveArray(const std::string& name) = 0;
  virtual absl::StatusOr<std::vector<NamedArray>> NamedArrays() = 0;

  // The client's arrays; they fail when the connection is lost, too.
  virtual ArrayTable& arrays() = 0;
  // Cancelled when that life of the host ends, and when the connection is lost.
  virtual std::shared_ptr<CancellationToken> WatchHost(
      Incarnation incarnation) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_CONNECTION_H_
