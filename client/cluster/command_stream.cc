#include "client/cluster/command_stream.h"

#include <utility>
#include <variant>

#include "absl/time/clock.h"
#include "proto/client_queue.h"
#include "proto/convert.h"
#include "proto/convert_commands.h"
#include "proto/grpc_status.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kDeletionPatience = absl::Milliseconds(1);

}  // namespace

CommandStream::CommandStream(proto::Coordinator::Stub* stub,
                             const std::string& name, Callbacks callbacks)
    : callbacks_(std::move(callbacks)) {
  message_.mutable_hello()->set_name(AsUtf8(name));
  message_.mutable_hello()->set_protocol(kProtocolVersion);
  StartCall(stub->PrepareAsyncOpenClient(&context(), ClientQueue()));
  // Before the read, which may find at once that the stream is over: nothing
  // may be started then, and it may be gone.
  StartWrite(&message_);
  StartRead(&event_);
}

CommandStream::~CommandStream() {
  context().TryCancel();
  const auto has_ended = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_done_ && !is_alarm_set_;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&has_ended));
}

void CommandStream::Submit(Command command) {
  const auto may_queue = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_over_ || queue_.has_room();
  };
  absl::MutexLock lock(&mutex_);
  if (std::holds_alternative<LaunchProgram>(command.action)) {
    mutex_.Await(absl::Condition(&may_queue));
  }
  if (is_over_) return;
  queue_.Push(std::move(command));
  WriteMore();
}

void CommandStream::WriteMore() {
  if (is_writing_ || is_over_ || queue_.is_empty()) return;
  if (queue_.is_urgent()) return WriteNext();
  if (is_alarm_set_) return;
  is_alarm_set_ = true;
  alarm_.Set(kDeletionPatience);
}

void CommandStream::Alarm::Set(absl::Duration patience) {
  alarm_.Set(ClientQueue(), absl::ToChronoTime(absl::Now() + patience),
             static_cast<Completion*>(this));
}

void CommandStream::OnAlarm() {
  absl::MutexLock lock(&mutex_);
  is_alarm_set_ = false;
  if (!is_writing_ && !is_over_) WriteNext();
}

void CommandStream::WriteNext() {
  message_.Clear();
  for (const Command& command : queue_.NextBatch()) {
    *message_.add_commands() = ToProto(command);
  }
  is_writing_ = message_.commands_size() > 0;
  if (is_writing_) StartWrite(&message_);
}

void CommandStream::OnWriteDone(bool ok) {
  absl::MutexLock lock(&mutex_);
  is_writing_ = false;
  if (ok) WriteMore();
}

void CommandStream::OnReadDone(bool ok) {
  if (!ok) {
    absl::MutexLock lock(&mutex_);
    is_over_ = true;
    queue_.Clear();
    return;
  }
  if (event_.event_case() == proto::ClientEvent::kCommandsPlaced) {
    absl::MutexLock lock(&mutex_);
    queue_.SetPlaced(event_.commands_placed());
    WriteMore();
  } else {
    callbacks_.on_event(event_);
  }
  event_.Clear();
  StartRead(&event_);
}

void CommandStream::OnDone(const grpc::Status& status) {
  callbacks_.on_end(FromGrpcStatus(status));
  absl::MutexLock lock(&mutex_);
  is_done_ = true;
}

}  // namespace lockstep::internal
