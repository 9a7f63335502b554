#include "runtime/collectives/hierarchical/message_streams.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Takes so long to make that what was made before should leave meanwhile.
constexpr size_t kLongBytes = size_t{64} << 10;

}  // namespace

// One exchange.
class MessageStreams::Run {
 public:
  Run(MessageStreams& exchange, const Arrival& arrival,
      absl::Span<const HostStream> streams, HostMessages& messages);

  absl::Status Execute();

 private:
  struct Stream {
    int host = 0;
    HostStream what;
    int count = 1;  // of messages, empty ones included, each way
    int sent = 0;
    int received = 0;
  };

  // Sends what may go now.
  absl::Status Send();
  // False: none may go to this host now.
  absl::StatusOr<bool> SendNext(Stream& stream);
  absl::Status Receive();
  absl::Status Take(Stream& stream, Mailbox::Message message);
  absl::Status CheckMessage(const Stream& stream,
                            const Mailbox::Message& message) const;
  bool IsDone() const;
  // Drives the transport, if nobody does: what a driver sends and gets waits
  // for its steps, and so do all others, with their signs of life. Making and
  // using messages that are brief, and pieces of work done alone, take less
  // than to wake a thread for each message.
  void Drive();
  void StopDriving();
  void Step();

  MessageStreams& exchange_;
  const Arrival& arrival_;
  const CliqueMember& self_;
  Transport& transport_;
  HostMessages& messages_;
  std::vector<Stream> streams_;
  WireHeader header_;
  bool is_short_ = true;  // one small message each way
  bool drives_ = false;
};

MessageStreams::Run::Run(MessageStreams& exchange, const Arrival& arrival,
                         absl::Span<const HostStream> streams,
                         HostMessages& messages)
    : exchange_(exchange),
      arrival_(arrival),
      self_(exchange.key_.members()[arrival.rank]),
      transport_(*exchange.core_.options().transport),
      messages_(messages) {
  // The next host first, so that not all hosts begin with the same one.
  const int hosts = exchange_.plan_.host_count();
  for (int i = 1; i < hosts; ++i) {
    const int host = (exchange_.plan_.self() + i) % hosts;
    const HostStream& stream = streams[host];
    if (!stream.is_concerned) continue;
    streams_.push_back(
        {host, stream, std::max({1, stream.sent, stream.received})});
    is_short_ =
        is_short_ && streams_.back().count == 1 &&
        stream.sent_bytes < kLongBytes &&
        (stream.received == 0 || messages.ExpectedBytes(host, 0) < kLongBytes);
  }
  header_.device = self_.device;
  header_.call = *arrival.call;
  header_.call_digest =
      exchange_.core_.calls().OwnDigest(LaunchOf(*arrival.call));
  header_.clique = exchange_.digest_;
  header_.kind = arrival.kind;
}

absl::Status MessageStreams::Run::Execute() {
  // Before the first message: no other thread has to wake for it then.
  if (messages_.is_brief() && !streams_.empty()) Drive();
  // Receiving stops driving by itself when the transport ends, and clears it.
  const absl::Cleanup stop = [this] {
    if (drives_) StopDriving();
  };
  std::vector<HostId> hosts;
  for (const Stream& stream : streams_) {
    hosts.push_back(exchange_.plan_.host(stream.host));
  }
  exchange_.mailbox_.BeginCall(*arrival_.call, std::move(hosts));
  const absl::Cleanup end = [this] { exchange_.mailbox_.EndCall(); };
  while (true) {
    RETURN_IF_ERROR(Send());
    if (IsDone()) break;
    RETURN_IF_ERROR(Receive());
  }
  // The last messages leave meanwhile, and others get theirs.
  while (messages_.has_work_alone()) {
    if (drives_) transport_.Poll();
    messages_.WorkAlone();
  }
  return absl::OkStatus();
}

void MessageStreams::Run::Drive() {
  if (!drives_) drives_ = transport_.TryDrive(is_short_);
}

bool MessageStreams::Run::IsDone() const {
  return std::all_of(
      streams_.begin(), streams_.end(), [](const Stream& stream) {
        return stream.sent == stream.count && stream.received == stream.count;
      });
}

