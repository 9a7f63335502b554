// Text of collectives and their errors. Beside the rows of single tests: K-14,
// K-15, K-16, K-17, K-18, K-21, K-22 and K-24, whose texts are cases of one
// table.
#include "client/tracer/collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/tracer/traced_text_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Function = std::function<Tensor(const Tensor&)>;

struct TextCase {
  std::string name;
  AxisEnvironment axes;
  Shape argument;
  Function function;
  std::string text;
};

constexpr char kAll4[] = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>";

std::string AllReduceText(absl::string_view body, absl::string_view type,
                          absl::string_view tensor,
                          absl::string_view groups = kAll4) {
  return absl::StrCat(
      "%0 = \"stablehlo.all_reduce\"(%arg0) <{replica_groups = ", groups,
      "}> ({\n^bb0(%arg1: tensor<", type, ">, %arg2: tensor<", type,
      ">):\n  %1 = stablehlo.", body, " %arg1, %arg2 : tensor<", type,
      ">\n  stablehlo.return %1 : tensor<", type, ">\n}) : (", tensor, ") -> ",
      tensor, "\nreturn %0 : ", tensor, "\n");
}

std::vector<TextCase> TextCases() {
  const Shape f32x2 = F32({2});
  return {
      {"Psum", FourMembers(), f32x2,
       [](const Tensor& x) { return psum(x, "i"); },
       AllReduceText("add", "f32", "tensor<2xf32>")},
      {"PsumMinorFirst", FourByTwo(), f32x2,
       [](const Tensor& x) { return psum(x, {"j", "i"}); },
       AllReduceText("add", "f32", "tensor<2xf32>",
                     "dense<[[0, 2, 4, 6, 1, 3, 5, 7]]> : tensor<1x8xi64>")},
      {"PsumMajorAxis", FourByTwo(), f32x2,
       [](const Tensor& x) { return psum(x, "i"); },
       AllReduceText("add", "f32", "tensor<2xf32>",
                     "dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>")},
      {"PsumUnevenGroups", AxisEnvironment::OneAxis("i", 8), f32x2,
       [](const Tensor& x) {
         return psum(x, "i", {{{0, 1}, {2, 3, 4, 5, 6, 7}}});
       },
       AllReduceText("add", "f32", "tensor<2xf32>",
                     "dense<[[0, 1, -1, -1, -1, -1], [2, 3, 4, 5, 6, 7]]> : "
                     "tensor<2x6xi64>")},
      {"PmeanOfBf16IsSummedInF32", FourMembers(),
       Shape(ElementType::kBF16, {2}),
       [](const Tensor& x) { return pmean(x, "i"); },
       "%0 = \"stablehlo.all_reduce\"(%arg0) <{replica_groups = "
       "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({\n"
       "^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):\n"
       "  %3 = stablehlo.add %arg1, %arg2 : tensor<f32>\n"
       "  stablehlo.return %3 : tensor<f32>\n"
       "}) : (tensor<2xbf16>) -> tensor<2xf32>\n"
       "%cst = stablehlo.constant dense<4.0> : tensor<2xf32>\n"
       "%1 = stablehlo.divide %0, %cst : tensor<2xf32>\n"
       "%2 = stablehlo.convert %1 : (tensor<2xf32>) -> tensor<2xbf16>\n"
       "return %2 : tensor<2xbf16>\n"},
      {"PbroadcastPutsTheSourceFirst", FourByTwo(), f32x2,
       [](const Tensor& x) { return pbroadcast(x, "i", 2); },
       "%0 = \"stablehlo.collective_broadcast\"(%arg0) <{replica_groups = "
       "dense<[[4, 0, 2, 6], [5, 1, 3, 7]]> : tensor<2x4xi64>}> : "
       "(tensor<2xf32>) -> tensor<2xf32>\n"
       "return %0 : tensor<2xf32>\n"},
      {"PshuffleIsAPermutation", FourMembers(), f32x2,
       [](const Tensor& x) { return pshuffle(x, "i", {2, 0, 3, 1}); },
       "%0 = \"stablehlo.collective_permute\"(%arg0) <{source_target_pairs = "
       "dense<[[2, 0], [0, 1], [3, 2], [1, 3]]> : tensor<4x2xi64>}> : "
       "(tensor<2xf32>) -> tensor<2xf32>\n"
       "return %0 : tensor<2xf32>\n"},
      {"PsumOfNoAxes", FourMembers(), f32x2,
       [](const Tensor& x) { return psum(x, std::vector<std::string>()); },
       "return %arg0 : tensor<2xf32>\n"},
      {"Pmax", FourMembers(), S32({}),
       [](const Tensor& x) { return pmax(x, "i"); },
       AllReduceText("maximum", "i32", "tensor<i32>")},
      {"PminOfBool", FourMembers(), Shape(ElementType::kPred, {}),
       [](const Tensor& x) { return pmin(x, "i"); },
       AllReduceText("minimum", "i1", "tensor<i1>")},
      {"AllGather", FourMembers(), f32x2,
       [](const Tensor& x) { return all_gather(x, "i", {.dim = -1}); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xf32>) -> "
       "tensor<2x1xf32>\n"
       "%1 = \"stablehlo.all_gather\"(%0) <{all_gather_dim = 1 : i64, "
       "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : "
       "(tensor<2x1xf32>) -> tensor<2x4xf32>\n"
       "return %1 : tensor<2x4xf32>\n"},
      {"AllGatherTiledInGroups", FourMembers(), f32x2,
       [](const Tensor& x) {
         return all_gather(
             x, "i", {.tiled = true, .axis_index_groups = {{0, 2}, {3, 1}}});
       },
       "%0 = \"stablehlo.all_gather\"(%arg0) <{all_gather_dim = 0 : i64, "
       "replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : "
       "(tensor<2xf32>) -> tensor<4xf32>\n"
       "return %0 : tensor<4xf32>\n"},
      {"PsumScatter", FourMembers(), F32({4, 3}),
       [](const Tensor& x) { return psum_scatter(x, "i"); },
       "%0 = \"stablehlo.reduce_scatter\"(%arg0) <{replica_groups = "
       "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64}> "
       "({\n"
       "^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):\n"
       "  %2 = stablehlo.add %arg1, %arg2 : tensor<f32>\n"
       "  stablehlo.return %2 : tensor<f32>\n"
       "}) : (tensor<4x3xf32>) -> tensor<1x3xf32>\n"
       "%1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>\n"
       "return %1 : tensor<3xf32>\n"},
      {"AllToAllSplitBeforeConcat", FourMembers(), F32({4, 3}),
       [](const Tensor& x) { return all_to_all(x, "i", 0, 1); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : "
       "(tensor<4x3xf32>) -> tensor<4x3x1xf32>\n"
       "%1 = \"stablehlo.all_to_all\"(%0) <{concat_dimension = 2 : i64, "
       "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count "
       "= 4 : i64, split_dimension = 0 : i64}> : (tensor<4x3x1xf32>) -> "
       "tensor<1x3x4xf32>\n"
       "%2 = stablehlo.reshape %1 : (tensor<1x3x4xf32>) -> tensor<3x4xf32>\n"
       "return %2 : tensor<3x4xf32>\n"},
      {"AllToAllConcatBeforeSplit", FourMembers(), F32({3, 4}),
       [](const Tensor& x) { return all_to_all(x, "i", 1, 0); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : "
       "(tensor<3x4xf32>) -> tensor<1x3x4xf32>\n"
       "%1 = \"stablehlo.all_to_all\"(%0) <{concat_dimension = 0 : i64, "
       "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count "
       "= 4 : i64, split_dimension = 2 : i64}> : (tensor<1x3x4xf32>) -> "
       "tensor<4x3x1xf32>\n"
       "%2 = stablehlo.reshape %1 : (tensor<4x3x1xf32>) -> tensor<4x3xf32>\n"
       "return %2 : tensor<4x3xf32>\n"},
      {"Pswapaxes", FourMembers(), F32({3, 4}),
       [](const Tensor& x) { return pswapaxes(x, "i", 1); },
       "%0 = \"stablehlo.all_to_all\"(%arg0) <{concat_dimension = 1 : i64, "
       "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count "
       "= 4 : i64, split_dimension = 1 : i64}> : (tensor<3x4xf32>) -> "
       "tensor<3x4xf32>\n"
       "return %0 : tensor<3x4xf32>\n"},
      {"AllToAllTiled", FourMembers(), F32({8, 3}),
       [](const Tensor& x) {
         return all_to_all(x, "i", 0, 1, {.tiled = true});
       },
       "%0 = \"stablehlo.all_to_all\"(%arg0) <{concat_dimension = 1 : i64, "
       "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count "
       "= 4 : i64, split_dimension = 0 : i64}> : (tensor<8x3xf32>) -> "
       "tensor<2x12xf32>\n"
       "return %0 : tensor<2x12xf32>\n"},
      {"AllToAllAloneMovesTheDimension", AxisEnvironment::OneAxis("i", 1),
       F32({1, 3}), [](const Tensor& x) { return all_to_all(x, "i", 0, 1); },
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : "
       "(tensor<1x3xf32>) -> tensor<1x3x1xf32>\n"
       "%1 = stablehlo.reshape %0 : (tensor<1x3x1xf32>) -> tensor<3x1xf32>\n"
       "return %1 : tensor<3x1xf32>\n"},
      {"RaggedAllToAll", FourByTwo(), F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(2);
         return ragged_all_to_all(x, x, list, list, list, list, "j");
       },
       "%0 = stablehlo.iota dim = 0 : tensor<2xi32>\n"
       "%1 = stablehlo.custom_call @ragged_all_to_all(%arg0, %arg0, %0, %0, "
       "%0, %0) {api_version = 4 : i32, backend_config = {replica_groups = "
       "dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}} : "
       "(tensor<3x2xf32>, tensor<3x2xf32>, tensor<2xi32>, tensor<2xi32>, "
       "tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf32>\n"
       "return %1 : tensor<3x2xf32>\n"},
      {"SendAndRecv", FourByTwo(), F32({2}),
       [](const Tensor& x) {
         const Token sent = send(x, create_token(), "j", {{-1, 0}});
         return recv(sent, x.shape(), "j", {{-1, 0}}).first;
       },
       "%0 = stablehlo.create_token : !stablehlo.token\n"
       "%1 = \"stablehlo.send\"(%arg0, %0) <{channel_handle = "
       "#stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = "
       "false, source_target_pairs = dense<[[1, 0], [3, 2], [5, 4], [7, 6]]> "
       ": tensor<4x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> "
       "!stablehlo.token\n"
       "%2:2 = \"stablehlo.recv\"(%1) <{channel_handle = "
       "#stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = "
       "false, source_target_pairs = dense<[[1, 0], [3, 2], [5, 4], [7, 6]]> "
       ": tensor<4x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, "
       "!stablehlo.token)\n"
       "return %2#0 : tensor<2xf32>\n"},
      {"PpermuteGroupByGroup", FourByTwo(), F32({}),
       [](const Tensor& x) {
         return ppermute(x, "i", {{0, 1}, {1, 2}, {2, 3}});
       },
       "%0 = \"stablehlo.collective_permute\"(%arg0) <{source_target_pairs = "
       "dense<[[0, 2], [2, 4], [4, 6], [1, 3], [3, 5], [5, 7]]> : "
       "tensor<6x2xi64>}> : (tensor<f32>) -> tensor<f32>\n"
       "return %0 : tensor<f32>\n"},
      {"PpermuteNegativeIndex", FourMembers(), F32({}),
       [](const Tensor& x) { return ppermute(x, "i", {{-1, 0}}); },
       "%0 = \"stablehlo.collective_permute\"(%arg0) <{source_target_pairs = "
       "dense<[[3, 0]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>\n"
       "return %0 : tensor<f32>\n"},
      {"PpermuteInReorderedGroups", FourMembers(), F32({}),
       [](const Tensor& x) {
         return ppermute(x, "i", {{0, 1}}, {{{0, 2}, {3, 1}}});
       },
       "%0 = \"stablehlo.collective_permute\"(%arg0) <{source_target_pairs = "
       "dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<f32>) -> "
       "tensor<f32>\n"
       "return %0 : tensor<f32>\n"},
      {"PpermuteWithoutPairsIsZeros", FourMembers(), F32({}),
       [](const Tensor& x) { return ppermute(x, "i", {}); },
       "%cst = stablehlo.constant dense<0.0> : tensor<f32>\n"
       "return %cst : tensor<f32>\n"},
      {"AxisIndexOfMajorAxis", FourByTwo(), F32({}),
       [](const Tensor&) { return axis_index("i"); },
       "%0 = stablehlo.replica_id : tensor<ui32>\n"
       "%c = stablehlo.constant dense<2> : tensor<ui32>\n"
       "%1 = stablehlo.divide %0, %c : tensor<ui32>\n"
       "%c_0 = stablehlo.constant dense<4> : tensor<ui32>\n"
       "%2 = stablehlo.remainder %1, %c_0 : tensor<ui32>\n"
       "%3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i32>\n"
       "return %3 : tensor<i32>\n"},
      {"AxisIndexInGroupsIsLookedUp", FourMembers(), F32({}),
       [](const Tensor&) { return axis_index("i", {{{0, 2}, {3, 1}}}); },
       "%c = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xi64>\n"
       "%0 = stablehlo.replica_id : tensor<ui32>\n"
       "%1 = stablehlo.dynamic_slice %c, %0, sizes = [1] : (tensor<4xi64>, "
       "tensor<ui32>) -> tensor<1xi64>\n"
       "%2 = stablehlo.reshape %1 : (tensor<1xi64>) -> tensor<i64>\n"
       "%3 = stablehlo.convert %2 : (tensor<i64>) -> tensor<i32>\n"
       "return %3 : tensor<i32>\n"},
  };
}

// K-8, with the groups of K-1 and J-17.
TEST(CollectiveTextTest, IsTheReplicaForm) {
  for (const TextCase& c : TextCases()) {
    EXPECT_EQ(TracedText(c.axes, c.argument, c.function), c.text) << c.name;
  }
}

// K-3, K-8.
TEST(CollectiveTextTest, PsumOfBoolCountsInS32) {
  EXPECT_THAT(TracedText(FourMembers(), Shape(ElementType::kPred, {}),
                         [](const Tensor& x) { return psum(x, "i"); }),
              AllOf(StartsWith("%0 = stablehlo.convert %arg0 : (tensor<i1>) -> "
                               "tensor<i32>\n"),
                    HasSubstr("(tensor<i32>) -> tensor<i32>\n")));
  EXPECT_EQ(
      TracedText(
          AxisEnvironment::OneAxis("i", 1), Shape(ElementType::kPred, {}),
          [](const Tensor& x) { return psum(x, std::vector<std::string>()); }),
      "%0 = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>\n"
      "return %0 : tensor<i32>\n");
}

// K-8, K-11.
TEST(CollectiveTextTest, PmeanOfHalvesAddsAndDividesInF32) {
  EXPECT_EQ(TracedText(FourMembers(), Shape(ElementType::kF16, {}),
                       [](const Tensor& x) { return pmean(x, "i"); }),
            absl::StrCat("%0 = \"stablehlo.all_reduce\"(%arg0) "
                         "<{replica_groups = ",
                         kAll4,
                         "}> ({\n"
                         "^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):\n"
                         "  %3 = stablehlo.add %arg1, %arg2 : tensor<f32>\n"
                         "  stablehlo.return %3 : tensor<f32>\n"
                         "}) : (tensor<f16>) -> tensor<f32>\n"
                         "%cst = stablehlo.constant dense<4.0> : tensor<f32>\n"
                         "%1 = stablehlo.divide %0, %cst : tensor<f32>\n"
                         "%2 = stablehlo.convert %1 : (tensor<f32>) -> "
                         "tensor<f16>\n"
                         "return %2 : tensor<f16>\n"));
}

// K-3, K-11.
TEST(CollectiveTextTest, PmeanOfIntegersAddsIn64Bits) {
  struct Case {
    ElementType type;
    std::string sum, result;
  };
  for (const Case& c : {Case{ElementType::kS8, "i64", "f32"},
                        Case{ElementType::kU32, "ui64", "f32"},
                        Case{ElementType::kS64, "i64", "f64"},
                        Case{ElementType::kU64, "ui64", "f64"},
                        Case{ElementType::kPred, "i32", "f32"}}) {
    const std::string text =
        TracedText(FourMembers(), Shape(c.type, {}),
                   [](const Tensor& x) { return pmean(x, "i"); });
    EXPECT_THAT(text, HasSubstr(absl::StrCat("(tensor<", c.sum, ">) -> tensor<",
                                             c.sum, ">\n")));
    EXPECT_THAT(text,
                HasSubstr(absl::StrCat(": (tensor<", c.sum, ">) -> tensor<",
                                       c.result, ">\n")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("stablehlo.divide")));
  }
}

// K-2, K-11.
TEST(CollectiveTextTest, PmeanOfUnevenGroupsDividesByTheOwnGroupsSize) {
  EXPECT_THAT(
      TracedText(
          FourMembers(), F32({2}),
          [](const Tensor& x) { return pmean(x, "i", {{{0}, {1, 2, 3}}}); }),
      AllOf(HasSubstr("dense<[1, 3, 3, 3]> : tensor<4xi64>"),
            HasSubstr("stablehlo.replica_id"), HasSubstr("stablehlo.divide")));
}

// K-5. Collectives of constants send nothing.
TEST(CollectiveOfConstantTest, HasNoCommunication) {
  const auto one = [](Function f) {
    return TracedText(FourMembers(), F32({}), f);
  };
  EXPECT_EQ(one([](const Tensor&) { return psum(1, "i"); }),
            "%c = stablehlo.constant dense<4> : tensor<i32>\n"
            "return %c : tensor<i32>\n");
  EXPECT_EQ(
      one([](const Tensor&) { return psum(2.0, "i", {{{0, 1}, {2, 3}}}); }),
      "%cst = stablehlo.constant dense<4.0> : tensor<f32>\n"
      "return %cst : tensor<f32>\n");
  EXPECT_EQ(one([](const Tensor&) {
              return psum(constant(static_cast<int8_t>(100)), "i");
            }),
            "%c = stablehlo.constant dense<-112> : tensor<i8>\n"
            "return %c : tensor<i8>\n");
  EXPECT_EQ(one([](const Tensor&) { return pmean(3, "i"); }),
            "%cst = stablehlo.constant dense<3.0> : tensor<f32>\n"
            "return %cst : tensor<f32>\n");
  EXPECT_EQ(one([](const Tensor&) { return pmax(3, "i"); }),
            "%c = stablehlo.constant dense<3> : tensor<i32>\n"
            "return %c : tensor<i32>\n");
  EXPECT_EQ(one([](const Tensor&) { return all_gather(ones({2}), "i"); }),
            "%cst = stablehlo.constant dense<1.0> : tensor<4x2xf32>\n"
            "return %cst : tensor<4x2xf32>\n");
  EXPECT_THAT(one([](const Tensor&) {
                return psum_scatter(
                    constant(Literal::FromValues<float>({4}, {1, 2, 3, 4})),
                    "i");
              }),
              AllOf(HasSubstr("stablehlo.multiply"),
                    HasSubstr("stablehlo.dynamic_slice"),
                    Not(HasSubstr("reduce_scatter"))));
  EXPECT_THAT(
      one([](const Tensor&) { return ppermute(5.0f, "i", {{0, 1}}); }),
      AllOf(HasSubstr("dense<[0, 1, 0, 0]>"), HasSubstr("stablehlo.select"),
            Not(HasSubstr("collective_permute"))));
  EXPECT_THAT(
      one([](const Tensor&) { return psum(1, "i", {{{0}, {1, 2, 3}}}); }),
      AllOf(HasSubstr("dense<[1, 3, 3, 3]>"), Not(HasSubstr("all_reduce"))));
}

// K-5.
TEST(CollectiveOfConstantTest, OwnIndexIsNoConstant) {
  EXPECT_THAT(
      TracedText(FourMembers(), F32({}),
                 [](const Tensor&) { return psum(axis_index("i"), "i"); }),
      HasSubstr("all_reduce"));
}

// K-5.
TEST(CollectiveOfConstantTest, NumberKeepsTheOtherOperandsType) {
  EXPECT_EQ(TracedText(FourMembers(), Shape(ElementType::kF16, {}),
                       [](const Tensor& x) { return x / psum(1, "i"); }),
            "%cst = stablehlo.constant dense<4.0> : tensor<f16>\n"
            "%0 = stablehlo.divide %arg0, %cst : tensor<f16>\n"
            "return %0 : tensor<f16>\n");
}

struct ErrorCase {
  Shape argument;
  Function function;
  std::string code;
  std::vector<std::string> names;  // what the message says
};

// J-13, K-2, K-3, K-14, K-15, K-16, K-18, K-21, K-23, K-24.
TEST(CollectiveErrorTest, NamesWhatIsWrong) {
  const std::vector<ErrorCase> cases = {
      {F32({}),
       [](const Tensor& x) { return psum(x, "k"); },
       "NOT_FOUND",
       {"psum: axis 'k' is not bound", "'i'", "'j'"}},
      {F32({}),
       [](const Tensor& x) { return psum(x, {"i", "i"}); },
       "INVALID_ARGUMENT",
       {"'i' occurs twice"}},
      {F32({}),
       [](const Tensor& x) { return psum(x, "i", {{{0, 1}, {2, 4}}}); },
       "INVALID_ARGUMENT",
       {"index 4", "size 4"}},
      {F32({}),
       [](const Tensor& x) { return psum(x, "i", {{{0, 1}, {1, 2, 3}}}); },
       "INVALID_ARGUMENT",
       {"index 1", "[[0, 1], [1, 2, 3]]"}},
      {F32({}),
       [](const Tensor& x) { return psum(x, "i", {{{0, 1}}}); },
       "INVALID_ARGUMENT",
       {"2, 3", "size 4"}},
      {F32({}),
       [](const Tensor& x) {
         return all_gather(x, "i", {.axis_index_groups = {{0}, {1, 2, 3}}});
       },
       "INVALID_ARGUMENT",
       {"all_gather", "1, 3"}},
      {F32({}),
       [](const Tensor& x) { return all_gather(x, "i", {.tiled = true}); },
       "INVALID_ARGUMENT",
       {"rank 0"}},
      {F32({3}),
       [](const Tensor& x) { return all_gather(x, "i", {.dim = 2}); },
       "INVALID_ARGUMENT",
       {"dimension 2", "rank 2"}},
      {F32({3}),
       [](const Tensor& x) { return psum_scatter(x, "i"); },
       "INVALID_ARGUMENT",
       {"dimension 0", "size 3", "size 4"}},
      {F32({6}),
       [](const Tensor& x) { return psum_scatter(x, "i", {.tiled = true}); },
       "INVALID_ARGUMENT",
       {"dimension 0", "size 6", "multiple", "4"}},
      {F32({3, 2}),
       [](const Tensor& x) { return all_to_all(x, "i", 0, 1); },
       "INVALID_ARGUMENT",
       {"split_dim 0", "size 3", "size 4", "axes (i)"}},
      {F32({}),
       [](const Tensor& x) { return all_to_all(x, "i", 0, 0); },
       "INVALID_ARGUMENT",
       {"rank 0"}},
      {F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(4);
         return ragged_all_to_all(x, reshape(x, {6}), list, list, list, list,
                                  "i");
       },
       "INVALID_ARGUMENT",
       {"ragged_all_to_all", "tensor<3x2xf32> and tensor<6xf32>"}},
      {F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(4);
         return ragged_all_to_all(x, x, list, list, x, list, "i");
       },
       "INVALID_ARGUMENT",
       {"output_offsets: expected a vector of integers, found "
        "tensor<3x2xf32>"}},
      {F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(4);
         return ragged_all_to_all(x, x, list, list, list, arange(3), "i");
       },
       "INVALID_ARGUMENT",
       {"recv_sizes: expected tensor<4xi32>, as input_offsets, found "
        "tensor<3xi32>"}},
      {F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(6);
         return ragged_all_to_all(x, x, list, list, list, list, "i");
       },
       "INVALID_ARGUMENT",
       {"input_offsets: expected a multiple of the group's size 4",
        "tensor<6xi32>"}},
      {F32({3, 2}),
       [](const Tensor& x) {
         const Tensor list = arange(6);
         return ragged_all_to_all(x, x, list, list, list, list, "i",
                                  {{{0}, {1, 2, 3}}});
       },
       "INVALID_ARGUMENT",
       {"ragged_all_to_all", "1, 3"}},
      {F32({}),
       [](const Tensor& x) { return ppermute(x, "i", {{0, 1}, {-4, 2}}); },
       "INVALID_ARGUMENT",
       {"source 0", "[(0,1), (-4,2)]"}},
      {F32({}),
       [](const Tensor& x) { return ppermute(x, "i", {{0, 1}, {2, 1}}); },
       "INVALID_ARGUMENT",
       {"destination 1", "[(0,1), (2,1)]"}},
      {F32({}),
       [](const Tensor& x) { return ppermute(x, "i", {{0, 4}}); },
       "INVALID_ARGUMENT",
       {"index 4", "size 4"}},
      {F32({}),
       [](const Tensor& x) {
         const Token sent = send(x, create_token(), "i", {{0, 1}, {0, 2}});
         return recv(sent, x.shape(), "i", {{0, 1}}).first;
       },
       "INVALID_ARGUMENT",
       {"send: source 0 occurs twice", "[(0,1), (0,2)]"}},
      {F32({}),
       [](const Tensor& x) {
         const Token sent = send(x, create_token(), "i", {{0, 1}});
         return recv(sent, x.shape(), "i", {{0, 4}}).first;
       },
       "INVALID_ARGUMENT",
       {"recv: index 4", "size 4"}},
      {Shape(ElementType::kC64, {}),
       [](const Tensor& x) { return pmax(x, "i"); },
       "UNIMPLEMENTED",
       {"pmax", "complex64"}},
      {Shape(ElementType::kF8E5M2, {}),
       [](const Tensor& x) { return pmax(x, "i"); },
       "UNIMPLEMENTED",
       {"pmax", "float8_e5m2", "convert it to float32"}},
      {Shape(ElementType::kU4, {}),
       [](const Tensor& x) { return psum(x, "i"); },
       "UNIMPLEMENTED",
       {"psum", "uint4", "convert it to int8"}},
      {Shape(ElementType::kS2, {}),
       [](const Tensor& x) { return pargmax(x, "i"); },
       "UNIMPLEMENTED",
       {"pargmax", "int2", "convert it to int8"}},
      {Shape(ElementType::kF8E5M2, {}),
       [](const Tensor& x) { return pmean(x, "i"); },
       "UNIMPLEMENTED",
       {"pmean", "float8_e5m2", "convert it to float32"}},
      {Shape(ElementType::kF8E5M2, {4}),
       [](const Tensor& x) { return psum_scatter(x, "i"); },
       "UNIMPLEMENTED",
       {"psum_scatter", "float8_e5m2", "convert it to float32"}},
      {F32({}),
       [](const Tensor& x) { return x * axis_size("i", {{{0}, {1, 2, 3}}}); },
       "INVALID_ARGUMENT",
       {"axis_size", "1, 3", "psum of 1"}},
  };
  for (const ErrorCase& c : cases) {
    const std::string text = TracedText(FourByTwo(), c.argument, c.function);
    EXPECT_THAT(text, StartsWith(absl::StrCat(c.code, ": ")));
    EXPECT_THAT(text, HasSubstr("client/tracer/collectives_test.cc:"));
    for (const std::string& name : c.names) {
      EXPECT_THAT(text, HasSubstr(name));
    }
  }
}

// K-23.
TEST(AxisSizeTest, IsAHostNumber) {
  TracedText(FourByTwo(), F32({}), [](const Tensor& x) {
    EXPECT_EQ(axis_size("i"), 4);
    EXPECT_EQ(axis_size({"i", "j"}), 8);
    EXPECT_EQ(axis_size("i", {{{0, 2}, {3, 1}}}), 2);
    return x;
  });
}

// J-4, J-13.
TEST(AxisSizeTest, PrivateAxisHasNoName) {
  EXPECT_THAT(TracedText(AxisEnvironment::OneAxis("", 4), F32({}),
                         [](const Tensor& x) { return psum(x, ""); }),
              HasSubstr("axis '' is not bound; bound axes: none"));
}

}  // namespace
}  // namespace lockstep::internal
