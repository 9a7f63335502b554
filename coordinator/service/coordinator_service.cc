#include "coordinator/service/coordinator_service.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/service/client_reactor.h"
#include "coordinator/service/worker_reactor.h"
#include "proto/convert.h"
#include "proto/convert_arrays.h"
#include "proto/refusing_reactor.h"
#include "proto/server.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
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

// Ends a stream whose caller may not open it.
template <typename Request, typename Reply>
void Refuse(std::unique_ptr<StreamCall<Request, Reply>> call,
            const absl::Status& why) {
  new RefusingReactor<StreamReactor<Request, Reply>>(why, std::move(call));
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

void CoordinatorService::Serve(CallQueues* queues) {
  ServeCalls<WorkerCall>(
      queues, &methods_, &Methods::RequestConnect,
      [this](std::unique_ptr<WorkerCall> call) { Connect(std::move(call)); });
  ServeCalls<ClientCall>(queues, &methods_, &Methods::RequestOpenClient,
                         [this](std::unique_ptr<ClientCall> call) {
                           OpenClient(std::move(call));
                         });
  ServeCalls<RosterCall>(queues, &methods_, &Methods::RequestFetchRoster,
                         [this](std::unique_ptr<RosterCall> call) {
                           const absl::Status status = FetchRoster(*call);
                           call.release()->Finish(status);
                         });
  ServeCalls<NameArrayCall>(queues, &methods_, &Methods::RequestNameArray,
                            [this](std::unique_ptr<NameArrayCall> call) {
                              NameArray(call.release());
                            });
  ServeCalls<FindArrayCall>(queues, &methods_, &Methods::RequestFindArray,
                            [this](std::unique_ptr<FindArrayCall> call) {
                              FindArray(call.release());
                            });
  ServeCalls<RemoveArrayCall>(queues, &methods_, &Methods::RequestRemoveArray,
                              [this](std::unique_ptr<RemoveArrayCall> call) {
                                RemoveArray(call.release());
                              });
  ServeCalls<ListArraysCall>(queues, &methods_, &Methods::RequestListArrays,
                             [this](std::unique_ptr<ListArraysCall> call) {
                               const absl::Status status = ListArrays(*call);
                               call.release()->Finish(status);
                             });
  ServeCalls<StatusCall>(queues, &methods_, &Methods::RequestGetStatus,
                         [this](std::unique_ptr<StatusCall> call) {
                           const absl::Status status = GetStatus(*call);
                           call.release()->Finish(status);
                         });
  ServeCalls<PreemptionCall>(queues, &methods_,
                             &Methods::RequestNoticePreemption,
                             [this](std::unique_ptr<PreemptionCall> call) {
                               NoticePreemption(call.release());
                             });
  ServeCalls<ShutdownCall>(
      queues, &methods_, &Methods::RequestShutdown,
      [this](std::unique_ptr<ShutdownCall> call) { Shutdown(call.release()); });
}

void CoordinatorService::Connect(std::unique_ptr<WorkerCall> call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/Connect", call->context);
  if (!admitted.ok()) return Refuse(std::move(call), admitted);
  new WorkerReactor(this, std::move(call));
}

void CoordinatorService::OpenClient(std::unique_ptr<ClientCall> call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/OpenClient", call->context);
  if (!admitted.ok()) return Refuse(std::move(call), admitted);
  new ClientReactor(coordinator_, &rosters_, std::move(call));
}

absl::Status CoordinatorService::FetchRoster(RosterCall& call) {
  RETURN_IF_ERROR(Admit(admission_, "Coordinator/FetchRoster", call.context));
  const std::shared_ptr<const Roster> roster = coordinator_->roster();
  if (roster == nullptr) {
    return absl::FailedPreconditionError("the cluster is not complete");
  }
  call.reply = rosters_.Whole(roster);
  return absl::OkStatus();
}

void CoordinatorService::NameArray(NameArrayCall* call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/NameArray", call->context);
  if (!admitted.ok()) return call->Finish(admitted);
  absl::StatusOr<ArrayDescription> array = FromProto(call->request.array());
  if (!array.ok()) return call->Finish(array.status());
  ArrayNaming naming{call->request.name(),
                     FromProto(call->request.handle()),
                     *std::move(array),
                     {},
                     call->request.replaces()};
  for (uint64_t life : call->request.lives()) naming.lives.emplace_back(life);
  coordinator_->NameArray(
      std::move(naming),
      [call](absl::StatusOr<Nothing> done) { call->Finish(done.status()); });
}

void CoordinatorService::FindArray(FindArrayCall* call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/FindArray", call->context);
  if (!admitted.ok()) return call->Finish(admitted);
  coordinator_->FindArray(call->request.name(),
                          FromProto(call->request.handle()),
                          [call](absl::StatusOr<NamedArray> found) {
                            if (found.ok()) call->reply = ToProto(*found);
                            call->Finish(found.status());
                          });
}

void CoordinatorService::RemoveArray(RemoveArrayCall* call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/RemoveArray", call->context);
  if (!admitted.ok()) return call->Finish(admitted);
  coordinator_->RemoveArray(
      call->request.name(),
      [call](absl::StatusOr<Nothing> done) { call->Finish(done.status()); });
}

absl::Status CoordinatorService::ListArrays(ListArraysCall& call) {
  RETURN_IF_ERROR(Admit(admission_, "Coordinator/ListArrays", call.context));
  const ArrayList list = coordinator_->ListArrays();
  for (const auto& [number, array] : list.names) {
    proto::ArrayList::Name* name = call.reply.add_names();
    name->set_number(number);
    *name->mutable_array() = ToProto(array);
  }
  for (const auto& [id, name] : list.clients) {
    proto::ArrayList::Client* client = call.reply.add_clients();
    client->set_id(id.value());
    client->set_name(name);
  }
  for (const ArrayList::Host& host : list.hosts) {
    proto::ArrayList::Host* next = call.reply.add_hosts();
    *next->mutable_host() = ToProto(host.host);
    next->set_service_address(host.service_address);
  }
  return absl::OkStatus();
}

absl::Status CoordinatorService::GetStatus(StatusCall& call) {
  RETURN_IF_ERROR(Admit(admission_, "Coordinator/GetStatus", call.context));
  const ClusterStatus status = coordinator_->Status();
  proto::ClusterStatus& reply = call.reply;
  reply.set_cluster_id(status.cluster_id);
  reply.set_epoch(status.epoch.value());
  reply.set_address(address_);
  reply.set_pid(getpid());
  reply.set_is_formed(status.is_formed);
  reply.set_expected_hosts(status.expected_hosts);
  reply.set_client_count(status.client_count);
  for (const std::string& notice : status.notices) reply.add_notices(notice);
  for (const HostStatus& host : status.hosts) Fill(host, *reply.add_hosts());
  return absl::OkStatus();
}

void CoordinatorService::NoticePreemption(PreemptionCall* call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/NoticePreemption", call->context);
  if (!admitted.ok()) return call->Finish(admitted);
  coordinator_->RequestPreemption(
      call->request.host(), absl::Milliseconds(call->request.timeout_ms()),
      [call](absl::StatusOr<int64_t> sync_step) {
        if (sync_step.ok()) call->reply.set_sync_step(*sync_step);
        call->Finish(sync_step.status());
      });
}

void CoordinatorService::Shutdown(ShutdownCall* call) {
  absl::Status admitted =
      Admit(admission_, "Coordinator/Shutdown", call->context);
  if (!admitted.ok()) return call->Finish(admitted);
  coordinator_->Shutdown(call->request.reason(),
                         [this, call](absl::StatusOr<Nothing> result) {
                           call->Finish(result.status());
                           on_shutdown_();
                         });
}

}  // namespace lockstep::internal
