#include "runtime/arrays/host_tensors.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

TEST_P(HostTensorsTest, SeveralAreFetchedInTheOrderInWhichTheyAreNamed) {
  const Literal a = Iota(Shape(ElementType::kS8, {3}));
  const Literal b = Iota(Shape(ElementType::kF32, {0}));
  const auto first = *PutLiteral(a, GlobalDeviceId(0), device_);
  const auto second = *PutLiteral(b, GlobalDeviceId(0), device_);
  const auto values = FetchLiterals({first.get(), second.get(), first.get()});
  ASSERT_EQ(values.status(), absl::OkStatus());
  EXPECT_THAT(*values, ::testing::ElementsAre(a, b, a));
  EXPECT_TRUE(FetchLiterals({})->empty());
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

// A device whose copies to the host begin when `expected` of them are on the
// queue.
class MeetingDevice final : public LocalDevice, private DeviceQueue {
 public:
  explicit MeetingDevice(size_t expected) : expected_(expected) {}

  std::string name() const override { return "meeting:0"; }
  const DeviceInfo& info() const override { return info_; }
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Allocate(
      int64_t size) override {
    return std::make_shared<Block>(shared_from_this(), size);
  }
  std::shared_ptr<DeviceMemory> Adopt(std::byte*, int64_t, bool,
                                      std::shared_ptr<const void>) override {
    return nullptr;
  }
  Statistics statistics() const override { return {}; }
  DeviceQueue& compute_queue() override { return *this; }
  DeviceQueue& transfer_queue() override { return *this; }
  DeviceQueue& collective_queue() override { return *this; }

 private:
  class Block : public DeviceMemory {
   public:
    Block(std::shared_ptr<LocalDevice> device, int64_t size)
        : Block(std::move(device), size,
                std::make_unique<std::byte[]>(static_cast<size_t>(size))) {}

   private:
    Block(std::shared_ptr<LocalDevice> device, int64_t size,
          std::unique_ptr<std::byte[]> bytes)
        : DeviceMemory(std::move(device),
                       DeviceAddress(bytes.get(), size,
                                     /*host_accessible=*/false)),
          bytes_(std::move(bytes)) {}
    const std::unique_ptr<std::byte[]> bytes_;
  };
  struct Pending {
    std::byte* to;
    DeviceAddress from;
    std::shared_ptr<DeviceEvent> done;
  };

  bool is_inline() const override { return false; }
  void Copy(WorkScope&, DeviceAddress, DeviceAddress) override {}
  void CopyRows(WorkScope&, int64_t, int64_t, DeviceAddress, int64_t,
                DeviceAddress, int64_t) override {}
  void CopyFromHost(WorkScope&, DeviceAddress to,
                    const std::byte* from) override {
    std::memcpy(to.device_bytes(), from, static_cast<size_t>(to.size()));
  }
  void CopyToHost(WorkScope&, std::byte* to, DeviceAddress from) override {
    pending_.push_back({to, from, std::make_shared<DeviceEvent>()});
  }
  void Fill(WorkScope&, DeviceAddress, std::byte) override {}
  void CallHost(WorkScope&, std::function<absl::Status()>) override {}
  void Wait(WorkScope&, std::shared_ptr<DeviceEvent>) override {}
  std::shared_ptr<DeviceEvent> Record(WorkScope&) override {
    if (pending_.empty()) return nullptr;
    const std::shared_ptr<DeviceEvent> done = pending_.back().done;
    if (pending_.size() < expected_) return done;
    for (const Pending& copy : pending_) {
      std::memcpy(copy.to, copy.from.device_bytes(),
                  static_cast<size_t>(copy.from.size()));
      copy.done->Finish(absl::OkStatus());
    }
    pending_.clear();
    return done;
  }

  const size_t expected_;
  DeviceInfo info_;
  std::vector<Pending> pending_;
};

// Who waited for one before it starts the next would wait for ever.
TEST(FetchLiteralsTest, AllCopiesAreOnTheirWayBeforeOneIsAwaited) {
  const auto device = std::make_shared<MeetingDevice>(3);
  std::vector<Literal> values;
  std::vector<std::shared_ptr<Buffer>> owners;
  std::vector<const Buffer*> buffers;
  for (int64_t size = 1; size <= 3; ++size) {
    values.push_back(Iota(Shape(ElementType::kS8, {size})));
    owners.push_back(*PutLiteral(values.back(), GlobalDeviceId(0), *device));
    buffers.push_back(owners.back().get());
  }
  const auto fetched = FetchLiterals(buffers);
  ASSERT_EQ(fetched.status(), absl::OkStatus());
  EXPECT_EQ(*fetched, values);
}

TEST(FetchLiteralsTest, ACopyThatFailsIsTheErrorOfAll) {
  FakePlatform platform(2);
  const Literal value = Iota(Shape(ElementType::kS8, {10}));
  const auto first =
      *PutLiteral(value, GlobalDeviceId(0), *platform.devices()[0]);
  const auto second =
      *PutLiteral(value, GlobalDeviceId(1), *platform.devices()[1]);
  ASSERT_EQ(second->Await(), absl::OkStatus());
  platform.device(1).FailNth(FakeDevice::Operation::kCopy, 1,
                             absl::DataLossError("bus error"));
  EXPECT_EQ(FetchLiterals({first.get(), second.get()}).status().message(),
            "bus error");
}

}  // namespace
}  // namespace lockstep::internal
