#include "proto/callback_threads.h"

#include <grpc/support/cpu.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/synchronization/notification.h"
#include "proto/generic_stub.h"

namespace lockstep::internal {
namespace {

// A channel without credentials connects to nobody and fails every call, but
// its first call with a callback takes a reference to the threads, which the
// channel holds.
class Holder {
 public:
  // Runs on one of the threads.
  void Run(std::function<void()> callback) {
    Call& call = calls_.emplace_back();
    stub_.UnaryCall(
        &call.context, "/lockstep/none", grpc::StubOptions(), &request_,
        &call.response,
        [callback = std::move(callback)](const grpc::Status&) { callback(); });
  }

 private:
  struct Call {
    grpc::ClientContext context;
    grpc::ByteBuffer response;
  };
  grpc::GenericStub stub_{grpc::CreateChannel("none", nullptr)};
  // An empty message; a buffer without slices is none.
  const grpc::Slice empty_;
  const grpc::ByteBuffer request_{&empty_, 1};
  std::deque<Call> calls_;
};

std::atomic<bool> uses_one = false;

void WaitForEver() { absl::Notification().WaitForNotification(); }

Holder* MakeHolder() {
  auto* holder = new Holder;
  holder->Run([] {});
  if (!uses_one) return holder;
  for (int i = 1; i < CallbackThreadCount(); ++i) holder->Run(WaitForEver);
  return holder;
}

}  // namespace

void KeepCallbackThreads() {
  static const Holder* const holder = MakeHolder();
  (void)holder;
}

void UseOneCallbackThread() { uses_one = true; }

int CallbackThreadCount() {
  if (!absl::StartsWith(grpc::Version(), "1.51.")) return 0;
  return static_cast<int>(std::clamp(gpr_cpu_num_cores() / 2, 2u, 16u));
}

}  // namespace lockstep::internal
