#include "coordinator/service/client_reactor.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/convert_commands.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {

ClientReactor::ClientReactor(Coordinator* coordinator, RosterPublisher* rosters,
                             std::unique_ptr<Call> call)
    : StreamReactor(std::move(call)),
      coordinator_(coordinator),
      rosters_(rosters),
      writes_(this) {
  StartRead(&message_);
}

void ClientReactor::OnReadDone(bool ok) {
  if (!ok || !Handle()) {
    Close();
    writes_.End(absl::OkStatus());
    return;
  }
  message_.Clear();
  StartRead(&message_);
}

bool ClientReactor::Open() {
  if (!message_.has_hello()) {
    writes_.End(absl::InvalidArgumentError(
        "expected a hello as the first message of a client"));
    return false;
  }
  const proto::ClientHello& hello = message_.hello();
  if (hello.protocol() != kProtocolVersion) {
    writes_.End(absl::FailedPreconditionError(
        absl::StrCat("client '", hello.name(), "' speaks protocol ",
                     hello.protocol(), ", the coordinator ", kProtocolVersion,
                     ": expected the same version of lockstep")));
    return false;
  }
  auto link = std::make_shared<Link>(this, rosters_);
  client_ = coordinator_->OpenClient(hello.name(), link);
  link->Open(client_);
  absl::MutexLock lock(&mutex_);
  link_ = std::move(link);
  return true;
}

bool ClientReactor::Handle() {
  if (client_ == ClientId() && !Open()) return false;
  std::vector<LaunchOrder::Action> actions;
  for (const proto::Command& message : message_.commands()) {
    absl::StatusOr<Command> command = FromProto(message);
    if (!command.ok()) {
      writes_.End(command.status());
      return false;
    }
    actions.push_back(std::move(command->action));
  }
  if (!actions.empty()) coordinator_->SubmitAll(client_, std::move(actions));
  return true;
}

void ClientReactor::Close() {
  std::shared_ptr<Link> link;
  {
    absl::MutexLock lock(&mutex_);
    link = std::move(link_);
  }
  // Detached before the coordinator forgets the client: what it pushes
  // meanwhile must not reach a stream that ends.
  if (link != nullptr) link->Detach();
  if (client_ != ClientId()) coordinator_->CloseClient(client_);
}

void ClientReactor::Link::Open(ClientId client) {
  absl::MutexLock lock(&mutex_);
  proto::ClientEvent opened;
  opened.mutable_opened()->set_client(client.value());
  reactor_->writes_.Send(std::move(opened));
  is_open_ = true;
  // Pushed since the coordinator knows the client, before it knew its own id.
  for (proto::ClientEvent& event : early_) {
    reactor_->writes_.Send(std::move(event));
  }
  early_.clear();
}

void ClientReactor::Link::Detach() {
  absl::MutexLock lock(&mutex_);
  reactor_ = nullptr;
}

void ClientReactor::Link::Send(proto::ClientEvent event) {
  absl::MutexLock lock(&mutex_);
  if (reactor_ == nullptr) return;
  if (is_open_) {
    reactor_->writes_.Send(std::move(event));
  } else {
    early_.push_back(std::move(event));
  }
}

void ClientReactor::Link::PushLaunchFailed(const LaunchProgram& launch,
                                           const absl::Status& status) {
  proto::ClientEvent event;
  *event.mutable_launch_failed()->mutable_launch() = ToProto(launch);
  *event.mutable_launch_failed()->mutable_status() = ToProto(status);
  Send(std::move(event));
}

void ClientReactor::Link::PushPlaced(int64_t count) {
  proto::ClientEvent event;
  event.set_commands_placed(count);
  Send(std::move(event));
}

void ClientReactor::Link::PushRoster(
    const std::shared_ptr<const Roster>& roster) {
  proto::ClientEvent event;
  *event.mutable_roster() = rosters_->NewsOf(roster, roster_);
  roster_ = roster;
  Send(std::move(event));
}

void ClientReactor::Link::PushFailure(const Failure& failure) {
  proto::ClientEvent event;
  *event.mutable_failure() = ToProto(failure);
  Send(std::move(event));
}

void ClientReactor::Link::PushNotice(absl::string_view line) {
  proto::ClientEvent event;
  event.mutable_notice()->set_message(std::string(line));
  Send(std::move(event));
}

void ClientReactor::Link::PushShutdown(absl::string_view reason) {
  proto::ClientEvent event;
  event.set_shutdown(std::string(reason));
  Send(std::move(event));
}

}  // namespace lockstep::internal
