#include "runtime/arrays/host_tensors.h"

#include <cstdint>
#include <string>

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

}  // namespace
}  // namespace lockstep::internal
