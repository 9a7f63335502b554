#include "client/jit/custom_partitioning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/jit/jit.h"
#include "client/jit/jit_testing.h"
#include "client/jit/shard_map.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep {
namespace {

using internal::RecordingView;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using ShardedShapes = std::vector<ShardedShape>;

// Of the guide: x by the rows of its first matrix, y by those of its second.
constexpr char kMatmulRule[] = "... i j, ... j k -> ... i k";

class CustomPartitioningTest : public ::testing::Test {
 protected:
  // On shards with all rows that are left of x, and of y; each device of 'y'
  // sums over a part of the contracted dimension.
  static PartitionCallback MatmulPartition(int64_t n) {
    return [n](const Mesh& mesh, const ShardedShapes&, const ShardedShapes&) {
      const PartitionSpec rows_of_x(nullptr, nullptr, "x");
      const PartitionSpec rows_of_y(nullptr, nullptr, "y");
      return CustomPartition{
          .mesh = mesh,
          .lower_fn =
              [n](Tensor x, Tensor y) {
                const Tensor i = axis_index("y");
                const Tensor part =
                    dynamic_slice(x, {0, 0, 0, i * n},
                                  {x.shape().dim(0), x.shape().dim(1), n, n});
                return psum(matmul(part, y), "y");
              },
          .result_shardings = rows_of_x,
          .arg_shardings = {rows_of_x, rows_of_y}};
    };
  }

  // y = f(x), by a partition whose callback is this one.
  template <typename F>
  auto Defined(F f, CustomPartitioningOptions options) {
    auto defined = custom_partitioning(std::move(f));
    const absl::Status status = defined.DefPartition(std::move(options));
    EXPECT_TRUE(status.ok()) << status;
    return defined;
  }
  // Doubles on shards that lie as propagation says.
  auto Scale() {
    return Defined([](Tensor x) { return x * 2.0; },
                   {.partition =
                        [this](const Mesh&, const ShardedShapes& args,
                               const ShardedShapes& results) {
                          ++partitions_;
                          seen_ = args[0].sharding.spec();
                          return CustomPartition{
                              .lower_fn = [](Tensor x) { return x * 2.0; },
                              .result_shardings = results[0].sharding,
                              .arg_shardings = args[0].sharding};
                        },
                    .sharding_rule = "... -> ..."});
  }
  template <typename F>
  std::string ErrorOf(const F& f, const Array& x) {
    return jit(f, {.mesh = mesh_, .view = view_})(x).status().ToString();
  }
  // Of a call by this partition, of an 8x4 array.
  std::string ErrorOf(PartitionCallback partition) {
    const auto f = Defined(
        [](Tensor x) { return x * 2.0; },
        {.partition = std::move(partition), .sharding_rule = "i j -> i j"});
    return ErrorOf([f](Tensor x) { return f(x); }, Counting({8, 4}));
  }

