#include "coordinator/service/client_reactor.h"

#include <utility>

#include "proto/convert.h"

namespace lockstep {

ClientReactor::ClientReactor(Coordinator* coordinator, const std::string& name)
    : coordinator_(coordinator),
      writes_(this),
      link_(std::make_shared<Link>(this)) {
  client_ = coordinator_->OpenClient(name, link_);
  link_->Open(client_);
}

void ClientReactor::OnCancel() {
  link_->Detach();
  coordinator_->CloseClient(client_);
  writes_.End(absl::CancelledError("the client is gone"));
}

void ClientReactor::Link::Open(ClientId client) {
  absl::MutexLock lock(&mutex_);
  proto::ClientEvent opened;
  opened.mutable_opened()->set_client(client.value());
  reactor_->writes_.Send(std::move(opened));
  is_open_ = true;
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

void ClientReactor::Link::PushRoster(const Roster& roster) {
  proto::ClientEvent event;
  *event.mutable_roster() = ToProto(roster);
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

}  // namespace lockstep
