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
#include "proto/call_queues.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/queued_call.h"
#include "proto/security/admission.h"

namespace lockstep::internal {

// The coordinator over gRPC. Holds no state of the cluster, only which streams
// belong to which workers and clients. Carries out what the caller's role
// allows (proto/security/role.h). Thread-safe.
class CoordinatorService {
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

  // For StartServer.
  grpc::Service* service() { return &methods_; }
  void Serve(CallQueues* queues);

 private:
  // The roster is the same bytes for all who ask for it.
  using Methods = proto::Coordinator::WithRawMethod_FetchRoster<
      proto::Coordinator::AsyncService>;
  using WorkerCall =
      StreamCall<proto::WorkerMessage, proto::CoordinatorMessage>;
  using ClientCall = StreamCall<proto::ClientMessage, proto::ClientEvent>;
  using RosterCall = UnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>;
  using NameArrayCall =
      UnaryCall<proto::NameArrayRequest, proto::NameArrayReply>;
  using FindArrayCall = UnaryCall<proto::FindArrayRequest, proto::NamedArray>;
  using RemoveArrayCall =
      UnaryCall<proto::RemoveArrayRequest, proto::RemoveArrayReply>;
  using ListArraysCall = UnaryCall<proto::ListArraysRequest, proto::ArrayList>;
  using StatusCall = UnaryCall<proto::GetStatusRequest, proto::ClusterStatus>;
  using PreemptionCall =
      UnaryCall<proto::PreemptionRequest, proto::PreemptionReply>;
  using ShutdownCall = UnaryCall<proto::ShutdownRequest, proto::ShutdownReply>;

  void Connect(std::unique_ptr<WorkerCall> call);
  void OpenClient(std::unique_ptr<ClientCall> call);
  absl::Status FetchRoster(RosterCall& call);
  void NameArray(NameArrayCall* call);
  void FindArray(FindArrayCall* call);
  void RemoveArray(RemoveArrayCall* call);
  absl::Status ListArrays(ListArraysCall& call);
  absl::Status GetStatus(StatusCall& call);
  void NoticePreemption(PreemptionCall* call);
  void Shutdown(ShutdownCall* call);

  Methods methods_;
  Coordinator* const coordinator_;
  const Admission admission_;
  const std::function<void()> on_shutdown_;
  std::string address_;
  RosterPublisher rosters_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Incarnation, std::shared_ptr<WorkerSession>> sessions_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVICE_COORDINATOR_SERVICE_H_
