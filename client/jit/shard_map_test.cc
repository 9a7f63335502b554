#include "client/jit/shard_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/jit/jit_testing.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep {
namespace {

using internal::RecordingView;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ShardMapTest : public ::testing::Test {
 protected:
  // Of data=4, model=2.
  template <typename F>
  auto Mapped(F f, JitShardings in, JitShardings out,
              ShardMapOptions options = {}) {
    return shard_map(std::move(f), mesh_, std::move(in), std::move(out),
                     std::move(options), view_);
  }
  template <typename F>
  std::string ErrorOf(F f, JitShardings in, JitShardings out,
                      ShardMapOptions options = {}) {
    return Mapped(std::move(f), std::move(in), std::move(out),
                  std::move(options))(Counting({8, 6}))
        .status()
        .ToString();
  }

  const std::shared_ptr<RecordingView> view_ = RecordingView::Create(8);
  const Mesh mesh_ = DataModel(*view_);
};

Tensor GatherRows(Tensor x) {
  return all_gather(x, "data", {.dim = 0, .tiled = true});
}

// Y-7.
TEST_F(ShardMapTest, TextIsAManualComputation) {
  const auto body = Mapped(GatherRows, PartitionSpec("data"), PartitionSpec(),
                           {.name = "body"});
  const auto lowered = body.lower(Counting({32, 64}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_EQ(Collapsed(lowered->as_text()), Collapsed(R"(
module @jit_body attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"data", "model"} (%arg1: tensor<8x64xf32>) {
      %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<32x64xf32>
      sdy.return %1 : tensor<32x64xf32>
    } : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
})"));
}

// Y-7.
TEST_F(ShardMapTest, TextInTheFormOfGspmd) {
  const auto body = Mapped(GatherRows, PartitionSpec("data"), PartitionSpec(),
                           {.name = "body"});
  const auto lowered = body.lower(Counting({32, 64}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  const auto text = lowered->as_text(ShardingForm::kGspmd);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(Collapsed(*text), Collapsed(R"(
module @jit_body attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<32x64xf32>) -> tensor<8x64xf32>
    %2 = call @shmap_body(%1) : (tensor<8x64xf32>) -> tensor<32x64xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %4 : tensor<32x64xf32>
  }
  func.func private @shmap_body(%arg0: tensor<8x64xf32>) -> (tensor<32x64xf32> {jax.result_info = "[None, None]"}) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
})"));
}

// Y-8.
TEST_F(ShardMapTest, CollectivesRunAlongAxesOfTheMesh) {
  const Array x = Counting({32, 64});
  EXPECT_EQ(
      Floats(Mapped(GatherRows, PartitionSpec("data"), PartitionSpec())(x)),
      Floats(x));
  const auto sum = Mapped([](Tensor a) { return psum(a, "data"); },
                          PartitionSpec("data"), PartitionSpec())(x);
  const std::vector<float> values = Floats(x);
  const std::vector<float> sums = Floats(sum);
  ASSERT_EQ(sums.size(), 8u * 64);
  for (size_t i = 0; i < sums.size(); ++i) {
    float expected = 0;
    for (size_t block = 0; block < 4; ++block) {
      expected += values[block * 512 + i];
    }
    EXPECT_EQ(sums[i], expected) << i;
  }
}

TEST_F(ShardMapTest, EveryCollectiveKnowsItsDevice) {
  // 8 rows along both axes, one on each device.
  const Array x = Array({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f});
  const PartitionSpec both(AxisTuple{"data", "model"});
  EXPECT_THAT(Floats(Mapped(
                  [](Tensor a) {
                    return a * 0.0 + axis_index("data") * 10 +
                           axis_index("model");
                  },
                  both, both)(x)),
              ElementsAre(0, 1, 10, 11, 20, 21, 30, 31));
  EXPECT_THAT(Floats(Mapped([](Tensor a) { return psum(a, "model"); }, both,
                            PartitionSpec("data"))(x)),
              ElementsAre(1, 5, 9, 13));
  EXPECT_THAT(Floats(Mapped(
                  [](Tensor a) {
                    return ppermute(a, "data",
                                    {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
                  },
                  both, both)(x)),
              ElementsAre(6, 7, 0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Floats(Mapped([](Tensor a) { return psum(a, {"model", "data"}); },
                            both, PartitionSpec())(x)),
              Each(28));
}

TEST_F(ShardMapTest, IsAPartOfAProgram) {
  const auto f = [this](Tensor x) {
    const auto sum = shard_map([](Tensor a) { return psum(a * 2.0, "data"); },
                               mesh_, PartitionSpec("data", "model"),
                               PartitionSpec(nullptr, "model"));
    return sum(x + 1.0) - 1.0;
  };
  const auto program = jit(f, {.mesh = mesh_, .view = view_});
  const std::vector<float> found = Floats(program(Counting({8, 4})));
  const std::vector<float> x = Floats(Counting({8, 4}));
  ASSERT_EQ(found.size(), 8u);
  for (int i = 0; i < 8; ++i) {
    float sum = 0;
    for (int block = 0; block < 4; ++block) sum += 2 * (x[block * 8 + i] + 1);
    EXPECT_EQ(found[i], sum - 1) << i;
  }
}

// What is used of values around it is whole on each device.
TEST_F(ShardMapTest, ValuesAroundItMayBeUsed) {
  const auto f = [this](Tensor x) {
    const Tensor y = with_sharding_constraint(x + 1.0, PartitionSpec("data"));
    const Tensor table = arange(4) * 10.0;
    const auto body = shard_map(
        [&](Tensor a) {
          const Tensor total = sum(y);
          return a + total + sum(table) + psum(a * 0.0, "model");
        },
        mesh_, PartitionSpec("data"), PartitionSpec("data"));
    return body(x);
  };
  const auto program = jit(f, {.mesh = mesh_, .view = view_});
  const Array x = Array({1.f, 2.f, 3.f, 4.f});
  EXPECT_THAT(Floats(program(x)), ElementsAre(75, 76, 77, 78));
}

TEST_F(ShardMapTest, AxesMayStayWithPropagation) {
  const auto body =
      Mapped([](Tensor a) { return psum(a, "data"); }, PartitionSpec("data"),
             PartitionSpec(), {.auto_axes = {"model"}, .name = "part"});
  const auto lowered = body.lower(Counting({8, 6}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_THAT(lowered->as_text(),
              AllOf(HasSubstr("in_shardings=[<@mesh, [{\"data\", ?}, {?}]>]"),
                    HasSubstr("manual_axes={\"data\"}"),
                    HasSubstr("[[0, 2, 4, 6], [1, 3, 5, 7]]")));
  EXPECT_EQ(Floats(body(Counting({8, 6}))).size(), 2u * 6);
}

TEST_F(ShardMapTest, MapsNestOverOtherAxes) {
  const auto outer = Mapped(
      [this](Tensor a) {
        const auto inner =
            shard_map([](Tensor b) { return psum(b, {"data", "model"}); },
                      mesh_, PartitionSpec(nullptr, "model"), PartitionSpec());
        return inner(a);
      },
      PartitionSpec("data"), PartitionSpec(), {.auto_axes = {"model"}});
  const std::vector<float> found = Floats(outer(Counting({4, 4})));
  const std::vector<float> x = Floats(Counting({4, 4}));
  ASSERT_EQ(found.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    float sum = 0;
    for (int row = 0; row < 4; ++row)
      sum += x[row * 4 + i] + x[row * 4 + 2 + i];
    EXPECT_EQ(found[i], sum) << i;
  }
}

TEST_F(ShardMapTest, ResultsMustBeEqualWhereTheSpecSaysSo) {
  const auto identity = [](Tensor a) { return a; };
  EXPECT_THAT(ErrorOf(identity, PartitionSpec("data"), PartitionSpec()),
              AllOf(HasSubstr("INVALID_ARGUMENT"),
                    HasSubstr("shard_map_test.cc:"), HasSubstr("shard_map"),
                    HasSubstr("result may differ along the axis 'data'")));
  // The first device's, on promise.
  const auto promised = Mapped(identity, PartitionSpec("data"), PartitionSpec(),
                               {.check_replication = false});
  EXPECT_EQ(Floats(promised(Counting({8, 6}))).size(), 2u * 6);
  // In loops, until nothing changes.
  const auto loop = [](Tensor a) {
    const Tensor zero = a * 0.0;
    const std::vector<Tensor> carried =
        while_loop([](const std::vector<Tensor>& v) { return v[0] < 3; },
                   [](const std::vector<Tensor>& v) {
                     return std::vector<Tensor>{v[0] + 1, v[2], v[1]};
                   },
                   {asarray(0), psum(zero, {"data", "model"}), a});
    return carried[1];
  };
  EXPECT_THAT(ErrorOf(loop, PartitionSpec("data"), PartitionSpec()),
              HasSubstr("may differ along the axis 'data'"));
}

TEST_F(ShardMapTest, WrongSpecsAreRefused) {
  const auto identity = [](Tensor a) { return a; };
  EXPECT_THAT(ErrorOf(identity, PartitionSpec(nullptr, "data"),
                      PartitionSpec(nullptr, "data")),
              AllOf(HasSubstr("argument 0: dimension 1"), HasSubstr("size 6"),
                    HasSubstr("'data', of size 4")));
  EXPECT_THAT(ErrorOf(identity, PartitionSpec("model"), PartitionSpec("model"),
                      {.auto_axes = {"model"}}),
              AllOf(HasSubstr("in_specs: argument 0"),
                    HasSubstr("manual axes 'data', found 'model'")));
  EXPECT_THAT(ErrorOf(identity, PartitionSpec(), PartitionSpec(),
                      {.auto_axes = {"rows"}}),
              AllOf(HasSubstr("auto_axes"), HasSubstr("'rows'")));
  EXPECT_THAT(ErrorOf(identity, nullptr, PartitionSpec()),
              AllOf(HasSubstr("in_specs: expected a PartitionSpec"),
                    HasSubstr("argument 0, of type tensor<8x6xf32>")));
  EXPECT_THAT(ErrorOf(
                  [](Tensor a) {
                    return with_sharding_constraint(a, PartitionSpec("data"));
                  },
                  PartitionSpec("data"), PartitionSpec("data")),
              AllOf(HasSubstr("shard_map_test.cc:"),
                    HasSubstr("axes that are not manual around this op"),
                    HasSubstr("\"data\"")));
  EXPECT_THAT(ErrorOf([](Tensor a) { return psum(a, "rows"); },
                      PartitionSpec("data"), PartitionSpec()),
              AllOf(HasSubstr("NOT_FOUND"), HasSubstr("'data', 'model'")));
}

}  // namespace
}  // namespace lockstep