  const std::shared_ptr<RecordingView> view_ = RecordingView::Create(8);
  // x=4, y=2.
  const Mesh mesh_ = MeshOf(*view_, {4, 2}, {"x", "y"});
  int partitions_ = 0;
  std::optional<PartitionSpec> seen_;
};

Tensor Matmul(Tensor x, Tensor y) { return matmul(x, y); }

// Y-14.
TEST_F(CustomPartitioningTest, MatmulOfTheGuide) {
  for (const int64_t n : {1, 2, 4}) {
    const auto custom = Defined(Matmul, {.partition = MatmulPartition(n),
                                         .sharding_rule = kMatmulRule});
    const auto program =
        jit([custom](Tensor x, Tensor y) { return custom(x, y); },
            {.in_shardings = {PartitionSpec(nullptr, nullptr, "x"),
                              PartitionSpec(nullptr, nullptr, "y")},
             .out_shardings = PartitionSpec(nullptr, nullptr, "x"),
             .mesh = mesh_,
             .view = view_});
    const Array x = Counting({2, 3, 4 * n, 2 * n});
    const Array y = Counting({2, 3, 2 * n, 4 * n});
    const auto whole = jit(Matmul, {.view = view_});
    EXPECT_EQ(Floats(program(x, y)), Floats(whole(x, y))) << n;
  }
}

// What the partition of one call answers is not what that of the next sees, as
// in JAX, where propagation is over before the first is asked.
TEST_F(CustomPartitioningTest, AllPartitionsSeeOnePropagation) {
  std::vector<std::string> seen;
  const auto scale = [&](const std::string& name, const PartitionSpec& answer) {
    return Defined(
        [](Tensor x) { return x * 2.0; },
        {.partition =
             [&seen, name, answer](const Mesh&, const ShardedShapes& args,
                                   const ShardedShapes& results) {
               seen.push_back(name + " " + args[0].sharding.spec().ToString() +
                              " " + results[0].sharding.spec().ToString());
               return CustomPartition{
                   .lower_fn = [](Tensor shard) { return shard * 2.0; },
                   .result_shardings = answer,
                   .arg_shardings = answer};
             },
         .sharding_rule = "... -> ..."});
  };
  const auto first = scale("first", PartitionSpec());
  const auto second = scale("second", PartitionSpec(nullptr, "y"));
  const auto third = scale("third", PartitionSpec("x"));
  const auto f = [=](Tensor x) { return third(second(first(x)) + 1.0) * 3.0; };
  const auto program = jit(
      f, {.in_shardings = PartitionSpec("x"), .mesh = mesh_, .view = view_});
  const Array x = Counting({8, 6});
  const std::vector<float> found = Floats(program(x));
  const std::vector<float> given = Floats(x);
  ASSERT_EQ(found.size(), given.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], ((given[i] * 4) + 1) * 6) << i;
  }
  const std::string by_x = PartitionSpec("x", nullptr).ToString();
  EXPECT_THAT(seen, ElementsAre("first " + by_x + " " + by_x,
                                "second " + by_x + " " + by_x,
                                "third " + by_x + " " + by_x));
}

// Y-13.
TEST_F(CustomPartitioningTest, CallsAreOneOpUntilShardingsAreKnown) {
  const auto custom =
      Defined(Matmul, {.partition = MatmulPartition(4),
                       .sharding_rule = kMatmulRule,
                       .factors = {.reduction_factors = {"j"}}});
  const auto program =
      jit([custom](Tensor x, Tensor y) { return custom(x, y); },
          {.in_shardings = {PartitionSpec(nullptr, nullptr, "x"),
                            PartitionSpec(nullptr, nullptr, "y")},
           .mesh = mesh_,
           .name = "f",
           .view = view_});
  const auto lowered =
      program.lower(Counting({2, 3, 16, 8}), Counting({2, 3, 8, 16}));
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  EXPECT_EQ(Collapsed(lowered->as_text()), Collapsed(R"(
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<2x3x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}, %arg1: tensor<2x3x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}, {}]>}) -> (tensor<2x3x16x16xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @lockstep.custom_partitioning(%arg0, %arg1) {api_version = 4 : i32, backend_config = {number = 0 : i64}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k, l], [i, j, l, m])->([i, j, k, m]) {i=2, j=3, k=16, l=8, m=16} reduction={l}, custom>} : (tensor<2x3x16x8xf32>, tensor<2x3x8x16xf32>) -> tensor<2x3x16x16xf32>
    return %0 : tensor<2x3x16x16xf32>
  }
})"));
  const auto gspmd = lowered->as_text(ShardingForm::kGspmd);
  ASSERT_TRUE(gspmd.ok()) << gspmd.status();
  EXPECT_THAT(*gspmd, AllOf(HasSubstr("@lockstep.custom_partitioning"),
                            Not(HasSubstr("sdy."))));
  // Nothing is moved but the sum.
  const auto compiled = lowered->compile();
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_THAT(
      compiled->as_text(),
      AllOf(HasSubstr("stablehlo.all_reduce"),
            HasSubstr("[[0, 1], [2, 3], [4, 5], [6, 7]]"),
            Not(HasSubstr("all_gather")), Not(HasSubstr("custom_call"))));
}

