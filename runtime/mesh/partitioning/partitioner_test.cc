// T-16, T-17, T-20 and T-23 of docs/behaviour/partitioning.md.
#include "runtime/mesh/partitioning/partitioner.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partitioning/partitioning_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

Partitioner Of(const PartitionerOptions& options, const World& world,
               int32_t host = 0) {
  return *Partitioner::Create(options, world, HostId(host));
}

NamedAxisPartitioner Named(const PartitionerOptions& options,
                           const World& world, int32_t host = 0) {
  return *NamedAxisPartitioner::Create(options, world, HostId(host));
}

PartitionerOptions Hybrid() {
  return {.num_partitions = 2,
          .ici_mesh_shape = std::vector<int64_t>{1, 4, 2},
          .dcn_mesh_shape = std::vector<int64_t>{2, 1, 1}};
}

TEST(Partitioner, ShardsBatchesOverData_T16) {
  const Partitioner partitioner = Of({.num_partitions = 4}, V3World(), 1);
  EXPECT_EQ(partitioner.mesh().ToString(), "Mesh('data': 8, 'model': 4)");
  EXPECT_EQ(partitioner.data_axis(), SpecEntry("data"));
  EXPECT_EQ(partitioner.DataPartitionSpec(), PartitionSpec("data"));
  EXPECT_EQ(partitioner.data_mesh_size(), 8);
  EXPECT_EQ(partitioner.data_shards(), 4);
  EXPECT_EQ(partitioner.data_shard_id(), 2);
  EXPECT_TRUE(partitioner.logical_axis_rules().empty());
}

TEST(Partitioner, ShardsBatchesOverSlicesToo_T16) {
  const World world = GpuWorld(4, 4, 2);
  for (int32_t host = 0; host < 4; ++host) {
    const Partitioner partitioner = Of(Hybrid(), world, host);
    EXPECT_EQ(partitioner.DataPartitionSpec(),
              PartitionSpec(AxisTuple{"replica", "data"}));
    EXPECT_EQ(partitioner.data_mesh_size(), 8);
    EXPECT_EQ(partitioner.data_shards(), 4);
    EXPECT_EQ(partitioner.data_shard_id(), host);
  }
  PartitionerOptions only_ici = Hybrid();
  only_ici.dcn_mesh_shape.reset();
  EXPECT_EQ(Of(only_ici, world).DataPartitionSpec(), PartitionSpec("data"));
}

TEST(Partitioner, GivesTheLayoutOfItsHost_T17) {
  const Partitioner partitioner = Of({.num_partitions = 4}, V3World(), 1);
  EXPECT_EQ(partitioner.GetDataLayout(64).value(),
            (DataLayout{64, 2, 4, true}));
  EXPECT_EQ(partitioner.GetDataLayout().value(), (DataLayout{8, 2, 4, true}));
  EXPECT_THAT(MessageOf(partitioner.GetDataLayout(12).status(), kInvalid),
              AllOf(HasSubstr("12"), HasSubstr("8")));
}

TEST(Partitioner, RefusesTheLayoutOfAnotherHostFirst_T17) {
  const Partitioner partitioner = Of({.num_partitions = 4}, V3World());
  EXPECT_THAT(MessageOf(partitioner.GetDataLayout(12, 0).status(),
                        absl::StatusCode::kUnimplemented),
              HasSubstr("host_index"));
}

TEST(Partitioner, NeedsPartitionsOrASubmesh_T23) {
  for (const PartitionerOptions& options :
       {PartitionerOptions{}, PartitionerOptions{.num_partitions = 0},
        PartitionerOptions{.ici_mesh_shape = std::vector<int64_t>{1, 4, 2},
                           .dcn_mesh_shape = std::vector<int64_t>{2, 1, 1}}}) {
    const auto refused =
        Partitioner::Create(options, GpuWorld(4, 4, 2), HostId(0));
    EXPECT_THAT(MessageOf(refused.status(), kInvalid),
                AllOf(HasSubstr("num_partitions"),
                      HasSubstr("model_parallel_submesh")));
  }
  EXPECT_THAT(
      MessageOf(CheckPartitionerOptions({.num_partitions = -1}), kInvalid),
      HasSubstr("-1"));
}

TEST(Partitioner, TheSubmeshWins_T23) {
  CapturedLog log;
  const Partitioner partitioner =
      Of({.num_partitions = 16, .model_parallel_submesh = {2, 1, 1, 2}},
         V3World());
  EXPECT_EQ(partitioner.mesh().ToString(), "Mesh('data': 8, 'model': 4)");
  EXPECT_THAT(log.errors(),
              AllOf(HasSubstr("num_partitions 16"), HasSubstr("(2, 1, 1, 2)")));
}

TEST(Partitioner, SubmeshesOfOtherSizesGoOn_T23) {
  CapturedLog log;
  const Partitioner partitioner =
      Of({.model_parallel_submesh = {2, 2}}, GpuWorld(2, 4));
  EXPECT_EQ(RowsText(partitioner.mesh()), "[0 1 4 5][2 3 6 7]");
  EXPECT_THAT(log.errors(), AllOf(HasSubstr("4 sizes"), HasSubstr("(2, 2)")));
}

