#include "runtime/worker/session/coordinator_stream.h"

#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "proto/callback_threads.h"
#include "proto/channel.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"

namespace lockstep::internal {
namespace {

class GrpcStream : public CoordinatorStream,
                   private grpc::ClientBidiReactor<proto::WorkerMessage,
                                                   proto::CoordinatorMessage> {
 public:
  GrpcStream(const std::string& address, const Credentials& credentials)
      : channel_(OpenChannel(address, credentials,
                             {.has_keepalive = true,
                              .has_own_connection = true,
                              .is_for_control = true})),
        stub_(proto::Coordinator::NewStub(channel_)) {
    KeepCallbackThreads();
    stub_->async()->Connect(&context_, this);
    // Reads and writes start outside of callbacks too.
    AddHold();
    StartRead(&message_);
    StartCall();
  }
  ~GrpcStream() override {
    Cancel();
    // The end comes after everything that was read has been taken.
    Deliver([](const proto::CoordinatorMessage&) {});
    Finish().IgnoreError();
  }

  bool Write(const proto::WorkerMessage& message) override {
    const auto is_written = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return written_.has_value();
    };
    absl::MutexLock lock(&mutex_);
    if (is_over_) return false;
    written_ = std::nullopt;
    StartWrite(&message);
    mutex_.Await(absl::Condition(&is_written));
    return *written_;
  }

  bool Read(proto::CoordinatorMessage* message) override {
    const auto is_decided = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return has_message_ || is_over_;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_decided));
    if (!has_message_) return false;
    has_message_ = false;
    *message = std::move(message_);
    message_.Clear();
    StartRead(&message_);
    return true;
  }

  void Deliver(OnMessage on_message) override {
    bool has_message = false;
    {
      absl::MutexLock lock(&mutex_);
      on_message_ = std::move(on_message);
      has_message = std::exchange(has_message_, false);
    }
    // It came before there was anybody to take it; the next read follows it.
    if (has_message) HandOver();
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_over_));
  }

  absl::Status Finish() override {
    const auto has_ended = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return end_.has_value();
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_ended));
    return *end_;
  }

  absl::StatusOr<proto::RosterUpdate> FetchRoster(
      absl::Time deadline) override {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(deadline));
    {
      absl::MutexLock lock(&mutex_);
      if (is_cancelled_) return absl::CancelledError("the stream has ended");
      fetch_ = &context;
    }
    proto::RosterUpdate update;
    const grpc::Status status =
        stub_->FetchRoster(&context, proto::FetchRosterRequest(), &update);
    absl::MutexLock lock(&mutex_);
    fetch_ = nullptr;
    if (!status.ok()) return FromGrpcStatus(status);
    return update;
  }

  void Cancel() override {
    context_.TryCancel();
    absl::MutexLock lock(&mutex_);
    is_cancelled_ = true;
    if (fetch_ != nullptr) fetch_->TryCancel();
  }

 private:
  void OnReadDone(bool ok) override {
    bool has_taker = false;
    {
      absl::MutexLock lock(&mutex_);
      is_over_ = !ok;
      has_taker = on_message_ != nullptr;
      has_message_ = ok && !has_taker;
    }
    if (!ok) {
      RemoveHold();
    } else if (has_taker) {
      HandOver();
    }
  }
  void OnWriteDone(bool ok) override {
    absl::MutexLock lock(&mutex_);
    written_ = ok;
  }
  void OnDone(const grpc::Status& status) override {
    absl::MutexLock lock(&mutex_);
    end_ = FromGrpcStatus(status);
  }

  // The message that was read, to the one who takes them.
  void HandOver() {
    on_message_(std::move(message_));
    message_.Clear();
    StartRead(&message_);
  }

  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<proto::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  proto::CoordinatorMessage message_;  // being read, or not yet taken
  OnMessage on_message_;               // set once, while nothing is delivered

  absl::Mutex mutex_;
  bool has_message_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;  // nothing may be started
  std::optional<bool> written_ ABSL_GUARDED_BY(mutex_);  // the last write
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* fetch_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace

std::unique_ptr<CoordinatorStream> CoordinatorStream::Open(
    const std::string& address, const Credentials& credentials) {
  return std::make_unique<GrpcStream>(address, credentials);
}

}  // namespace lockstep::internal
