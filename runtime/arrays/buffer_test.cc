#include "runtime/arrays/buffer.h"

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Literal TwoFloats() { return Literal::FromValues<float>({2}, {1.f, 2.f}); }
const Shape kTwoFloats(ElementType::kF32, {2});

TEST(BufferTest, ReadyBufferGivesItsValue) {
  Buffer buffer(TwoFloats(), GlobalDeviceId(3));
  EXPECT_TRUE(buffer.is_ready());
  EXPECT_EQ(buffer.device(), GlobalDeviceId(3));
  EXPECT_EQ(*buffer.ToLiteral(), TwoFloats());
}

TEST(BufferTest, ReaderWaitsForTheValue) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  EXPECT_FALSE(buffer.is_ready());
  EXPECT_EQ(buffer.View().status().code(),
            absl::StatusCode::kFailedPrecondition);
  std::thread writer([&] { buffer.SetValue(TwoFloats()); });
  EXPECT_EQ(*buffer.ToLiteral(), TwoFloats());
  writer.join();
}

TEST(BufferTest, AwaitOfAPendingBufferEndsAtItsDeadline) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  EXPECT_EQ(buffer.Await(absl::InfinitePast()).code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(BufferTest, ErrorReachesReadersAndCallbacks) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  absl::Status seen;
  buffer.OnReady([&](const absl::Status& status) { seen = status; });
  buffer.SetError(absl::AbortedError("host 1 (b) died"));
  EXPECT_EQ(seen.message(), "host 1 (b) died");
  EXPECT_EQ(buffer.Await().message(), "host 1 (b) died");
  EXPECT_EQ(buffer.ToLiteral().status().message(), "host 1 (b) died");
}

TEST(BufferTest, CallbackOnAReadyBufferRunsAtOnce) {
  Buffer buffer(TwoFloats(), GlobalDeviceId(0));
  bool was_called = false;
  buffer.OnReady([&](const absl::Status& status) { was_called = status.ok(); });
  EXPECT_TRUE(was_called);
}

TEST(BufferTest, TakenBufferNamesItsTaker) {
  Buffer buffer(TwoFloats(), GlobalDeviceId(0));
  EXPECT_EQ(*buffer.Take("launch 4 of step"), TwoFloats());
  for (const absl::Status& status :
       {buffer.Await(), buffer.ToLiteral().status(), buffer.View().status(),
        buffer.Take("another").status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("launch 4 of step"));
  }
}

TEST(BufferTest, PendingBufferCanBeDonatedButNotTaken) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  EXPECT_EQ(buffer.Take("x").status().code(),
            absl::StatusCode::kFailedPrecondition);
  auto storage = *buffer.Donate("launch 1 of step");
  EXPECT_FALSE(buffer.ToLiteral().ok());
  buffer.SetValue(TwoFloats());
  EXPECT_EQ(*storage->Take(), TwoFloats());
}

TEST(BufferTest, EarlierReaderKeepsTheStorageOfADonatedBuffer) {
  Buffer buffer(TwoFloats(), GlobalDeviceId(0));
  auto reader = *buffer.Storage();
  auto taker = *buffer.Donate("launch 2 of step");
  EXPECT_THAT(reader->View()->data<float>(), ElementsAre(1.f, 2.f));
  EXPECT_TRUE(taker->Take().ok());
  EXPECT_FALSE(reader->View().ok());
}

}  // namespace
}  // namespace lockstep