TEST_F(CustomPartitioningTest, PartitionSeesShardingsOfPropagation) {
  const auto scale = Scale();
  const auto f = [scale](Tensor x) { return scale(x + 1.0) - 1.0; };
  const auto program = jit(f, {.in_shardings = {PartitionSpec("x", "y")},
                               .mesh = mesh_,
                               .view = view_});
  const auto y = program(Counting({8, 4}));
  EXPECT_EQ(Floats(y)[0], -5);
  EXPECT_EQ(seen_, PartitionSpec("x", "y"));
  EXPECT_EQ(y->sharding().named()->spec(), PartitionSpec("x", "y"));
  // Compiled once.
  EXPECT_EQ(Floats(program(Counting({8, 4})))[1], -3);
  EXPECT_EQ(partitions_, 1);
  // Backwards, from the result, and as far as axes divide the array.
  const auto constrained = jit(
      [f](Tensor x) {
        return with_sharding_constraint(f(x), PartitionSpec(nullptr, "x"));
      },
      {.mesh = mesh_, .view = view_});
  EXPECT_EQ(Floats(constrained(Counting({4, 8})))[0], -5);
  EXPECT_EQ(seen_, PartitionSpec(nullptr, "x"));
  EXPECT_EQ(Floats(constrained(Counting({4, 6})))[0], -5);
  EXPECT_EQ(seen_, PartitionSpec(nullptr, nullptr));
}

TEST_F(CustomPartitioningTest, OperandsAndResultsAreResharded) {
  // Sums along a dimension that each device has whole.
  const auto running =
      Defined([](Tensor x) { return x - sum(x, 1, true); },
              {.partition = [](const Mesh&, const ShardedShapes&,
                               const ShardedShapes&) {
                return CustomPartition{
                    .lower_fn = [](Tensor x) { return x - sum(x, 1, true); },
                    .result_shardings = PartitionSpec(AxisTuple({"x", "y"})),
                    .arg_shardings = PartitionSpec(AxisTuple({"x", "y"}))};
              }});
  const auto f = [running](Tensor x) { return running(x) * 2.0; };
  const auto program = jit(f, {.in_shardings = {PartitionSpec(nullptr, "x")},
                               .out_shardings = PartitionSpec("y", "x"),
                               .mesh = mesh_,
                               .view = view_});
  const auto whole = jit(f, {.view = view_});
  const Array x = Counting({8, 4});
  EXPECT_EQ(Floats(program(x)), Floats(whole(x)));
}

TEST_F(CustomPartitioningTest, FunctionIsCalledWhereNothingIsPartitioned) {
  const auto scale = Scale();
  const auto f = [scale](Tensor x) { return scale(x); };
  EXPECT_EQ(Floats(jit(f, {.view = view_})(Counting({8})))[0], -6);
  const Mesh one =
      *Mesh::Create({{1, 1}, {view_->world().devices()[0]}}, {"x", "y"});
  EXPECT_EQ(Floats(jit(f, {.mesh = one, .view = view_})(Counting({8})))[0], -6);
  const auto mapped =
      shard_map(f, mesh_, PartitionSpec("x"), PartitionSpec("x"), {}, view_);
  EXPECT_EQ(Floats(mapped(Counting({8})))[0], -6);
  EXPECT_EQ(Floats(pmap(f, {.view = view_})(Counting({8, 2})))[0], -6);
  EXPECT_EQ(partitions_, 0);
}

TEST_F(CustomPartitioningTest, AxesThatAreManualAroundTheCallStaySo) {
  const auto total = Defined(
      [](Tensor x) { return sum(x); },
      {.partition =
           [this](const Mesh&, const ShardedShapes& args,
                  const ShardedShapes&) {
             ++partitions_;
             EXPECT_EQ(args[0].shape.dims(), (std::vector<int64_t>{2, 6}));
             return CustomPartition{
                 .lower_fn = [](Tensor x) { return psum(sum(x), "y"); },
                 .result_shardings = PartitionSpec(),
                 .arg_shardings = PartitionSpec(nullptr, "y")};
           },
       .sharding_rule = "i j ->",
       .factors = {.reduction_factors = {"i", "j"}}});
  const auto mapped = shard_map(
      [total](Tensor x) { return psum(total(x), "x"); }, mesh_,
      PartitionSpec("x"), PartitionSpec(), {.auto_axes = {"y"}}, view_);
  const Array x = Counting({8, 6});
  float expected = 0;
  for (const float value : Floats(x)) expected += value;
  EXPECT_THAT(Floats(mapped(x)), ElementsAre(expected));
  EXPECT_EQ(partitions_, 1);
}

