#include "client/jit/sharding_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/jit/jit.h"
#include "client/jit/jit_testing.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Y-20.
TEST(ShardingKindTest, OthersThanNamedAreRefusedWithAHint) {
  EXPECT_TRUE(CheckShardingKind("NamedSharding").ok());
  const auto error = [](absl::string_view kind) {
    const absl::Status status = CheckShardingKind(kind);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(error("GSPMDSharding"),
              AllOf(HasSubstr("GSPMDSharding"), HasSubstr("NamedSharding")));
  EXPECT_THAT(error("PositionalSharding"),
              AllOf(HasSubstr("PositionalSharding"), HasSubstr("NamedSharding"),
                    HasSubstr("device_ids")));
  EXPECT_THAT(error("PmapSharding"),
              AllOf(HasSubstr("PmapSharding"), HasSubstr("jit, not pmap")));
  EXPECT_THAT(error("auto"),
              AllOf(HasSubstr("auto "), HasSubstr("automatic partitioners")));
  EXPECT_THAT(CheckShardingKind("Rows").ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("found Rows")));
}

// Y-20.
TEST(ShardingKindTest, RowsOfMappedFunctionsAreNoShardingOfAProgram) {
  const auto view = internal::RecordingView::Create(8);
  const Mesh mesh = DataModel(*view);
  const auto rows =
      pmap([](Tensor x) { return x; }, {.view = view})(Counting({8, 2}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const auto twice = [](Tensor x) { return x * 2.0; };
  const auto status = jit(twice, {.in_shardings = {rows->sharding()},
                                  .mesh = mesh,
                                  .view = view})(Counting({8, 2}))
                          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("in_shardings: 0"), HasSubstr("PmapSharding")));
  // Of arrays over a mesh, and in host memory.
  const auto y = jit(twice, {.out_shardings = PartitionSpec("data"),
                             .mesh = mesh,
                             .view = view})(Counting({8, 2}));
  ASSERT_TRUE(y.ok()) << y.status();
  const auto like = jit(twice, {.in_shardings = {Counting({8}).sharding()},
                                .out_shardings = y->sharding(),
                                .view = view})(Counting({8, 2}));
  ASSERT_TRUE(like.ok()) << like.status();
  EXPECT_EQ(like->sharding(), y->sharding());
}

TEST(ShardingKindTest, ProgramsComputeInDeviceMemory_M1) {
  const auto view = internal::RecordingView::Create(8);
  const auto twice = [](Tensor x) { return x * 2.0; };
  const NamedSharding device =
      *NamedSharding::Create(DataModel(*view), PartitionSpec("data"));
  const NamedSharding pinned = *device.with_memory_kind("pinned_host");
  const auto status =
      jit(twice, {.out_shardings = pinned, .view = view})(Counting({8, 2}))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_THAT(status.message(), AllOf(HasSubstr("out_shardings"),
                                      HasSubstr("memory_kind=pinned_host"),
                                      HasSubstr("device_put")));
  const auto constrained =
      jit([&](Tensor x) { return with_sharding_constraint(x, pinned) * 2.0; },
          {.view = view})(Counting({8, 2}))
          .status();
  EXPECT_EQ(constrained.code(), absl::StatusCode::kUnimplemented)
      << constrained;
  EXPECT_THAT(constrained.message(),
              AllOf(HasSubstr("with_sharding_constraint"),
                    HasSubstr("memory_kind=pinned_host")));
  // They take arrays in any memory that they can read.
  const auto x = device_put(Counting({8, 2}), pinned, {.view = view});
  ASSERT_TRUE(x.ok()) << x.status();
  const auto y = jit(twice, {.in_shardings = PartitionSpec("data"),
                             .out_shardings = PartitionSpec("data"),
                             .mesh = device.mesh(),
                             .view = view})(*x);
  ASSERT_TRUE(y.ok()) << y.status();
  const NamedSharding whole_rank =
      *NamedSharding::Create(device.mesh(), PartitionSpec("data", nullptr));
  EXPECT_EQ(y->sharding(), Sharding(whole_rank));
}

}  // namespace
}  // namespace lockstep
