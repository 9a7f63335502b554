#include "runtime/collectives/ucx/ucx_transport.h"

#include <utility>

#include "absl/synchronization/notification.h"
#include "runtime/base/status.h"
#include "runtime/collectives/ucx/ucx_engine.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<UcxTransport>> UcxTransport::Create(
    Options options) {
  ASSIGN_OR_RETURN(std::unique_ptr<UcxEngine> engine,
                   UcxEngine::Create(std::move(options)));
  return std::unique_ptr<UcxTransport>(new UcxTransport(std::move(engine)));
}

UcxTransport::UcxTransport(std::unique_ptr<UcxEngine> engine)
    : engine_(std::move(engine)) {}
UcxTransport::~UcxTransport() = default;

const std::string& UcxTransport::address() const { return engine_->address(); }

absl::Status UcxTransport::Start(HostId self, Incarnation incarnation,
                                 TransportHandler* handler) {
  engine_->Start(self, incarnation, handler);
  return absl::OkStatus();
}

void UcxTransport::SetSecrets(const std::vector<std::string>& secrets) {
  engine_->gate().SetSecrets(secrets);
}

absl::Status UcxTransport::SetPeers(const std::vector<TransportPeer>& peers) {
  struct Reply {
    absl::Notification done;
    absl::Status status;
  };
  auto reply = std::make_shared<Reply>();
  bool is_posted = engine_->Post([engine = engine_.get(), peers, reply] {
    reply->status = engine->SetPeers(peers);
    reply->done.Notify();
  });
  if (!is_posted) {
    return absl::FailedPreconditionError("the transport is stopped");
  }
  reply->done.WaitForNotification();
  return reply->status;
}

void UcxTransport::Send(HostId peer, std::string header,
                        std::shared_ptr<const MessageBuffer> payload) {
  engine_->SendInOrder(peer, std::move(header), std::move(payload));
}

void UcxTransport::SetPatience(absl::Duration patience) {
  engine_->SetPatience(patience);
}

bool UcxTransport::TryDrive(bool is_short) {
  return engine_->TryDrive(is_short);
}
bool UcxTransport::Step() { return engine_->Step(); }
void UcxTransport::Poll() { engine_->Poll(); }
void UcxTransport::StopDriving() { engine_->StopDriving(); }
void UcxTransport::Interrupt() {
  engine_->Post([] {});
}

std::vector<PeerLink> UcxTransport::Links() const { return engine_->Links(); }

void UcxTransport::Stop() { engine_->Stop(); }

}  // namespace lockstep::internal
