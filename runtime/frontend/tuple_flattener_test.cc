#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Module> Parse(absl::string_view text) {
  auto module = ParseAndVerify(text, "m");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return nullptr;
  EXPECT_THAT(Print(**module), Not(HasSubstr("tuple")));
  return *std::move(module);
}

std::vector<int32_t> ResultsOf(const Module& module,
                               std::vector<int32_t> values) {
  std::vector<Literal> arguments;
  for (const int32_t value : values) {
    arguments.push_back(Literal::Scalar(value));
  }
  const auto results = Evaluate(module, std::move(arguments));
  EXPECT_TRUE(results.ok()) << results.status();
  std::vector<int32_t> found;
  if (!results.ok()) return found;
  for (const Literal& result : *results) {
    found.push_back(result.data<int32_t>()[0]);
  }
  return found;
}

TEST(FlattenTuplesTest, ArgumentsAndResultsOfFunctions) {
  const auto module = Parse(R"(
!pair = tuple<tensor<i32>, tensor<i32>>
func.func @main(%a: tensor<i32> {jax.arg_info = "a"}, %p: !pair {jax.arg_info = "p"}) -> tuple<!pair, tensor<i32>> {
  %0 = call @swap(%p) : (!pair) -> !pair
  %1 = stablehlo.tuple %0, %a : tuple<!pair, tensor<i32>>
  return %1 : tuple<!pair, tensor<i32>>
}
func.func private @swap(%p: !pair) -> !pair {
  %0 = stablehlo.get_tuple_element %p[0] : (!pair) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %p[1] : (!pair) -> tensor<i32>
  %2 = stablehlo.tuple %1, %0 : !pair
  return %2 : !pair
}
)");
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(ResultsOf(*module, {1, 2, 3}), ElementsAre(3, 2, 1));
  const std::string text = Print(*module);
  EXPECT_THAT(text, HasSubstr("%arg2: tensor<i32> {jax.arg_info = \"p\"}"));
}

TEST(FlattenTuplesTest, LoopsAndBranches) {
  const auto module = Parse(R"(
!state = tuple<tensor<i32>, tuple<tensor<i32>>>
func.func @main(%n: tensor<i32>, %x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.tuple %x : tuple<tensor<i32>>
  %1 = stablehlo.tuple %zero, %0 : !state
  %2 = stablehlo.while(%s = %1) : !state cond {
    %i = stablehlo.get_tuple_element %s[0] : (!state) -> tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %i = stablehlo.get_tuple_element %s[0] : (!state) -> tensor<i32>
    %t = stablehlo.get_tuple_element %s[1] : (!state) -> tuple<tensor<i32>>
    %y = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>>) -> tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.add %y, %y : tensor<i32>
    %u = stablehlo.tuple %z : tuple<tensor<i32>>
    %v = stablehlo.tuple %j, %u : !state
    stablehlo.return %v : !state
  }
  %3 = "stablehlo.case"(%one) ({
    stablehlo.return %1 : !state
  }, {
    stablehlo.return %2 : !state
  }) : (tensor<i32>) -> !state
  %4 = stablehlo.optimization_barrier %3 : !state
  %5 = stablehlo.get_tuple_element %4[0] : (!state) -> tensor<i32>
  %6 = stablehlo.get_tuple_element %4[1] : (!state) -> tuple<tensor<i32>>
  %7 = stablehlo.get_tuple_element %6[0] : (tuple<tensor<i32>>) -> tensor<i32>
  return %5, %7 : tensor<i32>, tensor<i32>
}
)");
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(ResultsOf(*module, {3, 5}), ElementsAre(3, 40));
}

TEST(FlattenTuplesTest, TuplesThatDoubleAndDoubleAreRefused) {
  std::string text = "!t0 = tensor<f32>\n";
  for (int i = 1; i <= 21; ++i) {
    absl::StrAppend(&text, "!t", i, " = tuple<!t", i - 1, ", !t", i - 1, ">\n");
  }
  absl::StrAppend(&text, "func.func @main(%a: !t21) {\n  return\n}\n");
  const absl::Status status = ParseAndVerify(text, "m").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "m:23:1: expected at most 1048576 elements of tuples, found more");
}

TEST(FlattenTuplesTest, EmptyTuplesVanish) {
  const auto module = Parse(R"(
func.func @main(%e: tuple<>, %x: tensor<i32>) -> (tuple<>, tensor<i32>) {
  return %e, %x : tuple<>, tensor<i32>
}
)");
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(ResultsOf(*module, {4}), ElementsAre(4));
}

}  // namespace
}  // namespace lockstep::internal
