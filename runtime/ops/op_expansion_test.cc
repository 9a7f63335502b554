#include "runtime/ops/op_expansion.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// `body` computes %0 of `type`.
struct Expansion {
  const char* name;
  const char* type;
  const char* body;
  const char* expected;
};

const Expansion kExpansions[] = {
    {"BroadcastAlignsTheLastDims", "tensor<2x3xi32>",
     R"(%a = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
        %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
        %0 = chlo.broadcast_add %a, %b : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>)",
     "[[11, 12, 13], [21, 22, 23]]"},
    {"BroadcastTakesTheDimsThatItNames", "tensor<2x3xi32>",
     R"(%a = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
        %b = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
        %0 = chlo.broadcast_subtract %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>)",
     "[[9, 8, 7], [16, 15, 14]]"},
    {"BroadcastOfAScalar", "tensor<2xui8>",
     R"(%a = stablehlo.constant dense<[12, 10]> : tensor<2xui8>
        %b = stablehlo.constant dense<2> : tensor<ui8>
        %0 = chlo.broadcast_shift_right_logical %a, %b : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>)",
     "[3, 2]"},
    {"BroadcastOfNoElements", "tensor<0xf32>",
     R"(%a = stablehlo.constant dense<> : tensor<0xf32>
        %b = stablehlo.constant dense<2.0> : tensor<1xf32>
        %0 = chlo.broadcast_multiply %a, %b : (tensor<0xf32>, tensor<1xf32>) -> tensor<0xf32>)",
     ""},
    {"BroadcastCompareKeepsItsDirection", "tensor<2x2xi1>",
     R"(%a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
        %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction GE>} : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi1>)",
     "[[true, false], [true, true]]"},
    {"BroadcastComplex", "tensor<2xcomplex<f32>>",
     R"(%a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
        %b = stablehlo.constant dense<3.0> : tensor<f32>
        %0 = chlo.broadcast_complex %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>)",
     "[(1.0, 3.0), (2.0, 3.0)]"},
    {"BroadcastSelect", "tensor<2x2xi32>",
     R"(%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
        %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
        %b = stablehlo.constant dense<7> : tensor<i32>
        %0 = chlo.broadcast_select %p, %a, %b : (tensor<2xi1>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x2xi32>)",
     "[[1, 7], [2, 7]]"},
    {"BroadcastOfChloOps", "tensor<2xf32>",
     R"(%a = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
        %b = stablehlo.constant dense<2.0> : tensor<f32>
        %0 = chlo.broadcast_next_after %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>)",
     "[0x3F800001, 0xBF7FFFFF]"},
    {"ChloConstant", "tensor<2xi32>",
     "%0 = chlo.constant dense<[3, 4]> : tensor<2xi32>", "[3, 4]"},
    {"ConstantLikeTakesTheShapeOnly", "tensor<2xf32>",
     R"(%a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
        %0 = "chlo.constant_like"(%a) {value = 1.5 : f32} : (tensor<2xi32>) -> tensor<2xf32>)",
     "1.5"},
    {"DotOfMatrices", "tensor<2x2xf32>",
     R"(%a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
        %b = stablehlo.constant dense<[[0.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>
        %0 = stablehlo.dot %a, %b, precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>)",
     "[[2.0, 1.0], [4.0, 3.0]]"},
    {"DotOfVectors", "tensor<i32>",
     R"(%a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %0 = stablehlo.dot %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>)",
     "5"},
    {"BroadcastBeforeTheOwnDims", "tensor<2x1x2xi32>",
     R"(%a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %0 = stablehlo.broadcast %a, sizes = [2, 1] : (tensor<2xi32>) -> tensor<2x1x2xi32>)",
     "[[[1, 2]], [[1, 2]]]"},
    {"EinsumBatchesContractsAndTransposes", "tensor<2x1x2xi32>",
     R"(%a = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
        %b = stablehlo.constant dense<[[[1, 0], [2, 1]], [[1, 1], [0, 2]]]> : tensor<2x2x2xi32>
        %0 = stablehlo.einsum %a, %b, config = "bij,bjk->kib" : (tensor<2x1x2xi32>, tensor<2x2x2xi32>) -> tensor<2x1x2xi32>)",
     "[[[5, 3]], [[2, 11]]]"},
    {"EinsumSumsWhatOneOperandHasAlone", "tensor<2xi32>",
     R"(%a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
        %b = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
        %0 = stablehlo.einsum %a, %b, config = "ij,k->i" : (tensor<2x2xi32>, tensor<3xi32>) -> tensor<2xi32>)",
     "[180, 420]"},
    {"UnaryEinsumSumsAndTransposes", "tensor<3x2xi32>",
     R"(%a = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
        %0 = stablehlo.unary_einsum %a, config = "abc->ca" : (tensor<2x1x3xi32>) -> tensor<3x2xi32>)",
     "[[1, 4], [2, 5], [3, 6]]"},
    {"BatchNormInference", "tensor<2x2xf32>",
     R"(%x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 30.0]]> : tensor<2x2xf32>
        %s = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
        %o = stablehlo.constant dense<[5.0, 7.0]> : tensor<2xf32>
        %m = stablehlo.constant dense<[2.0, 20.0]> : tensor<2xf32>
        %v = stablehlo.constant dense<[0.5, 99.5]> : tensor<2xf32>
        %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>)",
     "[[3.0, 4.0], [7.0, 10.0]]"},
    {"BatchNormTraining", "tensor<4x2xf32>",
     R"(%x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 30.0]]> : tensor<2x2xf32>
        %s = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
        %o = stablehlo.constant dense<[5.0, 7.0]> : tensor<2xf32>
        %1:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
        %m = stablehlo.reshape %1#1 : (tensor<2xf32>) -> tensor<1x2xf32>
        %v = stablehlo.reshape %1#2 : (tensor<2xf32>) -> tensor<1x2xf32>
        %0 = stablehlo.concatenate %1#0, %m, %v, dim = 0 : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>)",
     "[[3.0, 4.0], [7.0, 10.0], [2.0, 20.0], [1.0, 100.0]]"},
    {"BatchNormGrad", "tensor<5x1xf32>",
     R"(%x = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
        %s = stablehlo.constant dense<3.0> : tensor<1xf32>
        %m = stablehlo.constant dense<2.0> : tensor<1xf32>
        %v = stablehlo.constant dense<1.0> : tensor<1xf32>
        %g = stablehlo.constant dense<[[1.0], [0.0], [0.0]]> : tensor<3x1xf32>
        %1:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<1xf32>, tensor<1xf32>)
        %a = stablehlo.reshape %1#1 : (tensor<1xf32>) -> tensor<1x1xf32>
        %b = stablehlo.reshape %1#2 : (tensor<1xf32>) -> tensor<1x1xf32>
        %0 = stablehlo.concatenate %1#0, %a, %b, dim = 0 : (tensor<3x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<5x1xf32>)",
     "[[1.0], [-1.0], [0.0], [-1.0], [1.0]]"},
    {"ErfOfMhlo", "tensor<3xf32>",
     R"(%a = stablehlo.constant dense<[0.0, 0.5, -9.0]> : tensor<3xf32>
        %0 = stablehlo.custom_call @mhlo.erf(%a) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>)",
     "[0.0, 0.520499885, -1.0]"},
    {"TanOfMhlo", "tensor<2xcomplex<f32>>",
     R"(%a = stablehlo.constant dense<[(0.0, 0.0), (0.0, 40.0)]> : tensor<2xcomplex<f32>>
        %0 = stablehlo.custom_call @mhlo.tan(%a) {mhlo.version = 1 : i64} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>)",
     "[(0.0, 0.0), (0.0, 1.0)]"},
    {"DynamicIota", "tensor<2x3xi32>",
     R"(%s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
        %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>)",
     "[[0, 1, 2], [0, 1, 2]]"},
    {"DynamicReshape", "tensor<2x1xi32>",
     R"(%a = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
        %s = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
        %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2xi32>, tensor<2xi64>) -> tensor<2x1xi32>)",
     "[[5], [6]]"},
    {"DynamicBroadcastInDim", "tensor<2x2xi32>",
     R"(%a = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
        %s = stablehlo.constant dense<2> : tensor<2xi64>
        %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xi64>) -> tensor<2x2xi32>)",
     "[[5, 5], [6, 6]]"},
    {"GetDimensionSize", "tensor<i32>",
     R"(%a = stablehlo.constant dense<0> : tensor<2x5xi8>
        %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x5xi8>) -> tensor<i32>)",
     "5"},
};

