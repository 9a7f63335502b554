#include "runtime/worker/session/coordinator_stream.h"

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "proto/channel.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"

namespace lockstep {
namespace {

class GrpcStream : public CoordinatorStream {
 public:
  GrpcStream(const std::string& address, const Credentials& credentials)
      : channel_(
            OpenChannel(address, credentials,
                        {.has_keepalive = true, .has_own_connection = true})) {
    stub_ = proto::Coordinator::NewStub(channel_);
    stream_ = stub_->Connect(&context_);
  }

  bool Write(const proto::WorkerMessage& message) override {
    return stream_->Write(message);
  }
  bool Read(proto::CoordinatorMessage* message) override {
    return stream_->Read(message);
  }
  absl::Status Finish() override { return FromGrpcStatus(stream_->Finish()); }
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
  const std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  absl::Mutex mutex_;
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* fetch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::unique_ptr<
      grpc::ClientReaderWriter<proto::WorkerMessage, proto::CoordinatorMessage>>
      stream_;
};

}  // namespace

std::unique_ptr<CoordinatorStream> CoordinatorStream::Open(
    const std::string& address, const Credentials& credentials) {
  return std::make_unique<GrpcStream>(address, credentials);
}

}  // namespace lockstep
