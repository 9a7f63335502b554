// Y-16 of docs/behaviour/shardings.md: which ops are propagated through when.
#include "runtime/sharding/op_directions.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/ir/module.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/propagation_testing.h"

namespace lockstep::internal {
namespace {

using Kind = OpPriorityClass::Kind;

char Letter(PropagationDirection direction) {
  switch (direction) {
    case PropagationDirection::kNone:
      return '-';
    case PropagationDirection::kForward:
      return 'f';
    case PropagationDirection::kBackward:
      return 'b';
    case PropagationDirection::kBoth:
      return '*';
  }
  return '?';
}

// Of a pass-through factor and of a reduction factor, for each step.
std::string Directions(const OpPriorityClass& op) {
  const OpShardingRule rule =
      RuleOfText("([i, j])->([i]) {i=4, j=4} reduction={j}");
  std::vector<std::string> steps;
  for (int step = 0; step < kOpPrioritySteps; ++step) {
    std::string letters;
    for (const auto direction : DirectionsAtStep(step, op, rule)) {
      letters.push_back(Letter(direction));
    }
    steps.push_back(letters);
  }
  return absl::StrJoin(steps, " ");
}

TEST(OpDirections, StepsAddUp) {
  const struct {
    Kind kind;
    bool has_shared_operand;
    absl::string_view directions;
  } kCases[] = {
      {Kind::kPassThrough, false, "** ** ** ** **"},
      {Kind::kPassThrough, true, "-- ** ** ** **"},
      {Kind::kDynamicSlice, false, "ff ff *f ** **"},
      {Kind::kDynamicSlice, true, "-- ff *f ** **"},
      {Kind::kBroadcast, false, "-- -- b- bb **"},
      {Kind::kOther, false, "-- -- *- ** **"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Directions({.kind = test.kind,
                          .has_shared_operand = test.has_shared_operand}),
              test.directions)
        << static_cast<int>(test.kind) << test.has_shared_operand;
  }
  EXPECT_EQ(Directions({.kind = Kind::kFixed,
                        .direction = PropagationDirection::kForward}),
            "ff ff ff ff ff");
}

struct ClassOfOp {
  Kind kind;
  bool is_elementwise;
  friend bool operator==(const ClassOfOp&, const ClassOfOp&) = default;
};

ClassOfOp ClassOf(absl::string_view op) {
  const std::unique_ptr<Module> module = ModuleOfText(absl::StrCat(
      "func.func @f(%x: tensor<8xf32>, %i: tensor<i32>, %p: tensor<8xi1>) { "
      "%r = ",
      op, "\n return }"));
  const Op& parsed = *module->functions()[0]->body().ops()[0];
  const auto priority_class = OpPriorityClassOf(parsed);
  EXPECT_TRUE(priority_class.ok()) << priority_class.status();
  return {.kind = priority_class->kind,
          .is_elementwise = IsElementwiseInPropagation(parsed)};
}

TEST(OpDirections, OpsHaveTheirClasses) {
  const struct {
    absl::string_view op;
    ClassOfOp expected;
  } kCases[] = {
      {"stablehlo.add %x, %x : tensor<8xf32>", {Kind::kPassThrough, true}},
      {"stablehlo.select %p, %x, %x : tensor<8xi1>, tensor<8xf32>",
       {Kind::kPassThrough, true}},
      {"stablehlo.clamp %x, %x, %x : tensor<8xf32>",
       {Kind::kPassThrough, true}},
      {R"("sdy.sharding_constraint"(%x) : (tensor<8xf32>) -> tensor<8xf32>)",
       {Kind::kPassThrough, true}},
      {R"("sdy.propagation_barrier"(%x) {allowed_direction = "NONE"} : )"
       "(tensor<8xf32>) -> tensor<8xf32>",
       {Kind::kFixed, true}},
      {"stablehlo.reshape %x : (tensor<8xf32>) -> tensor<8xf32>",
       {Kind::kPassThrough, false}},
      {"stablehlo.transpose %x, dims = [0] : (tensor<8xf32>) -> tensor<8xf32>",
       {Kind::kPassThrough, false}},
      {"stablehlo.custom_call @MoveToHost(%x) : (tensor<8xf32>) -> "
       "tensor<8xf32>",
       {Kind::kPassThrough, false}},
      {"stablehlo.custom_call @Other(%x) : (tensor<8xf32>) -> tensor<8xf32>",
       {Kind::kOther, false}},
      {"stablehlo.dynamic_slice %x, %i, sizes = [8] : (tensor<8xf32>, "
       "tensor<i32>) -> tensor<8xf32>",
       {Kind::kDynamicSlice, false}},
      {"stablehlo.dynamic_update_slice %x, %x, %i : (tensor<8xf32>, "
       "tensor<8xf32>, tensor<i32>) -> tensor<8xf32>",
       {Kind::kDynamicSlice, false}},
      {"stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> "
       "tensor<8xf32>",
       {Kind::kBroadcast, false}},
      {"stablehlo.bitcast_convert %x : (tensor<8xf32>) -> tensor<8xi32>",
       {Kind::kPassThrough, true}},
      {"stablehlo.bitcast_convert %x : (tensor<8xf32>) -> tensor<8x4xi8>",
       {Kind::kOther, false}},
      {R"("stablehlo.collective_permute"(%x) {source_target_pairs = )"
       "dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>",
       {Kind::kOther, false}},
      {"stablehlo.iota dim = 0 : tensor<8xf32>", {Kind::kOther, false}},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(ClassOf(test.op), test.expected) << test.op;
  }
}

}  // namespace
}  // namespace lockstep::internal
