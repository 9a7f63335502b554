#include "proto/callback_threads.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>

#include "proto/generic_stub.h"

namespace lockstep {
namespace {

// A channel without credentials connects to nobody and fails every call, but
// its first call with a callback takes a reference to the threads, which the
// channel holds.
class Holder {
 public:
  Holder() {
    stub_.UnaryCall(&context_, "/lockstep/none", grpc::StubOptions(), &request_,
                    &response_, [](grpc::Status) {});
  }

 private:
  grpc::GenericStub stub_{grpc::CreateChannel("none", nullptr)};
  grpc::ClientContext context_;
  // An empty message; a buffer without slices is none.
  const grpc::Slice empty_;
  const grpc::ByteBuffer request_{&empty_, 1};
  grpc::ByteBuffer response_;
};

}  // namespace

void KeepCallbackThreads() {
  static const Holder* const holder = new Holder;
  (void)holder;
}

}  // namespace lockstep
