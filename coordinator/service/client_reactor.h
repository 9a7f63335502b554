#ifndef LOCKSTEP_COORDINATOR_SERVICE_CLIENT_REACTOR_H_
#define LOCKSTEP_COORDINATOR_SERVICE_CLIENT_REACTOR_H_

#include <deque>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/service/coordinator_service.h"
#include "coordinator/service/roster_publisher.h"
#include "proto/queued_call.h"
#include "proto/write_queue.h"

namespace lockstep::internal {

// The stream of one client of the global view: its commands, and what it hears.
// Deletes itself when it is over.
class ClientReactor
    : public StreamReactor<proto::ClientMessage, proto::ClientEvent> {
 public:
  // Both outlive this.
  ClientReactor(Coordinator* coordinator, RosterPublisher* rosters,
                std::unique_ptr<Call> call);

 private:
  // What the coordinator holds; may outlive the stream.
  class Link : public ClientLink {
   public:
    Link(ClientReactor* reactor, RosterPublisher* rosters)
        : rosters_(rosters), reactor_(reactor) {}
    // The first event; those before it follow.
    void Open(ClientId client);
    void Detach();

    void PushLaunchFailed(const LaunchProgram& launch,
                          const absl::Status& status) override;
    void PushPlaced(int64_t count) override;
    void PushRoster(const std::shared_ptr<const Roster>& roster) override;
    void PushFailure(const Failure& failure) override;
    void PushNotice(absl::string_view line) override;
    void PushShutdown(absl::string_view reason) override;

   private:
    void Send(proto::ClientEvent event);

    RosterPublisher* const rosters_;
    std::shared_ptr<const Roster> roster_;  // the latest that was pushed
    absl::Mutex mutex_;
    ClientReactor* reactor_ ABSL_GUARDED_BY(mutex_);
    bool is_open_ ABSL_GUARDED_BY(mutex_) = false;
    std::deque<proto::ClientEvent> early_ ABSL_GUARDED_BY(mutex_);
  };

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override { writes_.OnWriteDone(ok); }
  void OnDone() override { delete this; }
  bool Open();
  bool Handle();
  // No message follows.
  void Close();

  Coordinator* const coordinator_;
  RosterPublisher* const rosters_;
  WriteQueue<ClientReactor, proto::ClientEvent> writes_;
  // Of the one callback for reading that runs at a time.
  proto::ClientMessage message_;
  ClientId client_;  // after the hello
  absl::Mutex mutex_;
  std::shared_ptr<Link> link_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVICE_CLIENT_REACTOR_H_