absl::Status MessageStreams::Run::Send() {
  // One to each host in turn, so that all have something to do.
  for (bool has_sent = true; has_sent;) {
    has_sent = false;
    for (Stream& stream : streams_) {
      ASSIGN_OR_RETURN(const bool sent, SendNext(stream));
      has_sent |= sent;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> MessageStreams::Run::SendNext(Stream& stream) {
  if (stream.sent == stream.count || stream.sent >= stream.received + kWindow) {
    return false;
  }
  PayloadPtr payload;
  if (stream.sent < stream.what.sent) {
    ASSIGN_OR_RETURN(payload, messages_.Message(stream.host, stream.sent));
    if (payload == nullptr) return false;
  }
  std::optional<LaunchId>& told = exchange_.told_[stream.host];
  const LaunchId launch = LaunchOf(*arrival_.call);
  if (told != launch) {
    header_.call_text = exchange_.core_.calls().Own(launch).text;
    told = launch;
  } else {
    header_.call_text.clear();
  }
  header_.index = static_cast<uint32_t>(stream.sent);
  header_.layout = stream.what.sent_layout;
  header_.payload_bytes = payload == nullptr ? 0 : payload->size();
  exchange_.core_.Send(exchange_.plan_.host(stream.host), header_,
                       std::move(payload));
  ++stream.sent;
  // It leaves while the next one is made.
  if (drives_ && !is_short_ && header_.payload_bytes >= kLongBytes) Step();
  return true;
}

void MessageStreams::Run::Step() {
  if (transport_.Step()) return;
  // It is being stopped, which waits for its drivers.
  StopDriving();
}

void MessageStreams::Run::StopDriving() {
  transport_.StopDriving();
  drives_ = false;
}

absl::Status MessageStreams::Run::Receive() {
  std::vector<Mailbox::Expected> expected;
  std::vector<Stream*> streams;
  for (Stream& stream : streams_) {
    if (stream.received == stream.count) continue;
    expected.push_back({exchange_.plan_.host(stream.host),
                        static_cast<uint32_t>(stream.received)});
    streams.push_back(&stream);
  }
  if (expected.empty()) {
    return absl::InternalError(absl::StrCat(
        Describe(*arrival_.call),
        ": what is left to send waits for more than the hosts have sent"));
  }
  Drive();
  const bool waits = !messages_.has_work_alone();
  if (!waits && drives_) transport_.Poll();
  ASSIGN_OR_RETURN(std::vector<Mailbox::Taken> taken,
                   exchange_.mailbox_.Receive(self_, *arrival_.call, expected,
                                              waits, &drives_));
  if (drives_ && !messages_.is_brief()) StopDriving();
  if (taken.empty()) messages_.WorkAlone();
  for (auto& [position, message] : taken) {
    RETURN_IF_ERROR(Take(*streams[position], std::move(message)));
  }
  return absl::OkStatus();
}

absl::Status MessageStreams::Run::Take(Stream& stream,
                                       Mailbox::Message message) {
  RETURN_IF_ERROR(CheckMessage(stream, message));
  const int index = stream.received++;
  if (index >= stream.what.received) return absl::OkStatus();
  return messages_.Take(stream.host, index, std::move(message.payload));
}

absl::Status MessageStreams::Run::CheckMessage(
    const Stream& stream, const Mailbox::Message& message) const {
  const size_t expected =
      stream.received < stream.what.received
          ? messages_.ExpectedBytes(stream.host, stream.received)
          : 0;
  const size_t bytes = message.payload == nullptr ? 0 : message.payload->size();
  if (message.header.kind == arrival_.kind &&
      message.header.layout == stream.what.received_layout &&
      bytes == expected && bytes == message.header.payload_bytes) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      Describe(*arrival_.call), ": ",
      exchange_.core_.names().Host(exchange_.plan_.host(stream.host)), " sent ",
      bytes, " of ", message.header.payload_bytes, " bytes of ",
      CollectiveKindName(message.header.kind), ", expected ", expected,
      " bytes of ", CollectiveKindName(arrival_.kind),
      message.header.layout == stream.what.received_layout
          ? ""
          : "; its arguments differ from those of this host"));
}

absl::Status MessageStreams::Exchange(const Arrival& arrival,
                                      absl::Span<const HostStream> streams,
                                      HostMessages& messages) {
  return Run(*this, arrival, streams, messages).Execute();
}

}  // namespace lockstep::internal
