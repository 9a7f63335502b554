#include "coordinator/service/worker_reactor.h"

#include <utility>

namespace lockstep::internal {

WorkerReactor::WorkerReactor(CoordinatorService* service,
                             std::unique_ptr<Call> call)
    : StreamReactor(std::move(call)),
      service_(service),
      peer_(context().peer()),
      writes_(this) {
  StartRead(&message_);
}

void WorkerReactor::Send(proto::CoordinatorMessage message) {
  writes_.Send(std::move(message));
}

void WorkerReactor::End(const absl::Status& status) { writes_.End(status); }

void WorkerReactor::OnReadDone(bool ok) {
  if (!ok) {
    if (session_ != nullptr) session_->Detach(this);
    writes_.End(absl::OkStatus());
    return;
  }
  if (session_ != nullptr) {
    session_->OnMessage(message_);
  } else if (!TakeHello()) {
    return;
  }
  message_.Clear();
  StartRead(&message_);
}

bool WorkerReactor::TakeHello() {
  if (!message_.has_hello()) {
    End(absl::InvalidArgumentError("expected a hello as the first message"));
    return false;
  }
  auto session = service_->FindSession(message_, peer_);
  if (!session.ok()) {
    End(session.status());
    return false;
  }
  session_ = *std::move(session);
  session_->Attach(this, message_.confirmed(),
                   Epoch(message_.hello().roster_epoch()));
  return true;
}

}  // namespace lockstep::internal
