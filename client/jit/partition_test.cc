#include "client/jit/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/jit/jit_testing.h"
#include "client/jit/sjit.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"

namespace lockstep {
namespace {

using internal::RecordingView;
using ::testing::AllOf;
using ::testing::HasSubstr;

class PartitionTest : public ::testing::Test {
 protected:
  const std::shared_ptr<RecordingView> view_ = RecordingView::Create(8);
  // data=4, model=2.
  const NamedAxisPartitioner partitioner_ = *NamedAxisPartitioner::Create(
      {.num_partitions = 2}, view_->world(), HostId(0));
};

// T-24.
TEST_F(PartitionTest, FunctionsSeeMeshAndRules) {
  const auto f = partition(partitioner_,
                           [](Tensor x) {
                             return with_logical_constraint(
                                 x * 2.0, LogicalAxisNames{"batch", "mlp"});
                           },
                           {PartitionSpec("data")}, nullptr, {.view = view_});
  const auto lowered = f.lower(Counting({8, 4}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_THAT(lowered->as_text(),
              AllOf(HasSubstr("sdy.sharding_constraint"),
                    HasSubstr("<@mesh, [{\"data\"}, {\"model\"}]>")));
  const auto y = f(Counting({8, 4}));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_TRUE(y->is_fully_replicated());
  EXPECT_EQ(Floats(y)[0], -6);
}

// T-22.
TEST_F(PartitionTest, FunctionsAreCompiledForTheRulesInScope) {
  int traced = 0;
  const auto f = jit(
      [&traced](Tensor x) {
        ++traced;
        return with_logical_constraint(x * 2.0, LogicalAxisNames{"rows"});
      },
      {.mesh = DataModel(*view_), .view = view_});
  const auto spec_by = [&](const LogicalAxisRules& rules) {
    const LogicalAxisRulesContext context(rules);
    const auto y = f(Counting({8}));
    EXPECT_TRUE(y.ok()) << y.status();
    return y->sharding().named()->spec();
  };
  EXPECT_EQ(spec_by({{"rows", "data"}}), PartitionSpec("data"));
  EXPECT_EQ(spec_by({{"rows", "model"}}), PartitionSpec("model"));
  EXPECT_EQ(spec_by({{"rows", "data"}}), PartitionSpec("data"));
  EXPECT_EQ(traced, 2);
  const auto y = f(Counting({8}));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_TRUE(y->is_fully_replicated());
  EXPECT_EQ(traced, 3);
}

// T-25.
TEST_F(PartitionTest, CompiledFunctionsTakeWhatTheyWereCompiledFor) {
  const auto f = partition(partitioner_, [](Tensor x) { return x + 1.0; },
                           {PartitionSpec("data")}, PartitionSpec("data"),
                           {.view = view_});
  const auto compiled = f.compile(Counting({8, 4}));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(view_->loads(), 1);
  EXPECT_EQ(Floats((*compiled)(Counting({8, 4})))[0], -2);
  EXPECT_EQ(view_->loads(), 1);
  EXPECT_THAT((*compiled)(Counting({16, 4})).status().ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT"),
                    HasSubstr("argument 0: tensor<8x4xf32>"),
                    HasSubstr("tensor<16x4xf32>")));
}

// T-26.
TEST_F(PartitionTest, ParametersMoveToDevices) {
  using State = std::map<std::string, Array>;
  const State state = {{"w", Counting({4, 8})}, {"b", Counting({8})}};
  const auto moved = move_params_to_devices(
      partitioner_, state,
      std::map<std::string, JitSharding>{{"w", PartitionSpec(nullptr, "model")},
                                         {"b", nullptr}},
      view_);
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(moved->at("w").sharding().named()->spec(),
            PartitionSpec(nullptr, "model"));
  EXPECT_TRUE(moved->at("b").is_fully_replicated());
  EXPECT_EQ(Floats(moved->at("w")), Floats(Counting({4, 8})));
}

// S-6.
TEST_F(PartitionTest, RulesGiveShardings) {
  const auto f = sjit([](const std::map<std::string, Tensor>& params,
                         Tensor x) { return matmul(x, params.at("w")); },
                      DataModel(*view_),
                      {.in_shardings = {FsdpShardingRule({.axis_name = "data",
                                                          .axis_size = 4,
                                                          .min_size = 16}),
                                        PartitionSpec("model")},
                       .view = view_});
  const auto lowered = f.lower(
      std::map<std::string, Array>{{"w", Counting({6, 16})}}, Counting({2, 6}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_THAT(lowered->as_text(),
              AllOf(HasSubstr("tensor<6x16xf32> {sdy.sharding = "
                              "#sdy.sharding<@mesh, [{}, {\"data\"}]>}"),
                    HasSubstr("tensor<2x6xf32> {sdy.sharding = "
                              "#sdy.sharding<@mesh, [{\"model\"}, {}]>}")));
}

}  // namespace
}  // namespace lockstep
