#include "tests/benchmark/simulated_host.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/roster_codec.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kStream = 7;  // any

}  // namespace

void Tally::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  error_.Update(status);
}

void Tally::TakeFetchedRoster(absl::string_view bytes) {
  {
    absl::MutexLock lock(&mutex_);
    if (bytes.size() == fetched_bytes_) return;
    if (fetched_bytes_ != 0) {
      error_.Update(absl::InternalError("two hosts got different rosters"));
    }
    fetched_bytes_ = bytes.size();
  }
  proto::RosterUpdate update;
  if (!update.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Fail(absl::InternalError("the roster cannot be read"));
  }
  TakeRoster(update);
}

absl::Status Tally::error() const {
  absl::MutexLock lock(&mutex_);
  return error_;
}

void Tally::TakeRoster(const proto::RosterUpdate& whole) {
  absl::MutexLock lock(&mutex_);
  if (roster_ == nullptr || roster_->epoch != Epoch(whole.epoch())) {
    auto roster = ApplyRosterUpdate(whole, nullptr);
    if (!roster.ok()) {
      error_.Update(roster.status());
      return;
    }
    body_bytes_ = whole.body().size();
    roster_ = *std::move(roster);
  } else if (whole.body().size() != body_bytes_) {
    error_.Update(absl::InternalError("two hosts got different rosters"));
  }
}

std::shared_ptr<const Roster> Tally::roster() const {
  absl::MutexLock lock(&mutex_);
  return roster_;
}

SimulatedHost::SimulatedHost(Http2Connection* connection, WorkerInfo info,
                             Tally* tally)
    : info_(std::move(info)),
      tally_(*tally),
      connection_(*connection),
      stream_(connection->Open("/lockstep.proto.Coordinator/Connect", this)) {
  proto::WorkerMessage hello;
  hello.mutable_hello()->set_incarnation(info_.incarnation.value());
  hello.mutable_hello()->set_name(info_.name);
  Send(std::move(hello));
}

void SimulatedHost::Send(proto::WorkerMessage message) {
  if (is_silent_) return;
  message.set_confirmed(received_);
  const std::string bytes = message.SerializeAsString();
  ++tally_.messages;
  tally_.bytes_from_hosts += static_cast<int64_t>(bytes.size());
  connection_.Send(stream_, bytes);
}

void SimulatedHost::SendRequest(Request id, proto::WorkerMessage message) {
  message.set_request_id(id);
  message.set_timeout_ms(120000);
  Send(std::move(message));
}

void SimulatedHost::Join() {
  proto::WorkerMessage message;
  *message.mutable_join()->mutable_info() = ToProto(info_);
  SendRequest(kJoin, std::move(message));
}

void SimulatedHost::SetReady() {
  proto::WorkerMessage message;
  message.set_ready(true);
  SendRequest(kReady, std::move(message));
}

void SimulatedHost::Meet(const std::string& barrier) {
  proto::WorkerMessage message;
  message.mutable_barrier()->set_name(barrier);
  SendRequest(kBarrier, std::move(message));
}

void SimulatedHost::CallFunction(LaunchNumber number) {
  call_ = {kStream, number};
  AxisQuery query;
  query.key = MeetingKey(call_);
  query.axis_name = "batch";
  query.axis_size = static_cast<int64_t>(info_.devices.size());
  query.function = "train";
  query.call = call_;
  query.description = {1, "train(0: float32[2]) at train.cc:12"};
  proto::WorkerMessage message;
  *message.mutable_resolve_axis() = ToProto(query);
  SendRequest(kAxis, std::move(message));
}

void SimulatedHost::TakeAxis(const AxisResolution& axis) {
  const auto roster = tally_.roster();
  if (axis.global_axis_size != roster->world.device_count() ||
      std::ssize(axis.devices) != axis.global_axis_size) {
    return tally_.Fail(absl::InternalError("the axis is not all devices"));
  }
  AgreementRecord record;
  record.key = MeetingKey(call_);
  record.program = "train";
  record.call = call_;
  for (const Member& member : roster->members) {
    record.participants.push_back(member.host.id);
  }
  record.digest = "0123456789abcdef0123456789abcdef";
  proto::WorkerMessage message;
  *message.mutable_agree() = ToProto(record);
  SendRequest(kAgree, std::move(message));
}

void SimulatedHost::Leave() {
  has_left_ = true;
  proto::WorkerMessage message;
  message.mutable_leave();
  SendRequest(kLeave, std::move(message));
}

void SimulatedHost::Report() {
  proto::WorkerMessage message;
  message.mutable_progress();
  Send(std::move(message));
}

void SimulatedHost::OnMessage(absl::string_view bytes) {
  if (is_silent_) return;
  ++tally_.messages;
  tally_.bytes_to_hosts += static_cast<int64_t>(bytes.size());
  proto::CoordinatorMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return tally_.Fail(absl::InternalError("a message cannot be read"));
  }
  Handle(message);
}

void SimulatedHost::Handle(const proto::CoordinatorMessage& message) {
  if (message.sequence() > received_) received_ = message.sequence();
  if (!has_hello_) {
    has_hello_ = true;
    return tally_.connected.Add();
  }
  if (message.has_error()) {
    return tally_.Fail(Annotate(FromProto(message.error()), info_.name));
  }
  if (message.has_roster()) return TakeRoster(message.roster());
  if (message.has_failure()) return tally_.failures.Add();
  switch (message.request_id()) {
    case kJoin:
      is_member_ = true;
      return TellJoinedWhenComplete();
    case kReady:
      return tally_.ready.Add();
    case kBarrier:
      return tally_.met.Add();
    case kLeave:
      return tally_.left.Add();
    case kAxis:
      return TakeAxis(FromProto(message.axis()));
    case kAgree:
      return tally_.called.Add();
    default:
      return;
  }
}

void SimulatedHost::TakeRoster(const proto::RosterUpdate& update) {
  if (has_joined_) return tally_.rosters.Add();
  if (!update.body().empty()) {
    tally_.TakeRoster(update);
    has_roster_ = true;
    return TellJoinedWhenComplete();
  }
  const int32_t call =
      connection_.Open("/lockstep.proto.Coordinator/FetchRoster", &fetch_);
  connection_.Send(call, "");
  connection_.CloseSending(call);
}

void SimulatedHost::Fetch::OnMessage(absl::string_view message) {
  host_.tally_.messages += 2;
  host_.tally_.bytes_to_hosts += static_cast<int64_t>(message.size());
  host_.tally_.TakeFetchedRoster(message);
  host_.has_roster_ = true;
  host_.TellJoinedWhenComplete();
}

void SimulatedHost::Fetch::OnEnd(const absl::Status& status) {
  if (status.ok() || host_.is_silent_) return;
  host_.tally_.Fail(Annotate(status, host_.info_.name));
}

void SimulatedHost::TellJoinedWhenComplete() {
  if (!is_member_ || !has_roster_ || has_joined_) return;
  has_joined_ = true;
  tally_.joined.Add();
}

void SimulatedHost::OnEnd(const absl::Status& status) {
  if (!is_silent_ && !has_left_) {
    tally_.Fail(Annotate(status.ok() ? absl::UnavailableError("ended") : status,
                         info_.name));
  }
}

}  // namespace lockstep::internal
