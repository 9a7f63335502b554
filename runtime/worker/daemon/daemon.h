#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_DAEMON_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_DAEMON_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/worker/control_plane.h"
#include "runtime/worker/session/session_options.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// A worker of the global view: a process that serves one host, carrying out
// what clients ask for through the coordinator, until the cluster ends.
class WorkerDaemon {
 public:
  struct Options {
    Worker::Options worker;
    SessionOptions session;
    // The network interface, or the address of one, by which other hosts and
    // clients reach this one; "": the one that leads to the coordinator.
    std::string interface;
    // Where clients bring and fetch data, host:port; port 0 takes a free one.
    // "": at the address of that interface.
    std::string service_address;
    // In which clients may save and restore checkpoints; "": in no folder.
    std::string checkpoint_directory;
    // Whether it may listen there; null: anywhere.
    std::function<absl::Status(const std::string& address)> check_address;
    // Lines for people: who is missing, who is waited for. Any thread.
    std::function<void(absl::string_view line)> on_notice;
  };

  // Listens, joins, and waits for the expected hosts. Further errors are those
  // of FindHostAddress.
  static absl::StatusOr<std::unique_ptr<WorkerDaemon>> Start(Options options);
  // Leaves at once when Run has not.
  virtual ~WorkerDaemon() = default;

  virtual Worker& worker() = 0;
  virtual const std::string& service_address() const = 0;

  // Until the cluster is shut down (OK), Stop is called (OK), or the
  // coordinator is lost (UNAVAILABLE, or why it refused this worker). Leaves
  // the cluster before it returns; after Stop without waiting for the others,
  // whose launches with this host fail.
  virtual absl::Status Run() = 0;
  // Makes Run return. Thread-safe.
  virtual void Stop() = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_DAEMON_H_
