// Data movement, reductions, contractions, creation and control flow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "client/tracer/ops.h"
#include "client/tracer/traced_text_testing.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Case {
  Shape argument;
  std::function<Tensor(const Tensor&)> function;
  std::string first_line;
};

TEST(OperationsTest, EmitTheirOp) {
  const std::vector<Case> cases = {
      {F32({2, 3}), [](const Tensor& x) { return reshape(x, {3, -1}); },
       "%0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"},
      {F32({2, 3}), [](const Tensor& x) { return transpose(x); },
       "%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> "
       "tensor<3x2xf32>\n"},
      {F32({2, 3}), [](const Tensor& x) { return broadcast_to(x, {4, 2, 3}); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : "
       "(tensor<2x3xf32>) -> tensor<4x2x3xf32>\n"},
      {F32({2, 3}),
       [](const Tensor& x) { return slice(x, {0, 0}, {2, 3}, {1, 2}); },
       "%0 = stablehlo.slice %arg0 [0:2, 0:3:2] : (tensor<2x3xf32>) -> "
       "tensor<2x2xf32>\n"},
      {F32({2, 3}), [](const Tensor& x) { return concatenate({x, x}, -1); },
       "%0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x3xf32>, "
       "tensor<2x3xf32>) -> tensor<2x6xf32>\n"},
      {F32({2, 3}),
       [](const Tensor& x) { return pad(x, 0, {0, 1}, {1, -1}, {0, 1}); },
       "%cst = stablehlo.constant dense<0.0> : tensor<f32>\n"
       "%0 = stablehlo.pad %arg0, %cst, low = [0, 1], high = [1, -1], interior "
       "= "
       "[0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x5xf32>\n"},
      {F32({4}), [](const Tensor& x) { return dynamic_slice(x, {1}, {2}); },
       "%c = stablehlo.constant dense<1> : tensor<i32>\n"
       "%0 = stablehlo.dynamic_slice %arg0, %c, sizes = [2] : (tensor<4xf32>, "
       "tensor<i32>) -> tensor<2xf32>\n"},
      {F32({4}),
       [](const Tensor& x) { return dynamic_update_slice(x, ones({2}), {1}); },
       "%cst = stablehlo.constant dense<1.0> : tensor<2xf32>\n"
       "%c = stablehlo.constant dense<1> : tensor<i32>\n"
       "%0 = stablehlo.dynamic_update_slice %arg0, %cst, %c : (tensor<4xf32>, "
       "tensor<2xf32>, tensor<i32>) -> tensor<4xf32>\n"},
      {F32({2, 3}), [](const Tensor& x) { return sum(x, -1); },
       "%cst = stablehlo.constant dense<0.0> : tensor<f32>\n"
       "%0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across "
       "dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"},
      {S32({2, 3}), [](const Tensor& x) { return min(x, {0, 1}, true); },
       "%c = stablehlo.constant dense<2147483647> : tensor<i32>\n"
       "%0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.minimum across "
       "dimensions = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>\n"
       "%1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1x1xi32>\n"},
      {F32({2, 3}), [](const Tensor& x) { return matmul(x, transpose(x)); },
       "%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> "
       "tensor<3x2xf32>\n"
       "%1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], "
       "precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> "
       "tensor<2x2xf32>\n"},
      {F32({4, 2, 3}), [](const Tensor& x) { return matmul(x, ones({3, 5})); },
       "%cst = stablehlo.constant dense<1.0> : tensor<4x3x5xf32>\n"
       "%0 = stablehlo.dot_general %arg0, %cst, batching_dims = [0] x [0], "
       "contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : "
       "(tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>\n"},
      {S32({2}), [](const Tensor& x) { return one_hot(x, 3); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xi32>) -> "
       "tensor<2x3xi32>\n"
       "%1 = stablehlo.iota dim = 1 : tensor<2x3xi32>\n"
       "%2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<2x3xi32>, "
       "tensor<2x3xi32>) -> tensor<2x3xi1>\n"
       "%3 = stablehlo.convert %2 : (tensor<2x3xi1>) -> tensor<2x3xf32>\n"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(TracedText(FourMembers(), c.argument, c.function),
                StartsWith(c.first_line));
  }
}

TEST(OperationsTest, SumOfBoolCounts) {
  EXPECT_THAT(TracedText(FourMembers(), Shape(ElementType::kPred, {3}),
                         [](const Tensor& x) { return sum(x); }),
              HasSubstr("tensor<i32>) -> tensor<i32>"));
}

TEST(OperationsTest, LongConstantsAreHexBlobs) {
  std::vector<int32_t> values(65);
  values[1] = 0x01020304;
  EXPECT_THAT(
      TracedText(FourMembers(), F32({}),
                 [&](const Tensor&) {
                   return constant(Literal::FromValues<int32_t>({65}, values));
                 }),
      StartsWith("%c = stablehlo.constant dense<\"0x0000000004030201"));
}

TEST(OperationsTest, ErrorsNameExpectedAndFound) {
  const std::vector<Case> cases = {
      {F32({2, 3}), [](const Tensor& x) { return reshape(x, {4}); },
       "reshape: tensor<2x3xf32> has 6 elements, which do not make [4]"},
      {F32({2, 3}), [](const Tensor& x) { return matmul(x, x); },
       "matmul: dot_general: contracting dims differ: lhs dim 1 is 3, rhs dim "
       "0 "
       "is 2"},
      {F32({2, 3}), [](const Tensor& x) { return sum(x, 2); },
       "sum: dimension 2 is out of range for rank 2"},
      {F32({2, 3}), [](const Tensor& x) { return slice(x, {0, 0}, {2, 4}); },
       "slice: dim 1: expected 0 <= start <= limit <= 3, found start 0, limit "
       "4"},
      {F32({2, 3}),
       [](const Tensor& x) { return concatenate({x, transpose(x)}); },
       "concatenate: operand 1: expected the shape of tensor<2x3xf32> except "
       "for dim 0, found tensor<3x2xf32>"},
      {F32({2}), [](const Tensor& x) { return dynamic_slice(x, {0.5}, {1}); },
       "dynamic_slice: a start must be an integer scalar, found tensor<f32>"},
      {F32({2}),
       [](const Tensor& x) {
         return cond(
             x, [&] { return TensorList{x}; },
             [&] { return TensorList{x}; })[0];
       },
       "cond: the predicate must be a bool scalar, found tensor<2xf32>"},
      {F32({2}),
       [](const Tensor& x) {
         return fori_loop(
             0, 3, [](const Tensor&, const Tensor& v) { return sum(v); }, x);
       },
       "the body gives tensor<f32> as value 1, expected tensor<2xf32>"},
  };
  for (const Case& c : cases) {
    const std::string text = TracedText(FourMembers(), c.argument, c.function);
    EXPECT_THAT(
        text,
        StartsWith("INVALID_ARGUMENT: client/tracer/operations_test.cc:"));
    EXPECT_THAT(text, HasSubstr(c.first_line));
  }
}

TEST(OperationsTest, LoopIsAWhileOverItsState) {
  EXPECT_EQ(
      TracedText(
          FourMembers(), F32({3}),
          [](const Tensor& x) {
            return fori_loop(
                0, 5, [&](const Tensor&, const Tensor& v) { return v + x; }, x);
          }),
      "%c = stablehlo.constant dense<0> : tensor<i32>\n"
      "%0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : "
      "tensor<i32>, tensor<3xf32> cond {\n"
      "  %c_1 = stablehlo.constant dense<5> : tensor<i32>\n"
      "  %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, "
      "tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n"
      "} do {\n"
      "  %c_1 = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>\n"
      "  %2 = stablehlo.add %iterArg_0, %arg0 : tensor<3xf32>\n"
      "  stablehlo.return %1, %2 : tensor<i32>, tensor<3xf32>\n"
      "}\n"
      "return %0#1 : tensor<3xf32>\n");
}

// What an op demands is the error of its definition.
TEST(OperationsTest, ErrorsOfTheOpAreThoseOfItsDefinition) {
  EXPECT_THAT(
      TracedText(FourMembers(), S32({2}),
                 [](const Tensor& x) { return pad(x, 0, {0}, {-3}, {}); }),
      HasSubstr(
          "pad: dim 0 of size 2 with low 0, high -3, interior 0: expected "
          "a result size of 0 or more"));
  EXPECT_THAT(TracedText(FourMembers(), F32({2, 3}),
                         [](const Tensor& x) { return stack({x, sum(x)}, 2); }),
              HasSubstr("stack: parts of one shape are expected, found "
                        "tensor<2x3xf32> and tensor<f32>"));
}

TEST(OperationsTest, WhatALoopThatFailedMadeCannotBeUsed) {
  EXPECT_THAT(
      TracedText(FourMembers(), F32({3}),
                 [](const Tensor& x) {
                   Tensor inner;
                   while_loop([](const TensorList& v) { return sum(v[0]) > 0; },
                              [&](const TensorList& v) {
                                inner = v[0] * 2;
                                return TensorList{};
                              },
                              {x});
                   return inner + 1;
                 }),
      HasSubstr("the body gives 0 values, expected 1"));
}

TEST(OperationsTest, AfterAnExceptionInALoopTheFunctionGoesOn) {
  EXPECT_EQ(TracedText(FourMembers(), F32({}),
                       [](const Tensor& x) {
                         try {
                           while_loop(
                               [](const TensorList& v) { return v[0] > 0; },
                               [](const TensorList&) -> TensorList { throw 1; },
                               {x});
                         } catch (int) {
                         }
                         return x + x;
                       }),
            "%0 = stablehlo.add %arg0, %arg0 : tensor<f32>\n"
            "return %0 : tensor<f32>\n");
}

// Also where no op is made that would check it.
TEST(OperationsTest, ImpossibleShapesAreErrors) {
  const std::vector<Case> cases = {
      {F32({}),
       [](const Tensor&) { return broadcast_in_dim(zeros({3}), {4}, {0}); },
       "dimension 0 has size 3, expected 1 or 4"},
      {F32({}),
       [](const Tensor&) { return broadcast_in_dim(zeros({}), {-1}, {}); },
       "broadcast_in_dim: "},
      {F32({2, 2}),
       [](const Tensor& x) { return broadcast_in_dim(x, {2, 2}, {0}); },
       "needs one of place per dimension"},
      {F32({2, 3}), [](const Tensor& x) { return reshape(x, {-2, -3}); },
       "reshape: "},
      {F32({}), [](const Tensor&) { return reshape(zeros({2, 3}), {-2, -3}); },
       "reshape: "},
  };
  for (const Case& c : cases) {
    const std::string text = TracedText(FourMembers(), c.argument, c.function);
    EXPECT_THAT(text, StartsWith("INVALID_ARGUMENT: "));
    EXPECT_THAT(text, HasSubstr(c.first_line));
  }
}

TEST(OperationsTest, BroadcastInDimTransposes) {
  EXPECT_EQ(TracedText(FourMembers(), F32({2, 2}),
                       [](const Tensor& x) {
                         return broadcast_in_dim(x, {2, 2}, {1, 0});
                       }),
            "%0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 0] : "
            "(tensor<2x2xf32>) -> tensor<2x2xf32>\n"
            "return %0 : tensor<2x2xf32>\n");
}

TEST(TraceFunctionTest, OpsHaveThePlaceOfTheirCall) {
  int line = 0;
  const auto traced = TraceFunction(
      "f", FourMembers(), {F32({2})}, [&](const std::vector<Tensor>& x) {
        line = __LINE__ + 1;
        Tensor y = tanh(x[0]);
        return std::vector<Tensor>{fori_loop(
            0, 3, [](const Tensor&, const Tensor& v) { return v * 2; }, y)};
      });
  ASSERT_TRUE(traced.ok()) << traced.status();
  const auto& ops = traced->module->functions()[0]->body().ops();
  EXPECT_EQ(ops[0]->location().ToString(),
            absl::StrCat("client/tracer/operations_test.cc:", line));
  const Op* loop = ops[ops.size() - 2].get();
  ASSERT_EQ(loop->name(), "stablehlo.while");
  // After the body has been traced, the place is that of the loop again.
  EXPECT_EQ(loop->location().line, line + 1);
  EXPECT_GT(loop->region(1).ops()[2]->location().line, line + 1);
}

TEST(OperationsTest, ValueOfALoopBodyIsRefusedOutside) {
  EXPECT_THAT(TracedText(FourMembers(), F32({3}),
                         [](const Tensor& x) {
                           Tensor inner;
                           fori_loop(
                               0, 5,
                               [&](const Tensor&, const Tensor& v) {
                                 return inner = v + 1;
                               },
                               x);
                           return inner * 2;
                         }),
              HasSubstr("inside a loop or branch that has ended"));
}

TEST(TraceFunctionTest, GivesAModule) {
  const auto traced = TraceFunction(
      "step", FourMembers(), {F32({2})}, [](const std::vector<Tensor>& x) {
        return std::vector<Tensor>{x[0], constant(3)};
      });
  ASSERT_TRUE(traced.ok());
  EXPECT_EQ(traced->text(),
            "module @step attributes {mhlo.num_partitions = 1 : i32, "
            "mhlo.num_replicas = 4 : i32} {\n"
            "  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, "
            "tensor<i32>) {\n"
            "    %c = stablehlo.constant dense<3> : tensor<i32>\n"
            "    return %arg0, %c : tensor<2xf32>, tensor<i32>\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(traced->is_constant, (std::vector<bool>{false, true}));
}

TEST(TraceFunctionTest, OnlyConstantsNeedNoArguments) {
  const auto traced = TraceFunction(
      "f", FourMembers(), {F32({2})}, [](const std::vector<Tensor>&) {
        return std::vector<Tensor>{psum(constant(3), "i")};
      });
  ASSERT_TRUE(traced.ok());
  EXPECT_TRUE(traced->is_all_constant());
  EXPECT_THAT(traced->text(), HasSubstr("@main() -> tensor<i32>"));
  EXPECT_THAT(traced->text(), HasSubstr("dense<12>"));
}

}  // namespace
}  // namespace lockstep::internal
