#ifndef LOCKSTEP_COORDINATOR_SERVICE_WORKER_REACTOR_H_
#define LOCKSTEP_COORDINATOR_SERVICE_WORKER_REACTOR_H_

#include <memory>
#include <string>

#include "coordinator/service/coordinator_service.h"
#include "proto/queued_call.h"
#include "proto/write_queue.h"

namespace lockstep::internal {

// One stream of one worker. Deletes itself when it is over.
class WorkerReactor
    : public StreamReactor<proto::WorkerMessage, proto::CoordinatorMessage>,
      public WorkerSession::Stream {
 public:
  WorkerReactor(CoordinatorService* service, std::unique_ptr<Call> call);

  void Send(proto::CoordinatorMessage message) override;
  void End(const absl::Status& status) override;

 private:
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override { writes_.OnWriteDone(ok); }
  void OnDone() override { delete this; }
  bool TakeHello();

  CoordinatorService* const service_;
  const std::string peer_;
  std::shared_ptr<WorkerSession> session_;  // after hello
  proto::WorkerMessage message_;
  WriteQueue<WorkerReactor, proto::CoordinatorMessage> writes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVICE_WORKER_REACTOR_H_
