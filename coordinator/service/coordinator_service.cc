#include "coordinator/service/coordinator_service.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/service/client_reactor.h"
#include "coordinator/service/worker_reactor.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "proto/refusing_reactor.h"
#include "proto/server.h"

namespace lockstep {
namespace {

void Fill(const HostStatus& host, proto::HostStatus& message) {
  message.set_host_id(host.id.value());
  message.set_name(host.name);
  message.set_pid(host.pid);
  message.set_address(host.address);
  message.set_incarnation(host.incarnation.value());
  message.set_state(host.state);
  message.set_state_reason(host.state_reason);
  for (GlobalDeviceId device : host.devices) {
    message.add_devices(device.value());
  }
  message.set_program(host.program);
  message.set_launch(host.launch);
  message.set_collective(host.collective);
  message.set_last_progress_s(absl::ToDoubleSeconds(host.since_report));
  message.set_activity(host.activity);
}

grpc::ServerUnaryReactor* Finish(grpc::CallbackServerContext* context,
                                 const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

}  // namespace

CoordinatorService::CoordinatorService(Coordinator* coordinator,
                                       Admission admission,
                                       std::function<void()> on_shutdown)
    : coordinator_(coordinator),
      admission_(std::move(admission)),
      on_shutdown_(std::move(on_shutdown)) {}

absl::StatusOr<std::shared_ptr<WorkerSession>> CoordinatorService::FindSession(
    const proto::WorkerMessage& hello, const std::string& peer) {
  const Incarnation incarnation(hello.hello().incarnation());
  absl::MutexLock lock(&mutex_);
  auto it = sessions_.find(incarnation);
  if (it != sessions_.end()) return it->second;
  if (hello.confirmed() > 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cluster ", coordinator_->cluster_id(), " does not know worker ",
        hello.hello().name(), " with incarnation ", ToString(incarnation),
        ": it has ended there, or belongs to another cluster"));
  }
  auto session = std::make_shared<WorkerSession>(
      coordinator_, &rosters_, incarnation, peer, [this, incarnation] {
        absl::MutexLock lock(&mutex_);
        sessions_.erase(incarnation);
      });
  sessions_.emplace(incarnation, session);
  return session;
}

grpc::ServerBidiReactor<proto::WorkerMessage, proto::CoordinatorMessage>*
CoordinatorService::Connect(grpc::CallbackServerContext* context) {
  absl::Status admitted = Admit(admission_, "Coordinator/Connect", *context);
  if (!admitted.ok()) {
    return new RefusingReactor<grpc::ServerBidiReactor<
        proto::WorkerMessage, proto::CoordinatorMessage>>(admitted);
  }
  return new WorkerReactor(this, context->peer());
}

grpc::ServerBidiReactor<proto::ClientMessage, proto::ClientEvent>*
CoordinatorService::OpenClient(grpc::CallbackServerContext* context) {
  absl::Status admitted = Admit(admission_, "Coordinator/OpenClient", *context);
  if (!admitted.ok()) {
    return new RefusingReactor<
        grpc::ServerBidiReactor<proto::ClientMessage, proto::ClientEvent>>(
        admitted);
  }
  return new ClientReactor(coordinator_, &rosters_);
}

grpc::ServerUnaryReactor* CoordinatorService::FetchRoster(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* reply) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/FetchRoster", *context);
  if (!admitted.ok()) return Finish(context, admitted);
  const std::shared_ptr<const Roster> roster = coordinator_->roster();
  if (roster == nullptr) {
    return Finish(context,
                  absl::FailedPreconditionError("the cluster is not complete"));
  }
  *reply = rosters_.Whole(roster);
  return Finish(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* CoordinatorService::GetStatus(
    grpc::CallbackServerContext* context,
    const proto::GetStatusRequest* request, proto::ClusterStatus* reply) {
  absl::Status admitted = Admit(admission_, "Coordinator/GetStatus", *context);
  if (!admitted.ok()) return Finish(context, admitted);
  const ClusterStatus status = coordinator_->Status();
  reply->set_cluster_id(status.cluster_id);
  reply->set_epoch(status.epoch.value());
  reply->set_address(address_);
  reply->set_pid(getpid());
  reply->set_is_formed(status.is_formed);
  reply->set_expected_hosts(status.expected_hosts);
  reply->set_client_count(status.client_count);
  for (const std::string& notice : status.notices) reply->add_notices(notice);
  for (const HostStatus& host : status.hosts) Fill(host, *reply->add_hosts());
  return Finish(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* CoordinatorService::Shutdown(
    grpc::CallbackServerContext* context, const proto::ShutdownRequest* request,
    proto::ShutdownReply* reply) {
  absl::Status admitted = Admit(admission_, "Coordinator/Shutdown", *context);
  if (!admitted.ok()) return Finish(context, admitted);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  coordinator_->Shutdown(request->reason(),
                         [this, reactor](absl::StatusOr<Nothing> result) {
                           reactor->Finish(ToGrpcStatus(result.status()));
                           on_shutdown_();
                         });
  return reactor;
}

}  // namespace lockstep
