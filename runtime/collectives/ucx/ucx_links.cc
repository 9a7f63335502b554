// The connections of UcxEngine: set up, watched, rebuilt.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/collectives/ucx/ucx_address.h"
#include "runtime/collectives/ucx/ucx_engine.h"
#include "runtime/collectives/ucx/ucx_status.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kTendInterval = absl::Milliseconds(100);
// A thread that was not run for longer has itself to blame for silence.
constexpr absl::Duration kLongestPause = absl::Seconds(1);
// Between attempts to connect, growing.
constexpr absl::Duration kFirstPause = absl::Milliseconds(20);
constexpr absl::Duration kLastPause = absl::Seconds(1);
constexpr absl::Duration kLongSilence = absl::Minutes(1);
// Longer than the system tries to connect: nothing is set up any more.
constexpr absl::Duration kConnectTime = absl::Seconds(150);

}  // namespace

absl::Status UcxEngine::CreateEndpoint(Peer& peer) {
  ASSIGN_OR_RETURN(absl::string_view address, OpenUcxAddress(peer.id.address));
  ucp_ep_params_t params = {};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                      UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = OnError;
  params.err_handler.arg = this;
  return FromUcx(ucp_ep_create(worker_->handle(), &params, &peer.endpoint),
                 "connect");
}

void UcxEngine::Connect(Peer& peer, absl::Time now) {
  peer.error = UCS_OK;
  peer.is_up = false;
  peer.connected_at = now;
  peer.pause = std::clamp(peer.pause * 2, kFirstPause, kLastPause);
  peer.next_attempt = now + peer.pause;
  if (absl::Status status = CreateEndpoint(peer); !status.ok()) {
    LogDebug(
        absl::StrCat("host ", peer.id.host.value(), ": ", StatusLine(status)));
    peer.endpoint = nullptr;
    return;
  }
  peer.connection = next_connection_++;
  if (peer.first_connection == 0) peer.first_connection = peer.connection;
  SendSign(peer);
}

void UcxEngine::SendUnconfirmed(Peer& peer) {
  uint64_t sequence = peer.outbound.first();
  for (const OutboundMessages::Message& message : peer.outbound.messages()) {
    SendFrame(peer, /*is_sign=*/false, sequence++, message.header,
              message.payload);
  }
}

void UcxEngine::OnError(void* arg, ucp_ep_h endpoint, ucs_status_t status) {
  UcxEngine* engine = static_cast<UcxEngine*>(arg);
  engine->broken_.push_back(endpoint);
  for (auto& [host, peer] : engine->peers_) {
    if (peer->endpoint != endpoint) continue;
    peer->error = status;
    engine->has_failures_ = true;
  }
}

void UcxEngine::Retire(Peer& peer) {
  if (peer.endpoint == nullptr) return;
  retired_[peer.endpoint] = absl::Now();
  peer.endpoint = nullptr;
  peer.is_up = false;
}

void UcxEngine::Close(ucp_ep_h endpoint) {
  ucp_request_param_t param = {};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_EP_CLOSE_FLAG_FORCE;
  ucs_status_ptr_t request = ucp_ep_close_nbx(endpoint, &param);
  if (UCS_PTR_IS_PTR(request)) closing_.push_back(request);
}

void UcxEngine::CloseRetired(absl::Time now) {
  for (const auto& [endpoint, since] : retired_) {
    if (now - since > kConnectTime) broken_.push_back(endpoint);
  }
  for (ucp_ep_h endpoint : std::exchange(broken_, {})) {
    if (retired_.erase(endpoint) > 0) Close(endpoint);
  }
  std::erase_if(closing_, [](ucs_status_ptr_t request) {
    const bool is_closed = ucp_request_check_status(request) != UCS_INPROGRESS;
    if (is_closed) ucp_request_free(request);
    return is_closed;
  });
}

bool UcxEngine::IsStale(const Peer& peer, absl::Time now) const {
  // It is given time to answer, and as much to be heard; and more after a long
  // silence, since attempts that come to nothing keep their sockets for
  // minutes.
  const bool is_hopeless = now - peer.last_heard > kLongSilence;
  if (now - peer.connected_at < options_.stale_after * (is_hopeless ? 5 : 1)) {
    return false;
  }
  return now - peer.last_heard >= options_.stale_after ||
         peer.deaf_for >= options_.stale_after;
}

void UcxEngine::TendLinks() {
  const absl::Time now = absl::Now();
  if (now - last_tended_ < kTendInterval && !has_failures_ &&
      unanswered_.empty() && newly_up_.empty()) {
    return;
  }
  for (const Source& source : std::exchange(unanswered_, {})) {
    if (Peer* peer = FindPeer(source)) SendSign(*peer);
  }
  for (const Source& source : std::exchange(newly_up_, {})) {
    Peer* peer = FindPeer(source);
    if (peer == nullptr || !peer->is_up) continue;
    peer->pause = absl::ZeroDuration();
    if (peer->connection != peer->first_connection) SendUnconfirmed(*peer);
  }
  const absl::Duration gap = now - last_tended_;
  if (last_tended_ != absl::InfinitePast() && gap > kLongestPause) {
    for (auto& [host, peer] : peers_) {
      peer->last_heard += gap;
      peer->connected_at += gap;
    }
  }
  last_tended_ = now;
  has_failures_ = false;
  for (auto& [host, peer] : peers_) TendLink(*peer, now);
  CloseRetired(now);
  PublishLinks(now);
  std::vector<Peer*> all;
  for (auto& [host, peer] : peers_) all.push_back(peer.get());
  for (Peer* peer : all) TellFailure(*peer, now);
}

void UcxEngine::TendLink(Peer& peer, absl::Time now) {
  if (peer.error != UCS_OK || IsStale(peer, now)) {
    if (peer.is_up) broken_.push_back(peer.endpoint);
    Retire(peer);
  }
  if (peer.endpoint == nullptr) {
    if (now >= peer.next_attempt) Connect(peer, now);
  } else if (now - peer.last_sent >= options_.heartbeat) {
    SendSign(peer);
  }
}

void UcxEngine::TellFailure(Peer& peer, absl::Time now) {
  const absl::Duration silence = now - peer.last_heard;
  if (!peer.is_failed && silence >= patience_) {
    peer.is_failed = true;
    handler_->OnPeerFailed(peer.id.host, peer.id.incarnation,
                           absl::UnavailableError(absl::StrCat(
                               "nothing has come from it since ",
                               absl::FormatTime("%H:%M:%S", peer.last_heard,
                                                absl::LocalTimeZone()))));
  } else if (peer.is_failed && peer.is_up && silence < options_.stale_after) {
    peer.is_failed = false;
    handler_->OnPeerBack(peer.id.host, peer.id.incarnation);
  }
}

void UcxEngine::PublishLinks(absl::Time now) {
  std::vector<PeerLink> links;
  for (const auto& [host, peer] : peers_) {
    links.push_back({host, peer->id.incarnation, peer->is_up,
                     std::max(now - peer->last_heard, absl::ZeroDuration())});
  }
  std::sort(links.begin(), links.end(),
            [](const auto& a, const auto& b) { return a.host < b.host; });
  absl::MutexLock lock(&mutex_);
  links_ = std::move(links);
}

std::vector<PeerLink> UcxEngine::Links() const {
  absl::MutexLock lock(&mutex_);
  return links_;
}

}  // namespace lockstep::internal
