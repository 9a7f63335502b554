// Y-16 of docs/behaviour/shardings.md: values that share one sharding.
#include "runtime/sharding/shared_shardings.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/logging.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/propagation_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

// A function with its module.
struct Program {
  explicit Program(absl::string_view text,
                   absl::string_view mesh = R"(<["a"=2, "b"=2, "c"=2, "d"=2]>)")
      : module(ModuleOfText(text)),
        function(*module->functions()[0], MeshOfText(mesh)) {}
  void AddGroup(const std::vector<absl::string_view>& names) {
    ShardingGroup& group = function.options.groups.emplace_back();
    for (const absl::string_view name : names) {
      group.push_back(function.value(name));
    }
  }
  const Op& op(absl::string_view name) {
    return *function.value(name)->defining_op();
  }

  std::unique_ptr<Module> module;
  AnnotatedFunction function;
};

// Two chains that have nothing to do with each other.
constexpr absl::string_view kTwoChains = R"(func.func @main(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>},
    %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %s = stablehlo.sine %x : tensor<8x8xf32>
  %t = stablehlo.cosine %y : tensor<8x8xf32>
  return %s, %t : tensor<8x8xf32>, tensor<8x8xf32>
})";

TEST(ShardingGroups, ValuesOfAGroupHaveOneSharding) {
  Program program(kTwoChains);
  program.AddGroup({"sine", "cosine"});
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  for (const char* name : {"sine", "cosine", "arg1", "result0", "result1"}) {
    EXPECT_EQ(program.function.Sharding(name), R"([{"a", ?}, {?}])") << name;
  }
}

TEST(ShardingGroups, TheShardingOfOneIsThatOfAllAtTheStart) {
  Program program(kTwoChains);
  program.AddGroup({"arg1", "arg0"});
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  EXPECT_EQ(program.function.Sharding("arg1"), R"([{"a"}, {?}])");
  EXPECT_EQ(program.function.Sharding("result1"), R"([{"a", ?}, {?}])");
}

TEST(ShardingGroups, GroupsWithAValueInCommonAreOne) {
  Program program(kTwoChains);
  program.AddGroup({"arg0", "sine"});
  program.AddGroup({"cosine", "arg1"});
  program.AddGroup({"sine", "arg1"});
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  for (const char* name : {"arg0", "arg1", "sine", "cosine"}) {
    EXPECT_EQ(program.function.Sharding(name), R"([{"a"}, {?}])") << name;
  }
}

TEST(ShardingGroups, ALoopAndAValueOutsideOfIt) {
  Program program(R"(func.func @main(
      %x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>},
      %p: tensor<i1>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %c = stablehlo.constant dense<1.0> : tensor<16x16xf32>
    %w = stablehlo.while(%v = %x) : tensor<16x16xf32> cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.add %v, %v : tensor<16x16xf32>
      stablehlo.return %s : tensor<16x16xf32>
    }
    return %w, %c : tensor<16x16xf32>, tensor<16x16xf32>
  })");
  program.AddGroup({"add", "constant"});
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  for (const char* name : {"add", "while", "while/arg0", "constant"}) {
    EXPECT_EQ(program.function.Sharding(name), R"([{?}, {"d", ?}])") << name;
  }
}

TEST(ShardingGroups, DifferentShardingsStayAndWhatUsersSeeStartsOpen) {
  Program program(R"(func.func @main(
      %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>},
      %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>})
      -> (tensor<8xf32>, tensor<8xf32>) {
    %s = stablehlo.sine %x : tensor<8xf32>
    %t = stablehlo.cosine %y : tensor<8xf32>
    return %s, %t : tensor<8xf32>, tensor<8xf32>
  })");
  program.AddGroup({"arg0", "arg1"});
  std::string log;
  SetLogSink([&](LogSeverity, absl::string_view line) {
    absl::StrAppend(&log, line);
  });
  const absl::Status status = program.function.Propagate();
  SetLogSink(nullptr);
  ASSERT_EQ(status, absl::OkStatus());
  EXPECT_THAT(log, HasSubstr(R"(different shardings, <@mesh, [{"a"}]> and )"
                             R"(<@mesh, [{"b"}]>)"));
  EXPECT_EQ(program.function.Sharding("arg0"), R"([{"a"}])");
  EXPECT_EQ(program.function.Sharding("arg1"), R"([{"b"}])");
  EXPECT_EQ(program.function.Sharding("sine"), R"([{"a", ?}])");
  EXPECT_EQ(program.function.Sharding("cosine"), R"([{"a", ?}])");
}

