#include "proto/callback_threads.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"
#include "proto/generic_stub.h"

namespace lockstep::internal {
namespace {

int ThreadsOfGrpc() {
  int count = 0;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "nexting_thread") ++count;
  }
  return count;
}

TEST(CallbackThreads, OneOfThemDoesAllWork) {
  if (CallbackThreadCount() == 0) GTEST_SKIP() << "not known for this gRPC";
  UseOneCallbackThread();
  KeepCallbackThreads();
  KeepCallbackThreads();
  constexpr int kCalls = 500;
  grpc::GenericStub stub(grpc::CreateChannel("none", nullptr));
  const grpc::Slice empty;
  const grpc::ByteBuffer request(&empty, 1);
  struct Call {
    grpc::ClientContext context;
    grpc::ByteBuffer response;
  };
  std::deque<Call> calls(kCalls);
  absl::Mutex mutex;
  std::set<std::thread::id> threads;
  absl::BlockingCounter left(kCalls);
  for (Call& call : calls) {
    stub.UnaryCall(&call.context, "/none", {}, &request, &call.response,
                   [&](const grpc::Status&) {
                     {
                       absl::MutexLock lock(&mutex);
                       threads.insert(std::this_thread::get_id());
                     }
                     left.DecrementCount();
                   });
  }
  left.Wait();
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_EQ(ThreadsOfGrpc(), CallbackThreadCount());
}

}  // namespace
}  // namespace lockstep::internal
