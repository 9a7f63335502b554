#include "runtime/backends/schedule_builder.h"

#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

TEST(ScheduleBuilderTest, OnlyDevicesNeedPackedPartsOfAnAllToAll) {
  const auto module = ParseAndVerify(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<3x4xf32>) -> tensor<6x2xf32> {
  %r = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<3x4xf32>) -> tensor<6x2xf32>
  return %r : tensor<6x2xf32>
}
})",
                                     "p");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto of_hosts =
      BuildSchedule(**module, {.has_device_collectives = false});
  ASSERT_TRUE(of_hosts.ok()) << of_hosts.status();
  EXPECT_TRUE(of_hosts->steps[0].packed.empty());
  EXPECT_EQ(of_hosts->tensors.size(), 2u);
  const auto of_devices =
      BuildSchedule(**module, {.has_device_collectives = true});
  ASSERT_TRUE(of_devices.ok()) << of_devices.status();
  EXPECT_EQ(of_devices->steps[0].packed.size(), 1u);
  EXPECT_TRUE(of_devices->steps[0].arriving.empty());
  EXPECT_EQ(of_devices->tensors.size(), 3u);
}

// An all_gather moves packed parts everywhere.
TEST(ScheduleBuilderTest, WhatHostsGatherArrivesPacked) {
  const auto module = ParseAndVerify(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3x2xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
})",
                                     "p");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto schedule =
      BuildSchedule(**module, {.has_device_collectives = false});
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(schedule->steps[0].arriving.size(), 1u);
}

}  // namespace
}  // namespace lockstep::internal