TEST(ShardingGroups, ValuesThatCannotShareOneAreRefused) {
  Program other(kTwoChains);
  Program program(kTwoChains);
  program.function.options.groups = {
      {program.function.value("arg0"), other.function.value("arg0")}};
  EXPECT_THAT(InvalidArgument(program.function.Propagate()),
              HasSubstr("a value of another function"));

  Program sizes(R"(func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>)
      -> tensor<8xf32> { return %x : tensor<8xf32> })");
  sizes.AddGroup({"arg0", "arg1"});
  EXPECT_THAT(InvalidArgument(sizes.function.Propagate()),
              HasSubstr("tensor<8xf32> and tensor<4xf32>"));
}

TEST(DataFlowEdges, TheShardingOfAnyTargetIsThatOfAll) {
  Program program(R"(func.func @main(%x: tensor<8xf32>, %p: tensor<i1>)
      -> tensor<8xf32> {
    %w = stablehlo.while(%v = %x) : tensor<8xf32> cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %v : tensor<8xf32>
    }
    return %w : tensor<8xf32>
  })");
  program.function.shardings.values.Set(program.function.value("while/arg0"),
                                        *ShardingOfText(R"([{"b", ?}p3])"));
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  for (const char* name : {"arg0", "while", "while/arg0", "result0"}) {
    EXPECT_EQ(program.function.Sharding(name), R"([{"b", ?}])") << name;
  }
}

TEST(DataFlowEdges, NamedComputationsAreTransparent) {
  Program program(R"(func.func @main(
      %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>})
      -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>}) {
    %n = "sdy.named_computation"(%x) ({
      ^bb0(%v: tensor<8x8xf32>):
        %s = stablehlo.sine %v : tensor<8x8xf32>
        "sdy.return"(%s) : (tensor<8x8xf32>) -> ()
    }) {name = "f"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %n : tensor<8x8xf32>
  })");
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  for (const char* name :
       {"named_computation/arg0", "sine", "named_computation"}) {
    EXPECT_EQ(program.function.Sharding(name), R"([{"a", ?}, {"b", ?}])")
        << name;
  }
  EXPECT_EQ(program.function.Sharding("arg0"), R"([{"a"}, {"b", ?}])");
}

// The body is local along b: its tensors have half as many rows.
constexpr absl::string_view kManual = R"(func.func @main(%x: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %m = "sdy.manual_computation"(%x) ({
    ^bb0(%v: tensor<4x8xf32>):
      %s = stablehlo.add %v, %v
          {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
          : tensor<4x8xf32>
      %t = stablehlo.custom_call @opaque(%s)
          : (tensor<4x8xf32>) -> tensor<4x8xf32>
      "sdy.return"(%t) : (tensor<4x8xf32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
})";

TEST(ManualComputation, ManualAxesStandInFrontOutsideAndNotInside) {
  Program program(kManual);
  ManualShardings& manual =
      program.function.shardings
          .manual_computations[&program.op("manual_computation")];
  manual = {.in = {*ShardingOfText(R"([{"b", ?}, {?}])")},
            .out = {*ShardingOfText(R"([{"b", ?}, {?}])")},
            .manual_axes = {"b"}};
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  EXPECT_EQ(TextOfSharding(manual.in[0]), R"([{"b", "a", ?}, {?}])");
  EXPECT_EQ(TextOfSharding(manual.out[0]), R"([{"b", ?}, {?}])");
  EXPECT_EQ(program.function.Sharding("arg0"), R"([{"b", "a", ?}, {?}])");
  EXPECT_EQ(program.function.Sharding("manual_computation/arg0"),
            R"([{"a", ?}, {?}])");
  EXPECT_EQ(program.function.Sharding("add"), R"([{"a", ?}, {?}])");
  EXPECT_EQ(program.function.Sharding("custom_call"), "none");
  EXPECT_EQ(program.function.Sharding("manual_computation"),
            R"([{"b", ?}, {?}])");
  EXPECT_EQ(program.function.Sharding("result0"), R"([{"b", ?}, {?}])");
}

