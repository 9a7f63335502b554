#include "runtime/worker/session/coordinator_stream.h"

#include <grpcpp/grpcpp.h>

#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"

namespace lockstep {
namespace {

class GrpcStream : public CoordinatorStream {
 public:
  explicit GrpcStream(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    // A channel of its own: a fresh attempt is not delayed by the back-off of
    // an earlier one.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 2000);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 3000);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    arguments.SetMaxReceiveMessageSize(-1);
    arguments.SetMaxSendMessageSize(-1);
    channel_ = grpc::CreateCustomChannel(
        address, grpc::InsecureChannelCredentials(), arguments);
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
  void Cancel() override { context_.TryCancel(); }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<
      grpc::ClientReaderWriter<proto::WorkerMessage, proto::CoordinatorMessage>>
      stream_;
};

}  // namespace

std::unique_ptr<CoordinatorStream> CoordinatorStream::Open(
    const std::string& address) {
  return std::make_unique<GrpcStream>(address);
}

}  // namespace lockstep
