// Spec K-24, as far as it goes: a program that sends to another.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kSend[] =
    "is_host_transfer = true} : (tensor<2xi32>, tensor<i32>, "
    "!stablehlo.token) -> !stablehlo.token";

// @send sends (%a, %b), then (%a, %c), on channel 7; @receive takes two pairs
// of a vector and a `scalar` from `channel`.
std::string Programs(int channel, const std::string& scalar) {
  const std::string received = absl::StrCat(
      " = \"stablehlo.recv\"(%t) {channel_handle = "
      "#stablehlo.channel_handle<handle = ",
      channel,
      ", type = 3>, is_host_transfer = true} : (!stablehlo.token) -> "
      "(tensor<2xi32>, ",
      scalar, ", !stablehlo.token)\n");
  return absl::StrCat(
      "module attributes {mhlo.num_replicas = 2 : i32} {\n"
      "func.func public @main() {\n  return\n}\n"
      "func.func private @send(%a: tensor<2xi32>, %b: tensor<i32>) {\n"
      "  %t = stablehlo.after_all : !stablehlo.token\n"
      "  %c = stablehlo.negate %b : tensor<i32>\n"
      "  %0 = \"stablehlo.send\"(%a, %b, %t) {channel_handle = "
      "#stablehlo.channel_handle<handle = 7, type = 2>, ",
      kSend,
      "\n  %1 = \"stablehlo.send\"(%a, %c, %0) {channel_handle = "
      "#stablehlo.channel_handle<handle = 7, type = 2>, ",
      kSend,
      "\n  return\n}\n"
      "func.func private @receive() -> (tensor<2xi32>, ",
      scalar, ", ", scalar,
      ") {\n"
      "  %t = stablehlo.after_all : !stablehlo.token\n  %0:3",
      received, "  %1:3", received,
      "  return %0#0, %0#1, %1#1 : tensor<2xi32>, ", scalar, ", ", scalar,
      "\n}\n}\n");
}

// The results of @receive, which starts first.
absl::StatusOr<std::vector<Literal>> Received(const std::string& text,
                                              absl::Duration timeout) {
  auto module = ParseAndVerify(text, "m");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return module.status();
  std::vector<std::vector<Literal>> arguments(2);
  arguments[1].push_back(Literal::FromValues<int32_t>({2}, {3, 4}));
  arguments[1].push_back(Literal::Scalar(5));
  SpmdOptions options;
  options.timeout = timeout;
  auto results = EvaluatePrograms(
      **module, DeviceAssignment::Iota(2, 1),
      {(*module)->FindFunction("receive"), (*module)->FindFunction("send")},
      std::move(arguments), options);
  if (!results.ok()) return results.status();
  return std::move((*results)[0]);
}

TEST(SendRecvTest, TensorsComeInTheOrderInWhichTheyWereSent) {
  const auto results = Received(Programs(7, "tensor<i32>"), absl::Minutes(5));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].data<int32_t>(), ElementsAre(3, 4));
  EXPECT_THAT((*results)[1].data<int32_t>(), ElementsAre(5));
  EXPECT_THAT((*results)[2].data<int32_t>(), ElementsAre(-5));
}

TEST(SendRecvTest, TensorsOfOtherTypesAreErrors) {
  const auto results = Received(Programs(7, "tensor<f32>"), absl::Minutes(5));
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(results.status().message()),
              HasSubstr("stablehlo.recv: expected tensor<f32> on the channel, "
                        "found tensor<i32>"));
}

TEST(SendRecvTest, WaitForWhatNobodySendsEndsAtTheDeadline) {
  const auto results =
      Received(Programs(8, "tensor<i32>"), absl::Milliseconds(100));
  EXPECT_EQ(results.status().code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace lockstep::internal