class OpExpansionTest : public testing::TestWithParam<Expansion> {};

TEST_P(OpExpansionTest, ComputesTheseElements) {
  const Expansion& c = GetParam();
  const auto found = RunBody(c.type, c.body);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense(c.expected, c.type)) << ToString(*found);
}

INSTANTIATE_TEST_SUITE_P(All, OpExpansionTest, testing::ValuesIn(kExpansions),
                         [](const auto& info) { return info.param.name; });

TEST(ExpandOpsTest, ReachesRegionsAndLeavesNothingToExpand) {
  const auto module = ParseAndVerify(R"(
func.func @main(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = chlo.broadcast_add %a, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                                     "m");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_THAT(Print(**module), Not(HasSubstr("chlo.")));
  EXPECT_THAT(Print(**module), HasSubstr("stablehlo.add %arg0"));
}

TEST(ExpandOpsTest, CallsOfMhloKeepTheirShardingAndAreOpsOfOneOperand) {
  const auto text = [](absl::string_view operands, absl::string_view types) {
    return absl::StrCat(
        R"(
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.erf()",
        operands,
        R"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : ()",
        types, R"() -> tensor<4xf32>
  return %0 : tensor<4xf32>
})");
  };
  const auto module = ParseAndVerify(text("%a", "tensor<4xf32>"), "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_THAT(Print(**module),
              HasSubstr("%0 = chlo.erf %arg0 {sdy.sharding = "));
  EXPECT_THAT(
      ParseAndVerify(text("%a, %a", "tensor<4xf32>, tensor<4xf32>"), "m.mlir")
          .status()
          .message(),
      HasSubstr("m.mlir:4:8: stablehlo.custom_call: as chlo.erf: "
                "expected one operand and one result, found 2 and 1"));
}

