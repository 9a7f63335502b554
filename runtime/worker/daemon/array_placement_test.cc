#include "runtime/worker/daemon/array_placement.h"

#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/devices/fake/fake_platform.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

constexpr ArrayHandle kArray{ClientId(1), 5};

class ArrayPlacementTest : public ::testing::Test {
 protected:
  void SetDevices() {
    placement_.SetDevices({{GlobalDeviceId(2), platform_.devices()[0]},
                           {GlobalDeviceId(3), platform_.devices()[1]}});
  }
  float ValueOn(int device) {
    const auto buffer = arrays_.Find(kArray, GlobalDeviceId(device));
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return FetchLiteral(**buffer)->data<float>()[0];
  }
  absl::Status Put(std::vector<ArrayPlacement::PlacedValue> values) {
    return placement_.Put(std::move(values));
  }

  FakePlatform platform_{2};
  ArrayStore arrays_;
  ArrayPlacement placement_{&arrays_};
};

TEST_F(ArrayPlacementTest, ValuesOfOneDeviceAndOfSeveral) {
  SetDevices();
  EXPECT_TRUE(Put({{kArray, {GlobalDeviceId(2)}, Literal::Scalar(1.0f)}}).ok());
  EXPECT_TRUE(Put({{kArray, {GlobalDeviceId(3)}, Literal::Scalar(2.0f)}}).ok());
  EXPECT_EQ(ValueOn(2), 1);
  EXPECT_EQ(ValueOn(3), 2);
  arrays_.Delete(kArray);
  EXPECT_TRUE(Put({{kArray,
                    {GlobalDeviceId(2), GlobalDeviceId(3)},
                    Literal::Scalar(3.0f)}})
                  .ok());
  EXPECT_EQ(ValueOn(2), 3);
  EXPECT_EQ(ValueOn(3), 3);
}

TEST_F(ArrayPlacementTest, AllOrNothing) {
  SetDevices();
  const absl::Status elsewhere =
      Put({{kArray, {GlobalDeviceId(2)}, Literal::Scalar(1.0f)},
           {kArray, {GlobalDeviceId(7)}, Literal::Scalar(1.0f)}});
  EXPECT_EQ(elsewhere.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(elsewhere.message()), HasSubstr("device 7"));
  EXPECT_EQ(arrays_.size(), 0);

  const ArrayHandle before{ClientId(1), 4};
  ASSERT_TRUE(Put({{kArray, {GlobalDeviceId(2)}, Literal::Scalar(1.0f)}}).ok());
  EXPECT_EQ(Put({{before, {GlobalDeviceId(2)}, Literal::Scalar(2.0f)},
                 {kArray, {GlobalDeviceId(2)}, Literal::Scalar(2.0f)}})
                .code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(arrays_.size(), 1);
  EXPECT_EQ(ValueOn(2), 1);
}

TEST_F(ArrayPlacementTest, CallsBackWhenDevicesAreKnown) {
  std::vector<absl::Status> told;
  const auto tell = [&](const absl::Status& status) { told.push_back(status); };
  placement_.WhenDevicesKnown(tell);
  EXPECT_EQ(placement_.AwaitDevices(absl::InfinitePast()).code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_TRUE(told.empty());
  SetDevices();
  EXPECT_EQ(told.size(), 1u);
  placement_.WhenDevicesKnown(tell);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_TRUE(told[0].ok() && told[1].ok());
  EXPECT_TRUE(placement_.AwaitDevices(absl::InfiniteFuture()).ok());
}

TEST_F(ArrayPlacementTest, TheEndIsToldToWhoeverWaits) {
  std::vector<absl::Status> told;
  const auto tell = [&](const absl::Status& status) { told.push_back(status); };
  placement_.WhenDevicesKnown(tell);
  placement_.Close(absl::UnavailableError("ended"));
  placement_.WhenDevicesKnown(tell);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].message(), "ended");
  EXPECT_EQ(told[1].message(), "ended");
  EXPECT_EQ(placement_.AwaitDevices(absl::InfiniteFuture()).message(), "ended");
}

}  // namespace
}  // namespace lockstep::internal
