#include "tests/benchmark/simulated_host.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/channel.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "proto/roster_codec.h"
#include "runtime/base/status.h"

namespace lockstep {

void Tally::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  error_.Update(status);
}

void Tally::TakeFetchedRoster(const grpc::ByteBuffer& bytes) {
  {
    absl::MutexLock lock(&mutex_);
    if (bytes.Length() == fetched_bytes_) return;
    if (fetched_bytes_ != 0) {
      error_.Update(absl::InternalError("two hosts got different rosters"));
    }
    fetched_bytes_ = bytes.Length();
  }
  grpc::Slice whole;
  proto::RosterUpdate update;
  if (!bytes.DumpToSingleSlice(&whole).ok() ||
      !update.ParseFromArray(whole.begin(), static_cast<int>(whole.size()))) {
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

CoordinatorConnection::CoordinatorConnection(const std::string& address,
                                             bool is_shared)
    : channel_(OpenChannel(
          address, {},
          {.has_keepalive = !is_shared, .has_own_connection = true})),
      stub_(proto::Coordinator::NewStub(channel_)),
      generic_(channel_) {}

void CoordinatorConnection::FetchRoster(
    grpc::ClientContext* context, grpc::ByteBuffer* reply,
    std::function<void(const grpc::Status&)> done) {
  generic_.UnaryCall(context, "/lockstep.proto.Coordinator/FetchRoster", {},
                     &request_, reply, std::move(done));
}

SimulatedHost::SimulatedHost(std::shared_ptr<CoordinatorConnection> connection,
                             WorkerInfo info, Tally* tally)
    : info_(std::move(info)),
      tally_(*tally),
      connection_(std::move(connection)) {
  context_.set_wait_for_ready(true);
  connection_->stub().async()->Connect(&context_, this);
  AddHold();
  StartRead(&message_);
  StartCall();
  proto::WorkerMessage hello;
  hello.mutable_hello()->set_incarnation(info_.incarnation.value());
  hello.mutable_hello()->set_name(info_.name);
  Send(std::move(hello));
}

SimulatedHost::~SimulatedHost() {
  context_.TryCancel();
  const auto is_over = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_done_ && !is_fetching_;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&is_over));
}

void SimulatedHost::Send(proto::WorkerMessage message) {
  if (is_silent_) return;
  message.set_confirmed(received_);
  ++tally_.messages;
  tally_.bytes_from_hosts += static_cast<int64_t>(message.ByteSizeLong());
  absl::MutexLock lock(&mutex_);
  if (is_over_) return;
  queue_.push_back(std::move(message));
  if (queue_.size() == 1) StartWrite(&queue_.front());
}

void SimulatedHost::OnWriteDone(bool ok) {
  absl::MutexLock lock(&mutex_);
  queue_.pop_front();
  if (ok && !is_over_ && !queue_.empty()) StartWrite(&queue_.front());
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

void SimulatedHost::Leave() {
  proto::WorkerMessage message;
  message.mutable_leave();
  SendRequest(kLeave, std::move(message));
}

void SimulatedHost::Report() {
  proto::WorkerMessage message;
  message.mutable_progress();
  Send(std::move(message));
}

void SimulatedHost::OnReadDone(bool ok) {
  if (!ok) {
    {
      absl::MutexLock lock(&mutex_);
      is_over_ = true;
    }
    RemoveHold();
    return;
  }
  if (!is_silent_) Handle(message_);
  message_.Clear();
  StartRead(&message_);
}

void SimulatedHost::Handle(const proto::CoordinatorMessage& message) {
  ++tally_.messages;
  tally_.bytes_to_hosts += static_cast<int64_t>(message.ByteSizeLong());
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
  {
    absl::MutexLock lock(&mutex_);
    is_fetching_ = true;
  }
  connection_->FetchRoster(
      &fetch_context_, &fetched_, [this](const grpc::Status& status) {
        tally_.messages += 2;
        if (status.ok()) {
          tally_.bytes_to_hosts += static_cast<int64_t>(fetched_.Length());
          tally_.TakeFetchedRoster(fetched_);
        } else {
          tally_.Fail(Annotate(FromGrpcStatus(status), info_.name));
        }
        fetched_.Clear();
        has_roster_ = true;
        TellJoinedWhenComplete();
        absl::MutexLock lock(&mutex_);
        is_fetching_ = false;
      });
}

void SimulatedHost::TellJoinedWhenComplete() {
  if (is_member_ && has_roster_ && !has_joined_.exchange(true)) {
    tally_.joined.Add();
  }
}

void SimulatedHost::OnDone(const grpc::Status& status) {
  if (!status.ok() && status.error_code() != grpc::StatusCode::CANCELLED &&
      !is_silent_) {
    tally_.Fail(Annotate(FromGrpcStatus(status), info_.name));
  }
  absl::MutexLock lock(&mutex_);
  is_done_ = true;
}

}  // namespace lockstep
