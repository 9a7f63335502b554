#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_STREAM_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_STREAM_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/lockstep/coordinator.pb.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// One connection to the coordinator, until it breaks. One thread reads, one
// writes, any may cancel.
class CoordinatorStream {
 public:
  using OnMessage = std::function<void(proto::CoordinatorMessage)>;

  virtual ~CoordinatorStream() = default;
  // False: the stream has ended; Finish tells why.
  virtual bool Write(const proto::WorkerMessage& message) = 0;
  virtual bool Read(proto::CoordinatorMessage* message) = 0;
  // In the place of further Reads, until the stream ends. Messages come one at
  // a time, mostly on the thread that received them: `on_message` must not
  // wait for other messages.
  virtual void Deliver(OnMessage on_message) = 0;
  // After Read has returned false or Deliver has returned, and no Write is in
  // progress.
  virtual absl::Status Finish() = 0;
  // The whole roster, without secrets. Any thread.
  virtual absl::StatusOr<proto::RosterUpdate> FetchRoster(
      absl::Time deadline) = 0;
  // Makes Read and Write return false, Deliver return, and FetchRoster fail.
  virtual void Cancel() = 0;

  // Does not wait for the connection: the first Write or Read does.
  static std::unique_ptr<CoordinatorStream> Open(
      const std::string& address, const Credentials& credentials);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_STREAM_H_