TEST(Partitioner, ErrorsOfTheLogAreOnlyThese_T23) {
  CapturedLog log;
  Of({.num_partitions = 4}, V3World());
  Of({.model_parallel_submesh = {2, 1, 1, 2}}, V3World());
  EXPECT_EQ(log.errors(), "");
}

TEST(Partitioner, ParametersAreOnDevicesUnlessSaidOtherwise_T23) {
  Partitioner partitioner = Of({.num_partitions = 4}, V3World());
  EXPECT_TRUE(partitioner.params_on_devices());
  partitioner.set_params_on_devices(false);
  EXPECT_FALSE(partitioner.params_on_devices());
  EXPECT_FALSE(Of({.num_partitions = 4, .params_on_devices = false}, V3World())
                   .params_on_devices());
}

TEST(Partitioner, TakesDevicesOfOneBackend_T23) {
  EXPECT_THAT(
      MessageOf(Partitioner::Create({.num_partitions = 1, .backend = "tpu"},
                                    GpuWorld(1, 4), HostId(0))
                    .status(),
                kInvalid),
      HasSubstr("tpu"));
}

// CPUs ignore the number of partitions.
TEST(Partitioner, HostsOfCpusAreData_T23) {
  const Partitioner partitioner = Of({.num_partitions = 1}, WorldOf(2, 4), 1);
  EXPECT_EQ(partitioner.mesh().ToString(), "Mesh('data': 2, 'model': 4)");
  EXPECT_EQ(partitioner.GetDataLayout(6).value(), (DataLayout{6, 1, 2, true}));
}

TEST(NamedAxisPartitioner, TakesTheAxesOfTheBatchRule_T20) {
  const NamedAxisPartitioner partitioner =
      Named({.num_partitions = 4}, V3World(), 1);
  EXPECT_EQ(partitioner.logical_axis_rules(), *StandardLogicalAxisRules());
  EXPECT_EQ(partitioner.data_axis(), SpecEntry("data"));
  EXPECT_EQ(partitioner.GetDataLayout(64).value(),
            (DataLayout{64, 2, 4, true}));
  const NamedAxisPartitioner by_model =
      Named({.num_partitions = 4,
             .logical_axis_rules = LogicalAxisRules{{"batch", "model"}}},
            V3World(), 1);
  EXPECT_EQ(by_model.DataPartitionSpec(), PartitionSpec("model"));
  EXPECT_EQ(by_model.data_mesh_size(), 4);
}

TEST(NamedAxisPartitioner, BatchesGoOverSlicesWhateverTheirRule_T20) {
  PartitionerOptions options = Hybrid();
  for (auto [act, par] : {std::pair(2, 2), std::pair(1, 2)}) {
    options.logical_axis_rules = *StandardLogicalAxisRules(act, par);
    options.logical_axis_rules->push_back({"batch", "model"});
    const NamedAxisPartitioner partitioner = Named(options, GpuWorld(4, 4, 2));
    const LogicalAxisRules& rules = partitioner.logical_axis_rules();
    EXPECT_EQ(rules.front().mesh_axes, SpecEntry(AxisTuple{"replica", "data"}));
    EXPECT_EQ(rules.back().mesh_axes, SpecEntry(AxisTuple{"replica", "data"}));
    EXPECT_EQ(partitioner.data_axis(), SpecEntry(AxisTuple{"replica", "data"}));
    EXPECT_EQ(partitioner.data_mesh_size(), 8);
    EXPECT_EQ(
        LogicalToMeshAxes(LogicalAxisNames("embed", "mlp"), rules).value(),
        PartitionSpec("data", "model"));
    if (act == 2) {
      EXPECT_EQ(
          LogicalToMeshAxes(LogicalAxisNames("batch", "length", "embed"), rules)
              .value(),
          PartitionSpec(AxisTuple{"replica", "data"}, nullptr, "model"));
    }
  }
}

TEST(NamedAxisPartitioner, WithoutABatchRuleThereIsNoDataAxis_T20) {
  const NamedAxisPartitioner partitioner =
      Named({.num_partitions = 4, .logical_axis_rules = LogicalAxisRules{}},
            V3World(), 1);
  EXPECT_TRUE(partitioner.data_axis().is_null());
  EXPECT_EQ(partitioner.DataPartitionSpec(), PartitionSpec(nullptr));
  EXPECT_EQ(partitioner.data_mesh_size(), 1);
  EXPECT_EQ(partitioner.GetDataLayout(64).value(),
            (DataLayout{64, 0, 1, false}));
}

TEST(NamedAxisPartitioner, RefusesABatchAxisThatIsNotThere_T20) {
  const auto refused = NamedAxisPartitioner::Create(
      {.num_partitions = 4,
       .logical_axis_rules = LogicalAxisRules{{"batch", "foo"}}},
      V3World(), HostId(0));
  EXPECT_THAT(MessageOf(refused.status(), kInvalid), HasSubstr("'foo'"));
}

}  // namespace
}  // namespace lockstep::internal
