#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_CONNECTION_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_CONNECTION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "proto/lockstep/coordinator.pb.h"
#include "proto/message_log.h"
#include "runtime/mesh/ids.h"
#include "runtime/worker/session/coordinator_stream.h"
#include "runtime/worker/session/session_options.h"

namespace lockstep::internal {

// Keeps one incarnation connected to the coordinator: opens a stream, and when
// it breaks another one, on which everything that is not confirmed is sent
// again. Messages arrive in order, once. Owns a thread that connects and one
// that writes. Thread-safe.
class Connection {
 public:
  struct Callbacks {
    // A message of the coordinator, one at a time, before the stream is said to
    // be broken. Mostly on gRPC's thread, which must not be kept waiting.
    std::function<void(proto::CoordinatorMessage)> on_message;
    // The stream broke or is back. On the connecting thread.
    std::function<void(bool is_connected, const absl::Status& why)>
        on_connected;
    // The end: the coordinator refused us, or could not be reached for too
    // long. Once, on the connecting thread; nothing else follows.
    std::function<void(const absl::Status&)> on_lost;
    // Fills in the body of a progress report; false: nothing to report. On the
    // writing thread.
    std::function<bool(proto::WorkerMessage&)> progress;
    // Of the roster that is known; none: 0. On the connecting thread.
    std::function<Epoch()> roster_epoch;
  };

  Connection(const SessionOptions& options, std::string worker_name,
             Incarnation incarnation, Callbacks callbacks);
  // Stops at once; unsent messages are dropped.
  ~Connection();

  void Send(proto::WorkerMessage message);
  // For how long it keeps trying while the coordinator is not reached.
  void SetPatience(absl::Duration patience);
  // The cluster's, once it is known.
  void SetReportInterval(absl::Duration interval);
  bool is_connected() const;
  // The present roster, whole, over the present stream. UNAVAILABLE: there is
  // none; the next one brings the news of the roster again.
  absl::StatusOr<proto::RosterUpdate> FetchRoster();

 private:
  void ConnectLoop();
  // One stream, from hello to its end; why it ended, and whether the
  // coordinator had answered.
  absl::Status RunStream(bool& was_greeted);
  bool Greet(CoordinatorStream& stream, proto::CoordinatorMessage& reply);
  void Take(proto::CoordinatorMessage message);
  void TakeStream(std::shared_ptr<CoordinatorStream> stream);
  void DropStream();
  void WriteLoop();
  // Waits for something to write; false at the end.
  bool NextMessage(proto::WorkerMessage& message, CoordinatorStream*& stream);
  // Whether to try again after `status`.
  bool ShouldRetry(const absl::Status& status, absl::Time broken_since);
  absl::Status LostStatus(const absl::Status& last, absl::Time since) const;

  const SessionOptions options_;
  const std::string worker_name_;
  const Incarnation incarnation_;
  const Callbacks callbacks_;

  mutable absl::Mutex mutex_;
  absl::Duration patience_ ABSL_GUARDED_BY(mutex_);
  absl::Duration report_interval_ ABSL_GUARDED_BY(mutex_);
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // The attempt in progress, for the destructor to cancel.
  CoordinatorStream* opening_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // Greeted, ready to write to; null: none.
  std::shared_ptr<CoordinatorStream> stream_ ABSL_GUARDED_BY(mutex_);
  bool is_writing_ ABSL_GUARDED_BY(mutex_) = false;
  MessageLog<proto::WorkerMessage> log_ ABSL_GUARDED_BY(mutex_);
  uint64_t sent_ ABSL_GUARDED_BY(mutex_) = 0;  // on the present stream
  absl::Time next_report_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  ReceivedMessages received_ ABSL_GUARDED_BY(mutex_);

  std::thread connector_;
  std::thread writer_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_CONNECTION_H_