TEST(ExpandOpsTest, ReductionsOverDevicesGetOperandsOfTheirBodysType) {
  const auto module = ParseAndVerify(R"(
module @m attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%a: tensor<4xbf16>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xbf16>) -> tensor<2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2xf32>
}
})",
                                     "m");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string text = Print(**module);
  EXPECT_THAT(text, HasSubstr("stablehlo.convert %arg0 : (tensor<4xbf16>) -> "
                              "tensor<4xf32>"));
  EXPECT_THAT(text, HasSubstr("(tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_THAT(text, HasSubstr("(tensor<4xf32>) -> tensor<2xf32>"));
  EXPECT_TRUE(Verify(**module).ok());
}

// What can differ in a call of ragged_all_to_all on 2 replicas and 2
// partitions.
struct RaggedCall {
  std::string operand = "tensor<3x5xf32>";
  std::string output = "tensor<7x5xf32>";
  std::string list = "tensor<4xi32>";
  std::string last_list = "tensor<4xi32>";
  std::string result = "tensor<7x5xf32>";
  std::string config =
      "channel_id = 1 : i64, replica_groups = dense<[[1, 0]]> : "
      "tensor<1x2xi64>";
};

std::string TextOf(const RaggedCall& call) {
  return absl::StrCat(
      "module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 "
      ": i32} {\nfunc.func @main(%a: ",
      call.operand, ", %o: ", call.output, ", %i: ", call.list,
      ", %r: ", call.last_list, ") -> ", call.result,
      " {\n  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %o, %i, %i, %i, "
      "%r) {api_version = 4 : i32, backend_config = {",
      call.config, "}} : (", call.operand, ", ", call.output, ", ", call.list,
      ", ", call.list, ", ", call.list, ", ", call.last_list, ") -> ",
      call.result, "\n  return %0 : ", call.result, "\n}\n}\n");
}

// K-21.
TEST(ExpandOpsTest, RaggedAllToAllExchangesWhatMembersSayFirst) {
  const auto module = ParseAndVerify(TextOf({}), "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_TRUE(Verify(**module).ok());
  const std::string text = Print(**module);
  EXPECT_THAT(text, HasSubstr("all_gather_dim = 0 : i64"));
  EXPECT_THAT(text, HasSubstr("dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>"));
  EXPECT_THAT(text, HasSubstr("(tensor<1x4x4xi64>) -> tensor<2x4x4xi64>"));
  EXPECT_THAT(text, HasSubstr("\"lockstep.ragged_all_to_all\"(%arg0, %arg1, "));
  EXPECT_THAT(text, HasSubstr("dense<[[1, 0]]> : tensor<1x2xi64>"));
  EXPECT_THAT(text, Not(HasSubstr("custom_call")));
}

// K-21.
TEST(ExpandOpsTest, RaggedAllToAllMustFit) {
  const struct {
    RaggedCall call;
    const char* message;
  } kCases[] = {
      {{.operand = "tensor<3x4xf32>"},
       "expected an operand and an output of one type but for the first "
       "dimension, found tensor<3x4xf32> and tensor<7x5xf32>"},
      {{.operand = "tensor<3x5xi32>"}, "found tensor<3x5xi32> and"},
      {{.operand = "tensor<f32>", .output = "tensor<f32>"},
       "found tensor<f32> and tensor<f32>"},
      {{.list = "tensor<4xf32>"},
       "input_offsets: expected a 1-D integer tensor, found tensor<4xf32>"},
      {{.last_list = "tensor<4x1xi32>"},
       "recv_sizes: expected a 1-D integer tensor, found tensor<4x1xi32>"},
      {{.last_list = "tensor<4xi64>"},
       "recv_sizes: expected tensor<4xi32>, as input_offsets, found "
       "tensor<4xi64>"},
      {{.list = "tensor<3xi32>", .last_list = "tensor<3xi32>"},
       "input_offsets: expected a multiple of 2 (the group's size) slices, "
       "found 3"},
      {{.list = "tensor<0xi32>", .last_list = "tensor<0xi32>"},
       "(the group's size) slices, found 0"},
      {{.result = "tensor<8x5xf32>"},
       "expected a result of the output's type tensor<7x5xf32>, found "
       "tensor<8x5xf32>"},
      {{.config = "channel_id = 1 : i64, replica_groups = dense<[[0], [1]]> : "
                  "tensor<2x1xi32>, other = 1"},
       ""},
      {{.config = "replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>"},
       "replica_groups: "},
      {{.config = "channel_id = \"1\""}, "channel_id: "},
  };
  for (const auto& c : kCases) {
    const absl::Status status =
        ParseAndVerify(TextOf(c.call), "m.mlir").status();
    if (*c.message == '\0') {
      EXPECT_TRUE(status.ok()) << status;
      continue;
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("m.mlir:3:8: stablehlo.custom_call: "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
}

TEST(ExpandOpsTest, WhatAnOpBecomesMustVerify) {
  const absl::Status status = VerifyText(
      MainReturning("tensor<2xf32>",
                    "  %a = stablehlo.constant dense<1.0> : tensor<2xf32>\n"
                    "  %0 = chlo.broadcast_and %a, %a : (tensor<2xf32>, "
                    "tensor<2xf32>) -> tensor<2xf32>"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("stablehlo.and: operand 0: expected"));
}

}  // namespace
}  // namespace lockstep::internal
