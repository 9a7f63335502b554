#ifndef LOCKSTEP_COORDINATOR_SERVICE_WORKER_SESSION_H_
#define LOCKSTEP_COORDINATOR_SERVICE_WORKER_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/coordinator.h"
#include "coordinator/service/roster_publisher.h"
#include "proto/lockstep/coordinator.pb.h"
#include "proto/message_log.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// One incarnation of a worker as the service sees it, over all its streams:
// turns messages into calls of the coordinator, and answers and pushes into
// messages, which are kept until the worker has confirmed them. Thread-safe.
class WorkerSession : public WorkerLink,
                      public std::enable_shared_from_this<WorkerSession> {
 public:
  // The present stream. Called with the session's lock held: must not call
  // back.
  class Stream {
   public:
    virtual ~Stream() = default;
    virtual void Send(proto::CoordinatorMessage message) = 0;
    // After what was sent before.
    virtual void End(const absl::Status& status) = 0;
  };

  // `coordinator` and `rosters` outlive this. `on_closed` is called when the
  // coordinator has ended with the incarnation.
  WorkerSession(Coordinator* coordinator, RosterPublisher* rosters,
                Incarnation incarnation, std::string peer,
                std::function<void()> on_closed);

  // From here on messages go to `stream`, first the roster, when the worker's
  // (of `roster_epoch`) is another, then what it has not confirmed. A stream
  // before it is ended.
  void Attach(Stream* stream, uint64_t confirmed, Epoch roster_epoch);
  // `stream` has broken. No effect when it is not the present one.
  void Detach(Stream* stream);
  void OnMessage(const proto::WorkerMessage& message);

  // WorkerLink.
  void PushRoster(const std::shared_ptr<const Roster>& roster) override;
  void PushFailure(const Failure& failure) override;
  void PushNotice(absl::string_view line,
                  const std::optional<HostRef>& host) override;
  void PushCutLinks(const std::vector<CutLink>& links) override;
  void PushCommands(const std::vector<Command>& commands) override;
  void PushPreemption(int64_t agreement) override;
  void PushPreemptionOutcome(const PreemptionOutcome& outcome) override;
  void PushShutdown(absl::string_view reason) override;
  void Close(const absl::Status& why) override;

 private:
  void Send(proto::CoordinatorMessage message);
  void ConfirmReceived();
  void SendRoster(const std::shared_ptr<const Roster>& known)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Handle(const proto::WorkerMessage& message);
  void HandleRendezvous(const proto::WorkerMessage& message,
                        absl::Duration timeout);
  void HandleKeyValue(uint64_t id, const proto::KeyValueRequest& request,
                      absl::Duration timeout);
  void HandleCancel(uint64_t id);
  void OnCancel(uint64_t id, std::function<void()> cancel);
  // Answers request `id`: an error, or what `fill` makes of the value.
  template <typename T>
  Done<T> Reply(uint64_t id,
                std::function<void(const T&, proto::CoordinatorMessage&)> fill);
  Done<Nothing> ReplyDone(uint64_t id);

  Coordinator* const coordinator_;
  RosterPublisher* const rosters_;
  const Incarnation incarnation_;
  const std::string peer_;
  const std::function<void()> on_closed_;

  std::atomic<bool> has_asked_to_join_ = false;
  absl::Mutex mutex_;
  Stream* stream_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  MessageLog<proto::CoordinatorMessage> log_ ABSL_GUARDED_BY(mutex_);
  ReceivedMessages received_ ABSL_GUARDED_BY(mutex_);
  uint64_t confirmed_ ABSL_GUARDED_BY(mutex_) = 0;  // what the worker knows
  // State, not an event: kept here and not in the log, which would hold a copy
  // of each for each worker. The latest that was pushed, or null.
  std::shared_ptr<const Roster> roster_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uint64_t, std::function<void()>> cancels_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVICE_WORKER_SESSION_H_
