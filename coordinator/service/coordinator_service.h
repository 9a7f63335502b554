#ifndef LOCKSTEP_COORDINATOR_SERVICE_COORDINATOR_SERVICE_H_
#define LOCKSTEP_COORDINATOR_SERVICE_COORDINATOR_SERVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "coordinator/coordinator.h"
#include "coordinator/service/roster_publisher.h"
#include "coordinator/service/worker_session.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/security/admission.h"

namespace lockstep {

// The coordinator over gRPC. Holds no state of the cluster, only which streams
// belong to which workers and clients. Carries out what the caller's role
// allows (proto/security/role.h). Thread-safe.
class CoordinatorService
    : public proto::Coordinator::WithRawCallbackMethod_FetchRoster<
          proto::Coordinator::CallbackService> {
 public:
  // `coordinator` outlives this. `on_shutdown` is called, once, when a
  // requested shutdown is over.
  CoordinatorService(Coordinator* coordinator, Admission admission,
                     std::function<void()> on_shutdown);

  // The address that Status reports.
  void set_address(std::string address) { address_ = std::move(address); }

  // The session of an incarnation that says hello. FAILED_PRECONDITION: it
  // has talked to us before, by `confirmed`, but we do not know it.
  absl::StatusOr<std::shared_ptr<WorkerSession>> FindSession(
      const proto::WorkerMessage& hello, const std::string& peer);
  Coordinator& coordinator() { return *coordinator_; }
  RosterPublisher& rosters() { return rosters_; }

  grpc::ServerBidiReactor<proto::WorkerMessage, proto::CoordinatorMessage>*
  Connect(grpc::CallbackServerContext* context) override;
  grpc::ServerBidiReactor<proto::ClientMessage, proto::ClientEvent>* OpenClient(
      grpc::CallbackServerContext* context) override;
  // The request has nothing to say, and the reply is the same bytes for all.
  grpc::ServerUnaryReactor* FetchRoster(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* reply) override;
  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const proto::GetStatusRequest* request,
                                      proto::ClusterStatus* reply) override;
  grpc::ServerUnaryReactor* Shutdown(grpc::CallbackServerContext* context,
                                     const proto::ShutdownRequest* request,
                                     proto::ShutdownReply* reply) override;

 private:
  Coordinator* const coordinator_;
  const Admission admission_;
  const std::function<void()> on_shutdown_;
  std::string address_;
  RosterPublisher rosters_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Incarnation, std::shared_ptr<WorkerSession>> sessions_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_COORDINATOR_SERVICE_COORDINATOR_SERVICE_H_
