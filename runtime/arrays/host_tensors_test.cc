#include "runtime/arrays/host_tensors.h"

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {
namespace {

class HostTensorsTest : public ::testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Platform> platform_ = *MakePlatform(GetParam(), {});
  LocalDevice& device_ = *platform_->devices()[0];
};
INSTANTIATE_TEST_SUITE_P(Platforms, HostTensorsTest,
                         ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

Literal Iota(const Shape& shape) {
  Literal literal(shape);
  uint8_t next = 0;
  for (int64_t i = 0; i < shape.byte_size(); ++i) {
    literal.mutable_bytes()[i] = std::byte{next++};
  }
  return literal;
}

TEST_P(HostTensorsTest, WhatIsPutIsFetched) {
  for (const Shape& shape :
       {Shape(ElementType::kF32, {}), Shape(ElementType::kS8, {3, 5}),
        Shape(ElementType::kC128, {7}), Shape(ElementType::kF32, {0, 4})}) {
    const Literal value = Iota(shape);
    auto buffer = PutLiteral(value, GlobalDeviceId(4), device_);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    EXPECT_EQ((*buffer)->device(), GlobalDeviceId(4));
    EXPECT_EQ((*buffer)->shape(), shape);
    EXPECT_EQ(*FetchLiteral(**buffer), value);
    EXPECT_EQ(Literal::CopyOf(ReadOnHost(**buffer)->view), value);
  }
}

TEST_P(HostTensorsTest, LargeValuesAreTheBuffersOwnMemoryUntilItIsDonated) {
  const Literal value = Iota(Shape(ElementType::kS8, {100000}));
  const auto buffer = *PutLiteral(value, GlobalDeviceId(0), device_);
  ASSERT_TRUE(buffer->Await().ok());
  const auto memory = *buffer->Memory();
  Literal fetched = *FetchLiteral(*buffer);
  EXPECT_EQ(fetched, value);
  EXPECT_EQ(fetched.is_shared(), memory->address().host_accessible());
  if (!fetched.is_shared()) return;
  EXPECT_EQ(fetched.bytes(), memory->address().host_bytes());
  EXPECT_EQ((*FetchLiterals({buffer}))[0].bytes(), fetched.bytes());
  // A launch may not write to it.
  ASSERT_TRUE(buffer->Donate("a launch").ok());
  const auto donated = buffer->Take();
  ASSERT_TRUE(donated.ok()) << donated.status();
  EXPECT_FALSE(donated->memory->is_writable());
  fetched.mutable_bytes()[0] = std::byte{77};
  EXPECT_EQ(memory->address().host_bytes()[0], value.bytes()[0]);
}

TEST_P(HostTensorsTest, AFetchedValueIsPutWithoutACopyAndNotWrittenTo) {
  const auto buffer = *PutLiteral(Iota(Shape(ElementType::kS8, {100000})),
                                  GlobalDeviceId(0), device_);
  const auto again =
      *PutLiteral(*FetchLiteral(*buffer), GlobalDeviceId(0), device_);
  EXPECT_EQ(*FetchLiteral(*again), *FetchLiteral(*buffer));
  ASSERT_TRUE(again->Await().ok());
  const auto memory = *again->Memory();
  if (!memory->address().host_accessible()) return;
  EXPECT_FALSE(memory->is_writable());
  EXPECT_EQ(memory->address().host_bytes(),
            (*buffer->Memory())->address().host_bytes());
}

TEST_P(HostTensorsTest, SeveralAreFetchedAndReadInTheirOrder) {
  std::vector<Literal> values;
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (int64_t size : {3, 0, 100000, 3}) {
    values.push_back(Iota(Shape(ElementType::kS8, {size})));
    buffers.push_back(*PutLiteral(values.back(), GlobalDeviceId(0), device_));
  }
  buffers.push_back(buffers[0]);
  values.push_back(values[0]);
  EXPECT_EQ(*FetchLiterals(buffers), values);
  std::vector<Literal> read;
  EXPECT_EQ(ReadInPlace(buffers,
                        [&](const LiteralView& value) {
                          read.push_back(Literal::CopyOf(value));
                        }),
            absl::OkStatus());
  EXPECT_EQ(read, values);
}

TEST_P(HostTensorsTest, AReadThatHasBegunIsOverBeforeTheMemoryIsTaken) {
  const Literal value = Iota(Shape(ElementType::kS8, {1000}));
  const auto buffer = *PutLiteral(value, GlobalDeviceId(0), device_);
  EXPECT_EQ(buffer->Await(), absl::OkStatus());
  const auto storage = *buffer->Storage();
  auto memory = storage->BeginRead();
  ASSERT_EQ(memory.status(), absl::OkStatus());
  absl::Notification is_taken;
  std::thread taker([&] {
    EXPECT_EQ(storage->Take().status(), absl::OkStatus());
    is_taken.Notify();
  });
  // Once a taker waits, no further read begins.
  while (storage->BeginRead().ok()) std::this_thread::yield();
  EXPECT_FALSE(is_taken.HasBeenNotified());
  memory->reset();
  taker.join();
}

TEST_P(HostTensorsTest, BuffersOutliveThePlatform) {
  std::unique_ptr<Platform> platform = *MakePlatform(GetParam(), {});
  auto buffer = *PutLiteral(Iota(Shape(ElementType::kS8, {100})),
                            GlobalDeviceId(0), *platform->devices()[0]);
  platform.reset();
  EXPECT_EQ(buffer->Await(), absl::OkStatus());
  buffer.reset();
}

TEST(HostTensorsOnCpuTest, NothingIsCopied) {
  const auto platform = *MakePlatform("cpu", {});
  Literal value = Iota(Shape(ElementType::kS8, {1000}));
  const std::byte* const bytes = value.bytes();
  const auto buffer =
      *PutLiteral(std::move(value), GlobalDeviceId(0), *platform->devices()[0]);
  EXPECT_EQ(ReadOnHost(*buffer)->view.bytes(), bytes);
}

TEST(HostTensorsOnFakeTest, ACopyThatFailsIsTheErrorOfTheBuffer) {
  FakePlatform platform(1);
  platform.device(0).FailNth(FakeDevice::Operation::kCopy, 1,
                             absl::DataLossError("bus error"));
  const auto buffer = *PutLiteral(Iota(Shape(ElementType::kS8, {10})),
                                  GlobalDeviceId(0), *platform.devices()[0]);
  EXPECT_EQ(buffer->Await().message(), "bus error");
  EXPECT_EQ(FetchLiteral(*buffer).status().message(), "bus error");
}

TEST(HostTensorsOnFakeTest, PutDoesNotWaitForTheDevice) {
  FakePlatform platform(1);
  platform.device(0).Hold();
  const Literal value = Iota(Shape(ElementType::kS8, {10}));
  const auto buffer =
      *PutLiteral(value, GlobalDeviceId(0), *platform.devices()[0]);
  EXPECT_FALSE(buffer->is_ready());
  platform.device(0).Release();
  EXPECT_EQ(*FetchLiteral(*buffer), value);
}

// A platform of two devices, each of which has a buffer that is ready.
class CopiesFromFakes : public ::testing::Test {
 protected:
  CopiesFromFakes() {
    for (int i = 0; i < 2; ++i) {
      values_.push_back(Iota(Shape(ElementType::kS8, {10 + i})));
      buffers_.push_back(
          *PutLiteral(values_[i], GlobalDeviceId(i), *platform_.devices()[i]));
      EXPECT_EQ(buffers_[i]->Await(), absl::OkStatus());
    }
  }

  // Runs `read` while no device copies anything, until both have been asked to:
  // who waits for the first copy before asking for the second waits for ever.
  template <class Read>
  auto WithBothCopiesOutstanding(Read read) {
    constexpr auto kTransfers = FakeDevice::Queue::kTransfers;
    for (int i = 0; i < 2; ++i) platform_.device(i).Hold(kTransfers);
    std::thread release([this] {
      for (int i = 0; i < 2; ++i) platform_.device(i).AwaitQueued(kTransfers);
      for (int i = 0; i < 2; ++i) platform_.device(i).Release(kTransfers);
    });
    auto result = read();
    release.join();
    return result;
  }

  FakePlatform platform_{2};
  std::vector<Literal> values_;
  std::vector<std::shared_ptr<Buffer>> buffers_;
};

TEST_F(CopiesFromFakes, AreAllAskedForBeforeTheFirstIsThere_WhenFetched) {
  EXPECT_EQ(*WithBothCopiesOutstanding([&] { return FetchLiterals(buffers_); }),
            values_);
}

TEST_F(CopiesFromFakes, AreAllAskedForBeforeTheFirstIsThere_WhenRead) {
  std::vector<Literal> read;
  EXPECT_EQ(WithBothCopiesOutstanding([&] {
              return ReadInPlace(buffers_, [&](const LiteralView& value) {
                read.push_back(Literal::CopyOf(value));
              });
            }),
            absl::OkStatus());
  EXPECT_EQ(read, values_);
}

TEST(ReadAheadTest, BeginsTwoAndMoreUpToALimit) {
  const auto order = [](const std::vector<int64_t>& bytes) {
    std::string text;
    EXPECT_EQ(ReadAhead(
                  bytes.size(),
                  [&](size_t i) -> absl::StatusOr<int64_t> {
                    absl::StrAppend(&text, "+", i);
                    return bytes[i];
                  },
                  [&](size_t i) {
                    absl::StrAppend(&text, "-", i);
                    return absl::OkStatus();
                  }),
              absl::OkStatus());
    return text;
  };
  EXPECT_EQ(order({}), "");
  EXPECT_EQ(order({1}), "+0-0");
  EXPECT_EQ(order({1, 0, 2, 3}), "+0+1+2+3-0-1-2-3");
  const int64_t all = kReadAheadBytes;
  EXPECT_EQ(order({all, all, all, all}), "+0+1-0+2-1+3-2-3");
  EXPECT_EQ(order({all / 2, 1, all / 2, 1, 1}), "+0+1+2-0+3+4-1-2-3-4");
}

TEST(ReadAheadTest, EndsWithTheFirstError) {
  const auto read = [](int failing_begin, int failing_end) {
    int ended = 0;
    const absl::Status status = ReadAhead(
        3,
        [&](size_t i) -> absl::StatusOr<int64_t> {
          if (static_cast<int>(i) == failing_begin) {
            return absl::DataLossError("begin");
          }
          return 1;
        },
        [&](size_t i) {
          ++ended;
          return static_cast<int>(i) == failing_end ? absl::DataLossError("end")
                                                    : absl::OkStatus();
        });
    return absl::StrCat(status.message(), " ", ended);
  };
  EXPECT_EQ(read(2, -1), "begin 0");
  EXPECT_EQ(read(-1, 1), "end 2");
}

TEST_F(CopiesFromFakes, OfWhichOneFailsAreThatError) {
  platform_.device(1).FailNth(FakeDevice::Operation::kCopy, 1,
                              absl::DataLossError("bus error"));
  EXPECT_EQ(FetchLiterals(buffers_).status().message(), "bus error");
  EXPECT_EQ(*FetchLiterals(buffers_), values_);
}

TEST_F(CopiesFromFakes, ThatNobodyWaitsForDoNoHarm) {
  platform_.device(0).Hold(FakeDevice::Queue::kTransfers);
  EXPECT_EQ(BeginReadOnHost(*buffers_[0]).status(), absl::OkStatus());
  buffers_.clear();
  platform_.device(0).Release(FakeDevice::Queue::kTransfers);
}

}  // namespace
}  // namespace lockstep::internal
