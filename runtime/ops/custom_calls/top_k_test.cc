// The largest and smallest elements: @mhlo.topk, @ApproxTopK, @PartialReduce.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string TopKText(absl::string_view config) {
  return absl::StrCat(
      R"(
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %a = stablehlo.constant dense<[[1.0, 3.0, 2.0, 3.0], [-0.0, 0.0, -1.0, -2.0]]> : tensor<2x4xf32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {)",
      config, R"(} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
}
)");
}

TEST(TopKTest, TheLargestComeFirstAndOfEqualOnesTheFirst) {
  const auto results = RunText(TopKText(
      "mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : "
      "i64"));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].data<float>(), ElementsAre(3, 3, 0, 0));
  EXPECT_THAT((*results)[1].data<int32_t>(), ElementsAre(1, 3, 1, 0));
}

TEST(TopKTest, TheSmallestComeFirst) {
  const auto results =
      RunText(TopKText("mhlo.attributes = {k = 2 : i64, largest = false}"));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].data<float>(), ElementsAre(1, 2, -2, -1));
  EXPECT_THAT((*results)[1].data<int32_t>(), ElementsAre(0, 2, 3, 2));
}

TEST(TopKTest, CountsAndTypesMustFit) {
  const auto error = [](absl::string_view config) {
    return std::string(RunText(TopKText(config)).status().message());
  };
  EXPECT_THAT(error("mhlo.attributes = {k = 3 : i64}"),
              HasSubstr("result 0: expected tensor<2x3xf32>, found "
                        "tensor<2x2xf32>"));
  EXPECT_THAT(error("mhlo.attributes = {k = 5 : i64}"),
              HasSubstr("k: expected 0 to 4, found 5"));
  EXPECT_THAT(error("mhlo.attributes = {largest = 1 : i64}"),
              HasSubstr("largest: expected true or false"));
}

constexpr char kApproxTopK[] = R"(
func.func @first(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main() -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[[1.0, 8.0, 2.0], [5.0, 0.0, 4.0], [7.0, 8.0, 4.0], [2.0, 3.0, 6.0]]> : tensor<4x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x3xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %least, %none) {backend_config = "", called_computations = [@first], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<4x3xf32>, tensor<4x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
)";

absl::StatusOr<std::vector<Literal>> RunApproxTopKWith(absl::string_view from,
                                                       absl::string_view to) {
  const std::string text = absl::StrReplaceAll(kApproxTopK, {{from, to}});
  EXPECT_NE(text, kApproxTopK) << from;
  return RunText(text);
}

TEST(ApproxTopKTest, AreTheExactOnesInTheComparatorsOrder) {
  const auto largest = RunText(kApproxTopK);
  ASSERT_TRUE(largest.ok()) << largest.status();
  EXPECT_THAT((*largest)[0].data<float>(), ElementsAre(7, 8, 6, 5, 8, 4));
  EXPECT_THAT((*largest)[1].data<int32_t>(), ElementsAre(2, 0, 3, 1, 2, 1));
  const auto smallest = RunApproxTopKWith("compare GT", "compare LT");
  ASSERT_TRUE(smallest.ok()) << smallest.status();
  EXPECT_THAT((*smallest)[0].data<float>(), ElementsAre(1, 0, 2, 2, 3, 4));
  EXPECT_THAT((*smallest)[1].data<int32_t>(), ElementsAre(0, 1, 0, 3, 3, 1));
}

TEST(ApproxTopKTest, ResultsMayHaveMoreWhereTheyAreNotAggregated) {
  const auto results = RunApproxTopKWith("top_k = 2", "top_k = 1");
  EXPECT_THAT(results.status().message(),
              HasSubstr("result 0: expected 1 to 1 elements along dim 0, found "
                        "tensor<2x3xf32>"));
  for (const absl::string_view target : {"ApproxTopK", "PartialReduce"}) {
    const auto more = RunText(absl::StrReplaceAll(
        kApproxTopK, {{"@ApproxTopK", absl::StrCat("@", target)},
                      {"top_k = 2", "top_k = 1"},
                      {"topk = true", "topk = false"}}));
    ASSERT_TRUE(more.ok()) << more.status();
    EXPECT_THAT((*more)[0].data<float>(), ElementsAre(7, 8, 6, 5, 8, 4));
  }
}

TEST(ApproxTopKTest, TheConfigurationMayBeJson) {
  const std::string text = absl::StrReplaceAll(
      kApproxTopK,
      {{"@ApproxTopK", "@PartialReduce"},
       {"backend_config = \"\"",
        "backend_config = \"{\\22reduction_dim\\22: 0, \\22top_k\\22: 2}\""},
       {"mhlo.backend_config", "other_config"}});
  const auto results = RunText(text);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].data<float>(), ElementsAre(7, 8, 6, 5, 8, 4));
}

TEST(ApproxTopKTest, WhatDoesNotFitIsRefused) {
  struct Case {
    absl::string_view from, to, message;
  };
  const Case cases[] = {
      {"reduction_dim = 0", "reduction_dim = 2",
       "reduction_dim: expected a dimension of a tensor of rank 2, found 2"},
      {"reduction_dim = 0 : i64, ", "",
       "backend_config: expected an integer as reduction_dim"},
      {"top_k = 2", "top_k = 5", "top_k: expected 1 to 4, found 5"},
      {"top_k = 2", "top_k = 0", "top_k: expected 1 to 4, found 0"},
      {"[@first]", "[@second]", "@second"},
      {"[@first]", "[]", "called_computations: expected one @function"},
      {"[@first]", "[@main]", "called_computations: expected @main to take"},
      {"(%a, %i, %least, %none)", "(%a, %i, %none, %none)", "custom_call"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.to);
    const absl::Status status = RunApproxTopKWith(c.from, c.to).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace lockstep::internal
