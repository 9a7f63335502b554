#include "client/cluster/command_stream.h"

#include <atomic>

#include "gtest/gtest.h"
#include "proto/channel.h"

namespace lockstep::internal {
namespace {

// Once the channel knows that nobody listens, a stream may end while its
// constructor runs.
TEST(CommandStreamTest, EndsOnceWhereNobodyListens) {
  const auto stub = proto::Coordinator::NewStub(
      OpenChannel("unix:/nowhere/socket", Credentials(), {}));
  constexpr int kStreams = 2000;
  std::atomic<int> ends = 0;
  for (int i = 0; i < kStreams; ++i) {
    CommandStream::Callbacks callbacks;
    callbacks.on_event = [](const proto::ClientEvent&) {};
    callbacks.on_end = [&](const absl::Status& status) {
      EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
      ++ends;
    };
    // A name of any bytes, which is for people only.
    CommandStream stream(stub.get(), "test\xff", std::move(callbacks));
    if (i % 2 == 0) stream.Submit({.action = DeleteArrays()});
  }
  EXPECT_EQ(ends, kStreams);
}

}  // namespace
}  // namespace lockstep::internal
