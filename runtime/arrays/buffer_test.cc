#include "runtime/arrays/buffer.h"

#include <memory>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/buffer_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

Literal TwoFloats() { return Literal::FromValues<float>({2}, {1.f, 2.f}); }
const Shape kTwoFloats(ElementType::kF32, {2});

class BufferTest : public ::testing::TestWithParam<std::string> {
 protected:
  LocalDevice& device_ = TestDevice(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Platforms, BufferTest,
                         ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

TEST_P(BufferTest, ReadyBufferGivesItsValue) {
  const auto buffer = ReadyBuffer(TwoFloats(), GlobalDeviceId(3), device_);
  EXPECT_TRUE(buffer->is_ready());
  EXPECT_EQ(buffer->device(), GlobalDeviceId(3));
  EXPECT_EQ(*FetchLiteral(*buffer), TwoFloats());
}

TEST_P(BufferTest, ReaderWaitsForTheValue) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  EXPECT_FALSE(buffer.is_ready());
  EXPECT_EQ(buffer.Memory().status().code(),
            absl::StatusCode::kFailedPrecondition);
  std::thread writer([&] { SetValue(buffer, TwoFloats(), device_); });
  EXPECT_EQ(*FetchLiteral(buffer), TwoFloats());
  writer.join();
}

TEST_P(BufferTest, AwaitOfAPendingBufferEndsAtItsDeadline) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  EXPECT_EQ(buffer.Await(absl::InfinitePast()).code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST_P(BufferTest, ErrorReachesReadersAndCallbacks) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  absl::Status seen;
  buffer.OnReady([&](const absl::Status& status) { seen = status; });
  buffer.SetError(absl::AbortedError("host 1 (b) died"));
  EXPECT_EQ(seen.message(), "host 1 (b) died");
  EXPECT_EQ(buffer.Await().message(), "host 1 (b) died");
  EXPECT_EQ(FetchLiteral(buffer).status().message(), "host 1 (b) died");
}

TEST_P(BufferTest, WhatIsSharedIsDonatedAsACopyWhileOthersHaveIt) {
  const auto first = ReadyBuffer(TwoFloats(), GlobalDeviceId(3), device_);
  const auto second = *first->Share();
  const auto third = *second->Share();
  EXPECT_EQ(second->identity(), first->identity());
  // Both are donated before the first launch takes the memory.
  ASSERT_TRUE(first->Donate("launch 1").ok());
  ASSERT_TRUE(second->Donate("launch 2").ok());
  EXPECT_EQ(first->Share().status().code(),
            absl::StatusCode::kFailedPrecondition);
  for (const auto& buffer : {first, second}) {
    const auto taken = buffer->Take();
    ASSERT_TRUE(taken.ok()) << taken.status();
    EXPECT_FALSE(taken->memory->is_writable());
    EXPECT_EQ(*FetchLiteral(*third), TwoFloats());
  }
  ASSERT_TRUE(third->Donate("launch 3").ok());
  const auto last = third->Take();
  ASSERT_TRUE(last.ok()) << last.status();
  EXPECT_TRUE(last->memory->is_writable());
}

TEST_P(BufferTest, TheLastOwnerOfWhatWasSharedDonatesTheMemoryItself) {
  const auto first = ReadyBuffer(TwoFloats(), GlobalDeviceId(3), device_);
  {
    const auto second = *first->Share();
  }
  ASSERT_TRUE(first->Donate("launch 1").ok());
  EXPECT_TRUE(first->Take()->memory->is_writable());
}

TEST_P(BufferTest, ALaunchThatDoesNotTakeWhatItWasGivenLetsGoOfIt) {
  const auto first = ReadyBuffer(TwoFloats(), GlobalDeviceId(3), device_);
  {
    const auto second = *first->Share();
    ASSERT_TRUE(second->Donate("a launch that fails").ok());
  }
  ASSERT_TRUE(first->Donate("launch 1").ok());
  EXPECT_TRUE(first->Take()->memory->is_writable());
}

TEST_P(BufferTest, CallbackOnAReadyBufferRunsAtOnce) {
  const auto buffer = ReadyBuffer(TwoFloats(), GlobalDeviceId(0), device_);
  bool was_called = false;
  buffer->OnReady(
      [&](const absl::Status& status) { was_called = status.ok(); });
  EXPECT_TRUE(was_called);
}

TEST_P(BufferTest, DonatedBufferNamesItsTaker) {
  const auto buffer = ReadyBuffer(TwoFloats(), GlobalDeviceId(0), device_);
  ASSERT_TRUE(buffer->Donate("launch 4 of step").ok());
  for (const absl::Status& status :
       {buffer->Await(), FetchLiteral(*buffer).status(),
        ReadOnHost(*buffer).status(), buffer->Memory().status(),
        buffer->Donate("another").status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("launch 4 of step"));
  }
}

TEST_P(BufferTest, PendingBufferCanBeDonated) {
  Buffer buffer(kTwoFloats, GlobalDeviceId(0));
  auto storage = *buffer.Donate("launch 1 of step");
  EXPECT_FALSE(FetchLiteral(buffer).ok());
  EXPECT_FALSE(storage->Take().ok());
  SetValue(buffer, TwoFloats(), device_);
  EXPECT_TRUE(storage->Take().ok());
}

TEST_P(BufferTest, EarlierReaderKeepsTheStorageOfADonatedBuffer) {
  const auto buffer = ReadyBuffer(TwoFloats(), GlobalDeviceId(0), device_);
  auto reader = *buffer->Storage();
  auto taker = *buffer->Donate("launch 2 of step");
  EXPECT_TRUE(reader->Memory().ok());
  EXPECT_TRUE(taker->Take().ok());
  EXPECT_FALSE(reader->Memory().ok());
}

TEST_P(BufferTest, PlacedBeforeItsContentIsThere) {
  const auto source = ReadyBuffer(TwoFloats(), GlobalDeviceId(0), device_);
  auto content = std::make_shared<DeviceEvent>();
  const Buffer buffer(kTwoFloats, GlobalDeviceId(0),
                      {*source->Memory(), content});
  const auto storage = *buffer.Storage();
  EXPECT_TRUE(storage->is_placed());
  EXPECT_FALSE(buffer.is_ready());
  EXPECT_TRUE(storage->Memory().ok());
  EXPECT_FALSE(buffer.Memory().ok());
  content->Finish(absl::OkStatus());
  EXPECT_TRUE(buffer.Memory().ok());
}

TEST_P(BufferTest, ContentThatFailsIsTheErrorOfThePlacedBuffer) {
  const auto source = ReadyBuffer(TwoFloats(), GlobalDeviceId(0), device_);
  auto content = std::make_shared<DeviceEvent>();
  const Buffer buffer(kTwoFloats, GlobalDeviceId(0),
                      {*source->Memory(), content});
  content->Finish(absl::DataLossError("bad sector"));
  EXPECT_EQ(buffer.Await().message(), "bad sector");
  EXPECT_EQ(FetchLiteral(buffer).status().message(), "bad sector");
  EXPECT_EQ(ReadOnHost(buffer).status().message(), "bad sector");
}

}  // namespace
}  // namespace lockstep::internal
