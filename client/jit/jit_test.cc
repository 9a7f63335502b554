#include "client/jit/jit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/jit/jit_testing.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"

namespace lockstep {
namespace {

using internal::RecordingView;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<RecordingView> OneHost(int devices = 8) {
  return RecordingView::Create(devices);
}

Tensor Predict(Tensor x, Tensor w1, Tensor w2) {
  const Tensor hidden = matmul(tanh(x), w1);
  return sin(matmul(hidden, w2));
}

// Y-5.
TEST(JitTest, TextHasShardingsOfArguments) {
  const auto view = OneHost();
  const auto predict =
      jit(Predict, {.in_shardings = {PartitionSpec("data", nullptr),
                                     PartitionSpec(nullptr, "model"), nullptr},
                    .mesh = DataModel(*view),
                    .name = "predict",
                    .view = view});
  const auto lowered = predict.lower(Counting({16, 128}), Counting({128, 256}),
                                     Counting({256, 10}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_EQ(Collapsed(lowered->as_text()), Collapsed(R"(
module @jit_predict attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<256x10xf32>) -> (tensor<16x10xf32> {jax.result_info = ""}) {
    %0 = stablehlo.tanh %arg0 : tensor<16x128xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
    %3 = stablehlo.sine %2 : tensor<16x10xf32>
    return %3 : tensor<16x10xf32>
  }
})"));
}

// Y-5, Y-19.
TEST(JitTest, TextInTheFormOfGspmd) {
  const auto view = OneHost();
  const auto predict =
      jit(Predict, {.in_shardings = {PartitionSpec("data", nullptr),
                                     PartitionSpec(nullptr, "model"), nullptr},
                    .mesh = DataModel(*view),
                    .name = "predict",
                    .view = view});
  const auto lowered = predict.lower(Counting({16, 128}), Counting({128, 256}),
                                     Counting({256, 10}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  const auto text = lowered->as_text(ShardingForm::kGspmd);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(Collapsed(*text), Collapsed(R"(
module @jit_predict attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x128xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}, %arg1: tensor<128x256xf32> {mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}, %arg2: tensor<256x10xf32>) -> (tensor<16x10xf32> {jax.result_info = ""}) {
    %0 = stablehlo.tanh %arg0 : tensor<16x128xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
    %3 = stablehlo.sine %2 : tensor<16x10xf32>
    return %3 : tensor<16x10xf32>
  }
})"));
}

// Y-6.
TEST(JitTest, ConstraintsInTheFormOfGspmd) {
  const auto view = OneHost();
  const auto f = jit(
      [](Tensor x) {
        return with_sharding_constraint(x,
                                        PartitionSpec("data", kUnconstrained));
      },
      {.mesh = DataModel(*view), .name = "f", .view = view});
  const auto lowered = f.lower(Counting({32, 64}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  const auto text = lowered->as_text(ShardingForm::kGspmd);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(Collapsed(*text), Collapsed(R"(
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
})"));
}

// Y-6.
TEST(JitTest, TextHasConstraints) {
  const auto view = OneHost();
  const auto f = jit(
      [](Tensor x) {
        return with_sharding_constraint(x,
                                        PartitionSpec("data", kUnconstrained));
      },
      {.mesh = DataModel(*view), .name = "f", .view = view});
  const auto lowered = f.lower(Counting({32, 64}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_EQ(Collapsed(lowered->as_text()), Collapsed(R"(
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"data"}, {?}]> : tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
})"));
}

TEST(JitTest, PropagationMayBeConservative) {
  const auto view = OneHost();
  for (const bool is_conservative : {false, true}) {
    const auto f =
        jit([](Tensor x) { return reshape(-reshape(x, {2, 4}), {8}); },
            {.in_shardings = PartitionSpec("data"),
             .out_shardings = PartitionSpec("data"),
             .mesh = DataModel(*view),
             .conservative_propagation = is_conservative,
             .view = view});
    const auto lowered = f.lower(Counting({8}));
    ASSERT_TRUE(lowered.ok()) << lowered.status();
    const auto partitioned = lowered->compile();
    ASSERT_TRUE(partitioned.ok()) << partitioned.status();
    // Without parts of the axis the negated values are whole.
    EXPECT_EQ(absl::StrContains(partitioned->as_text(), "all_gather"),
              is_conservative);
    EXPECT_THAT(Floats(f(Counting({8}))),
                ElementsAre(3, 2, 1, 0, -1, -2, -3, 3));
  }
}

TEST(JitTest, ProgramRunsOnShards) {
  const auto view = OneHost();
  const Mesh mesh = DataModel(*view);
  const Array x = Counting({16, 12}), w1 = Counting({12, 8}),
              w2 = Counting({8, 4});
  const auto sharded = jit(
      Predict,
      {.in_shardings = {PartitionSpec("data"), PartitionSpec(nullptr, "model"),
                        PartitionSpec("model")},
       .out_shardings = PartitionSpec("data"),
       .mesh = mesh,
       .view = view});
  const absl::StatusOr<Array> y = sharded(x, w1, w2);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->sharding().ToString(),
            "NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
            "spec=PartitionSpec('data', None))");
  const auto whole = jit(Predict, {.view = view});
  EXPECT_THAT(Floats(y), ::testing::Pointwise(::testing::FloatNear(1e-5),
                                              Floats(whole(x, w1, w2))));
  EXPECT_EQ(view->last_load().assignment.devices().size(), 1u);
}

TEST(JitTest, ArraysStayAsTheyAreLaidOut) {
  const auto view = OneHost();
  const Mesh mesh = DataModel(*view);
  const auto x = device_put(Counting({8, 8}),
                            *NamedSharding::Create(mesh, PartitionSpec("data")),
                            {.view = view});
  ASSERT_TRUE(x.ok()) << x.status();
  const auto twice = jit([](Tensor a) { return a + a; }, {.view = view});
  const int puts = view->puts();
  const absl::StatusOr<Array> y = twice(*x);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(view->puts(), puts);
  EXPECT_EQ(y->sharding().named()->spec(), PartitionSpec("data", nullptr));
  EXPECT_EQ(Floats(y)[1], -4);
  // A result is an argument like any other: nothing is compiled again.
  EXPECT_EQ(Floats(twice(*y))[1], -8);
  EXPECT_EQ(view->puts(), puts);
  EXPECT_EQ(view->loads(), 1);
}

TEST(JitTest, OneSignatureIsCompiledOnce) {
  const auto view = OneHost();
  int traced = 0;
  const auto f = jit(
      [&traced](Tensor x, Tensor y) {
        ++traced;
        return x * y;
      },
      {.mesh = DataModel(*view), .view = view});
  EXPECT_THAT(Floats(f(Array({1.f, 2.f}), 3.0)), ElementsAre(3, 6));
  EXPECT_THAT(Floats(f(Array({5.f, 6.f}), 2.0)), ElementsAre(10, 12));
  EXPECT_EQ(traced, 1);
  EXPECT_THAT(Floats(f(Array({5.f, 6.f, 7.f}), 1.0)), ElementsAre(5, 6, 7));
  EXPECT_EQ(traced, 2);
  EXPECT_EQ(view->loads(), 2);
}

TEST(JitTest, StaticArgumentsAreTakenAsTheyAre) {
  const auto view = OneHost();
  int traced = 0;
  const auto power = jit(
      [&traced](Tensor x, int n) {
        ++traced;
        Tensor y = x;
        for (int i = 1; i < n; ++i) y = y * x;
        return y;
      },
      {.static_argnums = {1}, .view = view});
  EXPECT_THAT(Floats(power(Array({2.f, 3.f}), 3)), ElementsAre(8, 27));
  EXPECT_THAT(Floats(power(Array({2.f, 3.f}), 2)), ElementsAre(4, 9));
  EXPECT_THAT(Floats(power(Array({1.f, 1.f}), 3)), ElementsAre(1, 1));
  EXPECT_EQ(traced, 2);
}

double Three() { return 3.0; }

// S-6: shardings are those of the arguments that are not static.
TEST(JitTest, StaticArgumentsHaveNoShardings) {
  const auto view = OneHost();
  const auto f = [](Tensor x, double (*y)(), Tensor z) { return x + y() + z; };
  JitOptions options = {.in_shardings = {PartitionSpec(), PartitionSpec()},
                        .static_argnums = {1},
                        .mesh = MeshOf(*view, {2, 4}, {"x", "y"}),
                        .view = view};
  EXPECT_THAT(Floats(jit(f, options)(1.0, &Three, 2.0)), ElementsAre(6));
  options.static_argnums = {};
  options.in_shardings = {PartitionSpec(), PartitionSpec(), PartitionSpec()};
  EXPECT_THAT(jit(f, options)(1.0, &Three, 2.0).status().ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT"),
                    HasSubstr("argument 1 is of type double (*)()"),
                    HasSubstr("static_argnums")));
  options.static_argnums = {1, 3};
  EXPECT_THAT(jit(f, options)(1.0, &Three, 2.0).status().message(),
              HasSubstr("there is no argument 3, the call has 3"));
}

TEST(JitTest, ContainersKeepTheirForm) {
  const auto view = OneHost();
  using Params = std::map<std::string, Array>;
  const auto f =
      jit([](const std::map<std::string, Tensor>& params,
             Tensor x) { return std::tuple(params, params.at("a") + x); },
          {.in_shardings = {nullptr, PartitionSpec("data")},
           .out_shardings = {nullptr, PartitionSpec(nullptr)},
           .mesh = DataModel(*view),
           .view = view});
  const auto result =
      f(Params{{"a", Counting({8})}, {"b", Counting({2})}}, Counting({8}));
  ASSERT_TRUE(result.ok()) << result.status();
  const auto& [params, sum] = *result;
  EXPECT_EQ(Floats(sum)[0], -6);
  EXPECT_TRUE(sum.is_fully_replicated());
  EXPECT_EQ(Floats(params.at("b"))[1], -2);
}

TEST(JitTest, DonatedArgumentsCannotBeRead) {
  const auto view = OneHost();
  const Mesh mesh = DataModel(*view);
  const auto x = device_put(Counting({8, 8}),
                            *NamedSharding::Create(mesh, PartitionSpec("data")),
                            {.view = view});
  ASSERT_TRUE(x.ok());
  const auto f = jit([](Tensor a) { return a + 1.0; },
                     {.donate_argnums = {0}, .view = view});
  EXPECT_EQ(Floats(f(*x))[0], -2);
  EXPECT_FALSE(x->Fetch().ok());
}

// S-7.
TEST(JitTest, TreesAreConstrainedByRules) {
  const auto view = OneHost();
  const auto f = jit(
      [](Tensor x, Tensor y) {
        return with_sharding_constraint(
            std::tuple(x, y),
            std::tuple(PartitionSpec("model"),
                       FsdpShardingRule({.axis_name = "data", .min_size = 1})));
      },
      {.mesh = DataModel(*view), .view = view});
  const auto lowered = f.lower(Counting({2, 8}), Counting({3, 8}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_THAT(lowered->as_text(),
              AllOf(HasSubstr("%arg0 <@mesh, [{\"model\"}, {}]>"),
                    HasSubstr("%arg1 <@mesh, [{}, {\"data\"}]>")));
  const auto wrong = jit(
      [](Tensor x) {
        return with_sharding_constraint(
            std::tuple(x), std::tuple(PartitionSpec(), PartitionSpec()));
      },
      {.mesh = DataModel(*view), .view = view});
  EXPECT_THAT(wrong.lower(Counting({2})).status().message(),
              AllOf(HasSubstr("jit_test.cc:"), HasSubstr("a list of 2")));
}

// S-8, and S-6's constraint of arguments.
TEST(JitTest, AnnotationsAreThoseOfTheOptions) {
  const auto view = OneHost();
  JitOptions options = {.mesh = DataModel(*view), .view = view};
  const auto f = [](Tensor x) {
    return with_sharding_annotation(x + 1.0, "activation");
  };
  const auto plain = jit(f, options).lower(Counting({8, 8}));
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_THAT(plain->as_text(), Not(HasSubstr("sharding_constraint")));
  options.annotation_shardings = {
      {"activation", Tree<RuleOrSpec>(PartitionSpec("data", "model"))}};
  const auto annotated = jit(f, options).lower(Counting({8, 8}));
  ASSERT_TRUE(annotated.ok()) << annotated.status();
  EXPECT_THAT(annotated->as_text(),
              HasSubstr("<@mesh, [{\"data\"}, {\"model\"}]>"));
  options.annotation_shardings = {};
  options.args_sharding_constraint = {PartitionSpec("data")};
  const auto constrained = jit(f, options).lower(Counting({8, 8}));
  ASSERT_TRUE(constrained.ok()) << constrained.status();
  EXPECT_THAT(constrained->as_text(),
              HasSubstr("sdy.sharding_constraint %arg0 <@mesh, [{\"data\"}"));
}

TEST(JitTest, FunctionsWithinFunctionsAreConstrained) {
  const auto view = OneHost();
  const Mesh mesh = DataModel(*view);
  const auto inner =
      jit([](Tensor x,
             int n) { return with_sharding_annotation(x * n, "product"); },
          {.in_shardings = {PartitionSpec("data")},
           .out_shardings = PartitionSpec(nullptr, "model"),
           .static_argnums = {1},
           .annotation_shardings = {{"product", Tree<RuleOrSpec>(PartitionSpec(
                                                    "model", "data"))}},
           .mesh = mesh});
  const auto outer = jit([&](Tensor x) { return inner(x, 3) + 1.0; },
                         {.mesh = mesh, .view = view});
  const auto lowered = outer.lower(Counting({8, 8}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_THAT(
      lowered->as_text(),
      AllOf(HasSubstr("sharding_constraint %arg0 <@mesh, [{\"data\"}, {}]>"),
            HasSubstr("<@mesh, [{\"model\"}, {\"data\"}]>"),
            HasSubstr("<@mesh, [{}, {\"model\"}]>")));
  EXPECT_EQ(Floats(outer(Counting({8, 8})))[0], -8);
  const auto wrong = jit([](Tensor x) { return x; },
                         {.in_shardings = {PartitionSpec("rows")}});
  EXPECT_THAT(jit([&](Tensor x) { return wrong(x); },
                  {.mesh = mesh, .view = view})(Counting({8}))
                  .status()
                  .message(),
              AllOf(HasSubstr("jit_test.cc:"), HasSubstr("jit: in_shardings"),
                    HasSubstr("rows")));
}

TEST(JitTest, CompiledTextHasCollectivesAndTheirCost) {
  const auto view = OneHost();
  const auto f = jit(
      [](Tensor x, Tensor w) { return matmul(x, w); },
      {.in_shardings = {PartitionSpec(nullptr, "data"), PartitionSpec("data")},
       .out_shardings = PartitionSpec(),
       .mesh = DataModel(*view),
       .view = view});
  const auto lowered = f.lower(Counting({8, 16}), Counting({16, 4}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  const auto compiled = lowered->compile();
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_THAT(compiled->as_text(), HasSubstr("stablehlo.all_reduce"));
  const ProgramCost cost = compiled->cost();
  // 8x4 results of 4 products, and the sums.
  EXPECT_EQ(cost.flops, 2 * 8 * 4 * 4 + 8 * 4);
  // 3/4 of 8x4 floats, there and back.
  EXPECT_EQ(cost.bytes_communicated, 2 * 0.75 * 8 * 4 * 4);
}

TEST(JitTest, WrongShardingsAreRefused) {
  const auto view = OneHost();
  const Mesh mesh = DataModel(*view);
  const auto message = [&](JitOptions options) {
    options.view = view;
    if (!options.mesh.has_value()) options.mesh = mesh;
    const auto f = jit([](Tensor x) { return x * 2.0; }, options);
    const absl::Status status = f(Counting({6, 8})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(message({.in_shardings = {PartitionSpec("data")}}),
              AllOf(HasSubstr("argument 0"), HasSubstr("6"), HasSubstr("4")));
  EXPECT_THAT(message({.in_shardings = {PartitionSpec("rows")}}),
              AllOf(HasSubstr("in_shardings"), HasSubstr("rows")));
  EXPECT_THAT(message({.in_shardings = {PartitionSpec(), PartitionSpec()}}),
              AllOf(HasSubstr("in_shardings"), HasSubstr("a list of 2")));
  EXPECT_THAT(message({.out_shardings = PartitionSpec(nullptr, "x")}),
              AllOf(HasSubstr("out_shardings"), HasSubstr("x")));
  EXPECT_THAT(message({.out_shardings = PartitionSpec("data")}),
              AllOf(HasSubstr("result"), HasSubstr("6")));
  EXPECT_THAT(message({.donate_argnums = {1}}),
              HasSubstr("donate_argnums: there is no argument 1"));
  EXPECT_THAT(message({.donate_argnums = {-1}}),
              HasSubstr("donate_argnums: there is no argument -1"));
  const Mesh other = MeshOf(*view, {8}, {"data"});
  EXPECT_THAT(message({.in_shardings = {*NamedSharding::Create(
                           other, PartitionSpec("data"))},
                       .mesh = mesh}),
              AllOf(HasSubstr("in_shardings at 0"), HasSubstr("'data': 8")));
}

TEST(JitTest, ErrorsOfTracingHaveTheirPlace) {
  const auto view = OneHost();
  const JitOptions options = {.mesh = DataModel(*view), .view = view};
  const auto message = [&](const auto& f) {
    const absl::Status status = jit(f, options)(Counting({6, 8})).status();
    return status.ToString();
  };
  EXPECT_THAT(message([](Tensor x) {
                return with_sharding_constraint(x, PartitionSpec("rows"));
              }),
              AllOf(HasSubstr("jit_test.cc:"),
                    HasSubstr("with_sharding_constraint"), HasSubstr("rows")));
  EXPECT_THAT(message([](Tensor x) {
                return with_sharding_constraint(
                    x, PartitionSpec("data", "model", nullptr));
              }),
              HasSubstr("with_sharding_constraint"));
  EXPECT_THAT(message([](Tensor x) { return psum(x, "data"); }),
              AllOf(HasSubstr("NOT_FOUND"), HasSubstr("'data' is not bound")));
}

}  // namespace
}  // namespace lockstep
