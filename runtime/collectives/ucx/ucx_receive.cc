// The receiving half of UcxEngine.
#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/logging.h"
#include "runtime/collectives/ucx/ucx_engine.h"
#include "runtime/collectives/ucx/ucx_status.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMaxUnconfirmedBytes = 1 << 20;
constexpr int kMaxUnconfirmedMessages = 256;

}  // namespace

ucs_status_t UcxEngine::OnActiveMessage(void* arg, const void* header,
                                        size_t header_length, void* data,
                                        size_t length,
                                        const ucp_am_recv_param_t* param) {
  return static_cast<UcxEngine*>(arg)->Receive(
      absl::string_view(static_cast<const char*>(header), header_length), data,
      length, (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0);
}

ucs_status_t UcxEngine::Receive(absl::string_view head, void* data,
                                size_t length, bool is_rendezvous) {
  Frame frame;
  if (head.size() < sizeof(frame)) return UCS_OK;
  std::memcpy(&frame, head.data(), sizeof(frame));
  if (frame.magic != kMagic) return UCS_OK;
  Source source(HostId(frame.host), Incarnation(frame.incarnation));
  Peer* const peer = FindPeer(source);
  if (peer != nullptr) Heard(*peer, frame);
  if (frame.is_sign != 0) return UCS_OK;
  InboundMessages& messages = inbound_[source];
  if (peer == nullptr && messages.waiting() >= kMaxEarlyMessages) {
    LogWarning(absl::StrCat("more than ", kMaxEarlyMessages,
                            " messages of host ", frame.host,
                            ", which is no peer: dropped"));
    return UCS_OK;
  }
  InboundMessages::Message message;
  message.header = std::string(head.substr(sizeof(frame)));
  message.connection = frame.connection;
  if (frame.has_payload != 0) message.payload = buffers_.Get(length);
  message.is_complete = !is_rendezvous;
  if (!is_rendezvous && length > 0 && message.payload != nullptr) {
    std::memcpy(message.payload->data(), data, length);
  }
  std::shared_ptr<MessageBuffer> payload = message.payload;
  if (!messages.Add(frame.sequence, std::move(message))) {
    return UCS_OK;
  }
  ready_.push_back(source);
  if (!is_rendezvous) return UCS_OK;
  auto operation = std::make_unique<Operation>();
  operation->engine = this;
  operation->source = source;
  operation->connection = frame.connection;
  operation->sequence = frame.sequence;
  operation->incoming = std::move(payload);
  fetches_.push_back({data, std::move(operation)});
  return UCS_INPROGRESS;  // the descriptor is kept
}

void UcxEngine::StartFetches() {
  std::vector<Fetch> fetches;
  fetches.swap(fetches_);
  for (Fetch& fetch : fetches) {
    ucp_request_param_t param = {};
    param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                         UCP_OP_ATTR_FIELD_USER_DATA |
                         UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
    param.cb.recv_am = OnReceived;
    Operation* operation = fetch.operation.get();
    param.user_data = operation;
    // Before the call: where the peer is gone, OnReceived runs within it and
    // takes the operation back, and a request is returned all the same.
    Release(std::move(fetch.operation));
    ucs_status_ptr_t request = ucp_am_recv_data_nbx(
        worker_->handle(), fetch.descriptor, operation->incoming->data(),
        operation->incoming->size(), &param);
    // An error: the connection is broken, and the next one brings it again.
    if (!UCS_PTR_IS_PTR(request)) TakeBack(operation);
  }
}

void UcxEngine::OnReceived(void* request, ucs_status_t status, size_t,
                           void* user_data) {
  std::unique_ptr<Operation> operation = TakeBack(user_data);
  UcxEngine* engine = operation->engine;
  ucp_request_free(request);
  if (status != UCS_OK) return;  // the next connection brings it again
  auto it = engine->inbound_.find(operation->source);
  if (it == engine->inbound_.end()) return;
  it->second.Complete(operation->connection, operation->sequence);
  engine->ready_.push_back(operation->source);
}

void UcxEngine::DeliverReady() {
  std::vector<Source> ready;
  ready.swap(ready_);
  for (const Source& source : ready) {
    Peer* peer = FindPeer(source);
    auto it = inbound_.find(source);
    if (peer == nullptr || it == inbound_.end()) continue;
    while (std::optional<InboundMessages::Message> message =
               it->second.Next()) {
      peer->unconfirmed_bytes +=
          message->payload == nullptr ? 0 : message->payload->size();
      ++peer->unconfirmed_messages;
      handler_->OnMessage(source.first, source.second, message->header,
                          std::move(message->payload));
    }
    Confirm(*peer);
  }
}

void UcxEngine::Heard(Peer& peer, const Frame& frame) {
  peer.last_heard = absl::Now();
  // Who connects waits for a sign that it is heard.
  if (frame.connection > peer.heard) {
    peer.heard = frame.connection;
    unanswered_.push_back({peer.id.host, peer.id.incarnation});
  }
  peer.deaf_for = absl::Milliseconds(frame.silent_ms);
  peer.outbound.Confirm(frame.received);
  if (frame.heard != peer.connection || peer.is_up) return;
  peer.is_up = true;
  newly_up_.push_back({peer.id.host, peer.id.incarnation});
}

// Mostly the messages that go the other way confirm; what the sender has to
// keep meanwhile is bounded.
void UcxEngine::Confirm(Peer& peer) {
  if (peer.unconfirmed_bytes >= kMaxUnconfirmedBytes ||
      peer.unconfirmed_messages >= kMaxUnconfirmedMessages) {
    SendSign(peer);
  }
}

}  // namespace lockstep::internal