TEST_F(CustomPartitioningTest, CallsStandInLoopsAndBesideOtherCollectives) {
  const auto rotated = Defined(
      [](Tensor x) {
        return concatenate({slice_in_dim(x, 2, 8), slice_in_dim(x, 0, 2)});
      },
      {.partition =
           [](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
             return CustomPartition{
                 .lower_fn =
                     [](Tensor x) {
                       const Tensor same = pure_callback(
                           [](const Literal& value) { return value; },
                           x.shape(), {x});
                       return ppermute(same, "x",
                                       {{1, 0}, {2, 1}, {3, 2}, {0, 3}});
                     },
                 .result_shardings = PartitionSpec("x"),
                 .arg_shardings = PartitionSpec("x"),
                 // Of a permutation this does not follow.
                 .check_replication = false};
           },
       .sharding_rule = "i -> i",
       .factors = {.permutation_factors = {"i"}}});
  const auto f = [&](Tensor x) {
    const Tensor doubled = pure_callback(
        [](const Literal& value) { return value; }, x.shape(), {x * 2.0});
    const auto mapped =
        shard_map([](Tensor a) { return a - psum(a, "x") * 0.0; }, mesh_,
                  PartitionSpec("x"), PartitionSpec("x"));
    return fori_loop(
        0, 3, [&](const Tensor&, const Tensor& v) { return rotated(v); },
        rotated(mapped(doubled)));
  };
  const auto program = jit(f, {.mesh = mesh_, .view = view_});
  // 4 times 2 places.
  EXPECT_THAT(Floats(program(Array({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f}))),
              ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
}

TEST_F(CustomPartitioningTest, ContainersAreLeavesForTheCallbacks) {
  const auto f = Defined(
      [](const std::vector<Tensor>& x, int times, Tensor y) {
        return std::tuple(x[0] * x[1], y * times);
      },
      {.partition =
           [](const Mesh&, const ShardedShapes& args,
              const ShardedShapes& results) {
             EXPECT_EQ(args.size(), 3u);
             EXPECT_EQ(results.size(), 2u);
             return CustomPartition{
                 .lower_fn =
                     [](const std::vector<Tensor>& shards) {
                       return std::tuple(shards[0] * shards[1], shards[2] * 3);
                     },
                 .result_shardings = {PartitionSpec("x"), PartitionSpec("y")},
                 .arg_shardings = {PartitionSpec("x"), PartitionSpec("y")}};
           },
       .sharding_rule =
           SdyShardingRule::Create({{"i"}, {"i"}, {"j"}}, {{"i"}, {"j"}})
               .value()});
  const auto program =
      jit([f](Tensor a, Tensor b,
              Tensor c) { return f(std::vector<Tensor>{a, b}, 3, c); },
          {.mesh = mesh_, .view = view_});
  const auto result = program(Array({1.f, 2.f, 3.f, 4.f}),
                              Array({2.f, 2.f, 2.f, 2.f}), Array({1.f, 5.f}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Floats(std::get<0>(*result)), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(Floats(std::get<1>(*result)), ElementsAre(3, 15));
}

TEST_F(CustomPartitioningTest, RulesMayComeFromACallback) {
  const auto text_of = [&](ShardingRuleCallback callback) {
    const auto f = Defined(
        [](Tensor x) { return reshape(x, {8}); },
        {.partition = [](const Mesh&, const ShardedShapes&,
                         const ShardedShapes&) { return CustomPartition(); },
         .sharding_rule = std::move(callback)});
    const auto lowered =
        jit([f](Tensor x) { return f(x); }, {.mesh = mesh_, .view = view_})
            .lower(Counting({2, 4}));
    return lowered.ok() ? lowered->as_text() : lowered.status().ToString();
  };
  constexpr char kBound[] =
      "#sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4}, custom>";
  EXPECT_THAT(text_of([](const Mesh&, const std::vector<Shape>&,
                         const std::vector<Shape>&) { return "i j -> (i j)"; }),
              HasSubstr(kBound));
  EXPECT_THAT(
      text_of([this](const Mesh& mesh, const std::vector<Shape>& operands,
                     const std::vector<Shape>& results) {
        EXPECT_EQ(mesh, mesh_);
        EXPECT_EQ(operands[0].dims(), (std::vector<int64_t>{2, 4}));
        EXPECT_EQ(results[0].dims(), (std::vector<int64_t>{8}));
        return SdyShardingRule::Parse("i j -> (i j)");
      }),
      HasSubstr(kBound));
  EXPECT_THAT(text_of([](const Mesh&, const std::vector<Shape>&,
                         const std::vector<Shape>&) {
                return std::pair<std::string, FactorOptions>(
                    "(i k) j -> (i k j)",
                    {.factor_sizes = {{"i", 2}, {"k", 1}}});
              }),
              HasSubstr("custom_partitioning"));
  EXPECT_THAT(text_of([](const Mesh&, const std::vector<Shape>&,
                         const std::vector<Shape>&) {
                return std::pair<std::string, FactorOptions>(
                    "... -> i", {.need_replication_factors = {"i"}});
              }),
              HasSubstr("need_replication={k}"));
  EXPECT_THAT(text_of([](const Mesh&, const std::vector<Shape>&,
                         const std::vector<Shape>&) { return "i j -> k l"; }),
              AllOf(HasSubstr("INVALID_ARGUMENT"),
                    HasSubstr("custom_partitioning_test.cc:"),
                    HasSubstr("custom_partitioning"),
                    HasSubstr("result 0: expected rank 2, found 1")));
  // Y-13: what is no rule is none for the compiler either.
  using NoRule = int (*)(const Mesh&, const std::vector<Shape>&,
                         const std::vector<Shape>&);
  static_assert(!std::is_constructible_v<ShardingRuleCallback, NoRule>);
}

// Y-13.
TEST_F(CustomPartitioningTest, WrongDefinitionsAreRefused) {
  const auto error = [](CustomPartitioningOptions options,
                        bool has_partition = true) {
    if (has_partition) {
      options.partition = [](const Mesh&, const ShardedShapes&,
                             const ShardedShapes&) {
        return CustomPartition();
      };
    }
    return custom_partitioning(Matmul)
        .DefPartition(std::move(options))
        .ToString();
  };
  EXPECT_THAT(error({}, false), AllOf(HasSubstr("INVALID_ARGUMENT"),
                                      HasSubstr("partition: expected")));
  EXPECT_THAT(error({.sharding_rule = "i j"}), HasSubstr("'i j'"));
  EXPECT_THAT(error({.sharding_rule = "i j -> i",
                     .factors = {.factor_sizes = {{"i", 2}}}}),
              HasSubstr("factor i"));
  const FactorOptions extra = {.reduction_factors = {"k"},
                               .factor_sizes = {{"i", 2}, {"j", 3}}};
  const std::string names = "reduction_factors 'k', factor_sizes 'i', 'j'";
  EXPECT_THAT(error({.factors = extra}),
              AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr(names)));
  EXPECT_THAT(error({.sharding_rule = *SdyShardingRule::Parse("i -> i"),
                     .factors = extra}),
              HasSubstr(names));
  EXPECT_THAT(error({.sharding_rule = ShardingRuleCallback(
                         [](const Mesh&, const std::vector<Shape>&,
                            const std::vector<Shape>&) { return "i -> i"; }),
                     .factors = extra}),
              HasSubstr(names));
  // Y-20.
  EXPECT_THAT(error({.decode_shardings = false, .sharding_rule = "->"}),
              AllOf(HasSubstr("UNIMPLEMENTED"), HasSubstr("GSPMDSharding")));
  const InferShardingCallback infer = [](const Mesh&, const ShardedShapes& args,
                                         const std::vector<Shape>&) {
    return args[0].sharding;
  };
  EXPECT_THAT(error({.infer_sharding_from_operands = infer}),
              AllOf(HasSubstr("UNIMPLEMENTED"), HasSubstr("sharding_rule")));
  EXPECT_EQ(error({.infer_sharding_from_operands = infer,
                   .propagate_user_sharding =
                       [](const Mesh&, const ShardedShapes& results) {
                         return results[0].sharding;
                       },
                   .sharding_rule = "->"}),
            "OK");
}

// Y-13.
TEST_F(CustomPartitioningTest, WrongPartitionsAreRefused) {
  const auto identity = [](Tensor x) { return x; };
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.lower_fn = [](Tensor x) { return sum(x, 1); },
                               .result_shardings = PartitionSpec("x"),
                               .arg_shardings = PartitionSpec("x")};
      }),
      AllOf(HasSubstr("INVALID_ARGUMENT"),
            HasSubstr("custom_partitioning_test.cc:"),
            HasSubstr("lower_fn: result 0: expected tensor<2x4xf32>"),
            HasSubstr("tensor<8x4xf32> by PartitionSpec('x',)"),
            HasSubstr("found tensor<2xf32>")));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{
            .lower_fn = [](Tensor x) { return std::tuple(x, x); },
            .result_shardings = PartitionSpec("x"),
            .arg_shardings = PartitionSpec("x")};
      }),
      HasSubstr("lower_fn: expected 1 results"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{
            .lower_fn = [](Tensor x, Tensor y) { return x + y; },
            .result_shardings = PartitionSpec("x"),
            .arg_shardings = PartitionSpec("x")};
      }),
      HasSubstr("lower_fn: expected a function of 1 tensors"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.result_shardings = PartitionSpec("x"),
                               .arg_shardings = PartitionSpec("x")};
      }),
      HasSubstr("expected a lower_fn, found none"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.lower_fn = identity,
                               .arg_shardings = PartitionSpec("x")};
      }),
      HasSubstr("result_shardings: expected a sharding for result 0"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.lower_fn = identity,
                               .result_shardings = PartitionSpec("x")};
      }),
      HasSubstr("arg_shardings: expected a PartitionSpec for argument"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.lower_fn = identity,
                               .result_shardings = PartitionSpec("x"),
                               .arg_shardings = PartitionSpec("rows")};
      }),
      AllOf(HasSubstr("arg_shardings"), HasSubstr("rows")));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{
            .lower_fn = identity,
            .result_shardings = PartitionSpec(nullptr),
            .arg_shardings = PartitionSpec(AxisTuple({"x", "y"}), nullptr)};
      }),
      HasSubstr("lower_fn: result 0: expected tensor<8x4xf32>"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{
            .lower_fn = [](Tensor x) { return x + axis_index("y"); },
            .result_shardings = PartitionSpec("x"),
            .arg_shardings = PartitionSpec("x")};
      }),
      HasSubstr("result_shardings: result may differ along the axis "
                "'y'"));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&, const ShardedShapes&) {
        return CustomPartition{.mesh = MeshOf(*view_, {2, 4}, {"x", "y"}),
                               .lower_fn = identity,
                               .result_shardings = PartitionSpec("x"),
                               .arg_shardings = PartitionSpec("x")};
      }),
      AllOf(HasSubstr("UNIMPLEMENTED"),
            HasSubstr("expected the mesh of the program"),
            HasSubstr("'x': 2, 'y': 4")));
  EXPECT_THAT(ErrorOf([&](const Mesh&, const ShardedShapes&,
                          const ShardedShapes&) -> CustomPartition {
                throw std::runtime_error("no way");
              }),
              AllOf(HasSubstr("UNKNOWN"), HasSubstr("\"no way\"")));
  EXPECT_THAT(
      ErrorOf([&](const Mesh&, const ShardedShapes&,
                  const ShardedShapes&) -> absl::StatusOr<CustomPartition> {
        return absl::OutOfRangeError("too large");
      }),
      AllOf(HasSubstr("OUT_OF_RANGE"), HasSubstr("too large"),
            HasSubstr("custom_partitioning_test.cc:")));
}

TEST_F(CustomPartitioningTest, WrongCallsAreRefused) {
  const auto undefined = custom_partitioning([](Tensor x) { return x; });
  EXPECT_THAT(ErrorOf([&](Tensor x) { return undefined(x); }, Counting({8})),
              AllOf(HasSubstr("FAILED_PRECONDITION"),
                    HasSubstr("custom_partitioning_test.cc:"),
                    HasSubstr("DefPartition")));
  EXPECT_THAT(
      ErrorOf(
          [&](Tensor x) {
            const auto captures =
                Defined([x](Tensor y) { return x + y; },
                        {.partition = [](const Mesh&, const ShardedShapes&,
                                         const ShardedShapes&) {
                          return CustomPartition();
                        }});
            return captures(x * 2.0);
          },
          Counting({8})),
      AllOf(HasSubstr("uses a tensor from around it, of type tensor<8xf32>"),
            HasSubstr("pass it as an argument")));
}

}  // namespace
}  // namespace lockstep
