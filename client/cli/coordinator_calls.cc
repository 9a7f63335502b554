#include "client/cli/coordinator_calls.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "proto/channel.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "runtime/base/status.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<proto::Coordinator::Stub> Connect(
    const std::string& address, const Credentials& credentials) {
  return proto::Coordinator::NewStub(OpenChannel(address, credentials));
}

StatusReport::Host FromProto(const proto::HostStatus& message) {
  StatusReport::Host host;
  host.host_id = message.host_id();
  host.name = message.name();
  host.pid = message.pid();
  host.address = message.address();
  host.incarnation = ToString(Incarnation(message.incarnation()));
  host.state = message.state();
  host.state_reason = message.state_reason();
  host.devices.assign(message.devices().begin(), message.devices().end());
  host.program = message.program();
  host.launch = message.launch();
  host.collective = message.collective();
  host.last_progress_s = message.last_progress_s();
  host.activity = message.activity();
  return host;
}

}  // namespace

absl::Status CoordinatorError(const absl::Status& status,
                              const std::string& address,
                              const Credentials& credentials) {
  if (status.ok()) return status;
  return Annotate(ExplainFailure(address, credentials, status),
                  absl::StrCat("the coordinator at ", address));
}

absl::StatusOr<StatusReport> GetClusterStatus(const std::string& address,
                                              absl::Time deadline,
                                              const Credentials& credentials) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  proto::ClusterStatus message;
  RETURN_IF_ERROR(CoordinatorError(
      FromGrpcStatus(
          Connect(address, credentials)
              ->GetStatus(&context, proto::GetStatusRequest(), &message)),
      address, credentials));
  StatusReport report;
  report.address = message.address().empty() ? address : message.address();
  report.cluster_id = message.cluster_id();
  report.epoch = message.epoch();
  report.pid = message.pid();
  report.is_formed = message.is_formed();
  report.expected_hosts = message.expected_hosts();
  report.clients = message.client_count();
  report.notices.assign(message.notices().begin(), message.notices().end());
  for (const proto::HostStatus& host : message.hosts()) {
    report.hosts.push_back(FromProto(host));
  }
  return report;
}

absl::Status ShutDownCluster(const std::string& address,
                             absl::string_view reason, absl::Time deadline,
                             const Credentials& credentials) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  proto::ShutdownRequest request;
  request.set_reason(std::string(reason));
  proto::ShutdownReply reply;
  return CoordinatorError(
      FromGrpcStatus(
          Connect(address, credentials)->Shutdown(&context, request, &reply)),
      address, credentials);
}

absl::StatusOr<int64_t> NoticePreemption(const std::string& address,
                                         const std::string& host,
                                         absl::Duration timeout,
                                         absl::Time deadline,
                                         const Credentials& credentials) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  proto::PreemptionRequest request;
  request.set_host(host);
  request.set_timeout_ms(absl::ToInt64Milliseconds(timeout));
  proto::PreemptionReply reply;
  RETURN_IF_ERROR(CoordinatorError(
      FromGrpcStatus(Connect(address, credentials)
                         ->NoticePreemption(&context, request, &reply)),
      address, credentials));
  return reply.sync_step();
}

}  // namespace lockstep::internal