TEST(ManualComputation, ShardingsGoThroughTheBody) {
  Program program(R"(func.func @main(
      %x: tensor<8x8xf32>
          {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c"}, {"d"}]>})
      -> tensor<8x8xf32> {
    %m = "sdy.manual_computation"(%x) ({
      ^bb0(%v: tensor<4x8xf32>):
        %s = stablehlo.sine %v : tensor<4x8xf32>
        "sdy.return"(%s) : (tensor<4x8xf32>) -> ()
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %m : tensor<8x8xf32>
  })");
  ManualShardings& manual =
      program.function.shardings
          .manual_computations[&program.op("manual_computation")];
  manual = {.in = {*ShardingOfText(R"([{"b", ?}, {?}p1], replicated={"a"})")},
            .out = {*ShardingOfText(R"([{?}, {"b", ?}], replicated={"a"})")},
            .manual_axes = {"a", "b"}};
  ASSERT_EQ(program.function.Propagate(), absl::OkStatus());
  EXPECT_EQ(TextOfSharding(manual.in[0]),
            R"([{"b", "c", ?}, {"d", ?}], replicated={"a"})");
  EXPECT_EQ(program.function.Sharding("sine"), R"([{"c", ?}, {"d", ?}])");
  EXPECT_EQ(TextOfSharding(manual.out[0]),
            R"([{"c", ?}, {"b", "d", ?}], replicated={"a"})");
  EXPECT_EQ(program.function.Sharding("result0"),
            R"([{"c", ?}, {"b", "d", ?}])");
}

TEST(ManualComputation, NeedsItsShardings) {
  Program program(kManual);
  EXPECT_THAT(InvalidArgument(program.function.Propagate()),
              HasSubstr("sdy.manual_computation: needs a sharding for each"));
}

TEST(ManualComputation, GroupsDoNotCrossItsBorder) {
  Program program(kManual);
  program.AddGroup({"add", "custom_call"});
  program.function.shardings
      .manual_computations[&program.op("manual_computation")] = {
      .in = {*ShardingOfText(R"([{"b", ?}, {?}])")},
      .out = {*ShardingOfText(R"([{"b", ?}, {?}])")},
      .manual_axes = {"b"}};
  EXPECT_EQ(program.function.Propagate(), absl::OkStatus());
  EXPECT_EQ(program.function.Sharding("manual_computation"),
            R"([{"b", "a", ?}, {?}])");

  program.AddGroup({"arg0", "manual_computation"});
  EXPECT_EQ(program.function.Propagate(), absl::OkStatus());
  const std::unique_ptr<Module> same_dims = ModuleOfText(R"(
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %m = "sdy.manual_computation"(%x) ({
          ^bb0(%v: tensor<8xf32>):
            "sdy.return"(%v) : (tensor<8xf32>) -> ()
        }) : (tensor<8xf32>) -> tensor<8xf32>
        return %m : tensor<8xf32>
      })");
  AnnotatedFunction crossing(*same_dims->functions()[0],
                             MeshOfText(R"(<["a"=2]>)"));
  crossing.options.groups = {
      {crossing.value("arg0"), crossing.value("manual_computation/arg0")}};
  EXPECT_THAT(InvalidArgument(crossing.Propagate()),
              HasSubstr("values of different sdy.manual_computation"));
}

}  // namespace
}  // namespace lockstep::internal
