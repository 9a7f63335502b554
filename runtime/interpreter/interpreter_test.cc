#include "runtime/interpreter/interpreter.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

// The first result of @main, of i32 values.
absl::StatusOr<std::vector<int32_t>> RunInts(absl::string_view text,
                                             std::vector<Literal> arguments) {
  auto module = ParseAndVerify(text, "t.mlir");
  if (!module.ok()) return module.status();
  auto results = Evaluate(**module, std::move(arguments));
  if (!results.ok()) return results.status();
  const auto values = (*results)[0].data<int32_t>();
  return std::vector<int32_t>(values.begin(), values.end());
}

using Ints = std::vector<int32_t>;

TEST(InterpreterTest, CallsRunFunctionsOfTheModule) {
  const auto found = RunInts(R"(
    func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = call @twice(%x) : (tensor<2xi32>) -> tensor<2xi32>
      %1 = func.call @twice(%0) : (tensor<2xi32>) -> tensor<2xi32>
      return %1 : tensor<2xi32>
    }
    func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = stablehlo.add %x, %x : tensor<2xi32>
      return %0 : tensor<2xi32>
    })",
                             {Literal::FromValues<int32_t>({2}, {1, 5})});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, (Ints{4, 20}));
}

constexpr absl::string_view kSumBelow = R"(
    func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
      cond {
        %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.add %sum, %i : tensor<i32>
        %2 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %2, %1 : tensor<i32>, tensor<i32>
      }
      return %0#1 : tensor<i32>
    })";

TEST(InterpreterTest, WhileRunsUntilItsConditionFails) {
  for (const auto& [n, sum] : {std::pair{0, 0}, {1, 0}, {2, 1}, {101, 5050}}) {
    const auto found = RunInts(kSumBelow, {Literal::Scalar<int32_t>(n)});
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, Ints{sum}) << n;
  }
}

TEST(InterpreterTest, WhileMaySwapItsValues) {
  const auto found =
      RunInts(R"(
    func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<i32>, tensor<i32>
      cond {
        %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %1, %y, %x : tensor<i32>, tensor<i32>, tensor<i32>
      }
      return %0#1 : tensor<i32>
    })",
              {Literal::Scalar<int32_t>(7), Literal::Scalar<int32_t>(8)});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, Ints{8});
}

TEST(InterpreterTest, CaseOutsideItsBranchesRunsTheLastOne) {
  constexpr absl::string_view kText = R"(
    func.func @main(%i: tensor<i32>) -> tensor<i32> {
      %a = stablehlo.constant dense<10> : tensor<i32>
      %0 = "stablehlo.case"(%i) ({
        stablehlo.return %a : tensor<i32>
      }, {
        %1 = stablehlo.add %a, %a : tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }, {
        stablehlo.return %i : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    })";
  for (const auto& [index, value] :
       {std::pair{0, 10}, {1, 20}, {2, 2}, {-1, -1}, {3, 3}}) {
    const auto found = RunInts(kText, {Literal::Scalar<int32_t>(index)});
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, Ints{value}) << index;
  }
}

TEST(InterpreterTest, IfRunsOneBranch) {
  constexpr absl::string_view kText = R"(
    func.func @main(%p: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
      %0 = "stablehlo.if"(%p) ({
        %1 = stablehlo.negate %x : tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }, {
        stablehlo.return %x : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      return %0 : tensor<i32>
    })";
  for (bool p : {true, false}) {
    const auto found =
        RunInts(kText, {Literal::Scalar(p), Literal::Scalar<int32_t>(5)});
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, Ints{p ? -5 : 5});
  }
}

TEST(InterpreterTest, AFunctionMayReturnItsArgumentTwice) {
  auto module = ParseAndVerify(R"(
    func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      return %x, %x : tensor<i32>, tensor<i32>
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto results =
      Evaluate(**module, std::vector<Literal>(1, Literal::Scalar<int32_t>(3)));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].data<int32_t>()[0], 3);
  EXPECT_EQ((*results)[1].data<int32_t>()[0], 3);
}

TEST(InterpreterTest, AnArgumentOfTheWrongTypeIsNamed) {
  const auto found =
      RunInts(kSumBelow, {Literal::FromValues<float>({2}, {1, 2})});
  EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(found.status().message(),
            "@main: argument 0: expected tensor<i32>, found tensor<2xf32>");
}

TEST(InterpreterTest, AWrongNumberOfArgumentsIsNamed) {
  const auto found = RunInts(kSumBelow, {});
  EXPECT_EQ(found.status().message(), "@main: expected 1 arguments, found 0");
}

}  // namespace
}  // namespace lockstep::internal
