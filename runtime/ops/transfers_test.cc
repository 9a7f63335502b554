// Spec K-24: sends and recvs between devices, as programs write them.
#include "runtime/ops/transfers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRing[] = "[[0, 1], [1, 2], [2, 0]]";

std::string Attributes(const std::string& pairs, int channel = 1) {
  const auto count = std::count(pairs.begin(), pairs.end(), '[') - 1;
  return absl::StrCat(
      "<{channel_handle = #stablehlo.channel_handle<handle = ", channel,
      ", type = 1>, is_host_transfer = false, source_target_pairs = dense<",
      pairs, "> : tensor<", count, "x2xi64>}>");
}

// "%t2 = send(%x, %t1)" by pairs.
std::string Send(const std::string& token, const std::string& x,
                 const std::string& after, const std::string& pairs = kRing,
                 int channel = 1) {
  return absl::StrCat("  ", token, " = \"stablehlo.send\"(", x, ", ", after,
                      ") ", Attributes(pairs, channel),
                      " : (tensor<i32>, !stablehlo.token) -> "
                      "!stablehlo.token\n");
}

// "%y:2 = recv(%t1)".
std::string Recv(const std::string& results, const std::string& after,
                 const std::string& pairs = kRing, int channel = 1,
                 const std::string& type = "tensor<i32>") {
  return absl::StrCat("  ", results, ":2 = \"stablehlo.recv\"(", after, ") ",
                      Attributes(pairs, channel), " : (!stablehlo.token) -> (",
                      type, ", !stablehlo.token)\n");
}

const std::string kToken = "  %t = stablehlo.create_token : !stablehlo.token\n";

// @main of %a, a scalar, with two results, on three devices.
std::string Program(const std::string& body, const std::string& results,
                    bool has_partitions) {
  return absl::StrCat(
      "module attributes {mhlo.num_replicas = ", has_partitions ? 1 : 3,
      " : i32, mhlo.num_partitions = ", has_partitions ? 3 : 1,
      " : i32} {\nfunc.func @main(%a: tensor<i32>) -> (tensor<i32>, "
      "tensor<i32>) {\n",
      body, "  return ", results, " : tensor<i32>, tensor<i32>\n}\n}\n");
}

// The two results of each device, which passes 1, 2 or 3.
std::vector<std::vector<int32_t>> ResultsOf(const std::string& body,
                                            const std::string& results) {
  std::vector<std::vector<int32_t>> first;
  for (bool has_partitions : {false, true}) {
    const auto module =
        ParseAndVerify(Program(body, results, has_partitions), "m.mlir");
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return {};
    EXPECT_TRUE(Verify(**module).ok()) << Print(**module);
    EXPECT_THAT(Print(**module),
                AllOf(Not(HasSubstr("send")), Not(HasSubstr("recv"))));
    std::vector<std::vector<Literal>> arguments(3);
    for (int i = 0; i < 3; ++i) {
      arguments[i].push_back(Literal::Scalar<int32_t>(i + 1));
    }
    const auto found = EvaluateSpmd(
        **module,
        DeviceAssignment::Iota(has_partitions ? 1 : 3, has_partitions ? 3 : 1),
        std::move(arguments));
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok()) return {};
    std::vector<std::vector<int32_t>> values;
    for (const auto& device : *found) {
      values.push_back(
          {device[0].data<int32_t>()[0], device[1].data<int32_t>()[0]});
    }
    if (has_partitions) {
      EXPECT_EQ(values, first);
    }
    first = values;
  }
  return first;
}

std::string ErrorOf(const std::string& body) {
  const absl::Status status =
      ParseAndVerify(Program(body, "%a, %a", false), "m.mlir").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(TransfersTest, ReceiversGetWhatIsSentAndOthersZeros) {
  EXPECT_THAT(
      ResultsOf(kToken + Send("%1", "%a", "%t", "[[0, 2]]") +
                    Recv("%2", "%1", "[[0, 2]]"),
                "%2#0, %a"),
      ElementsAre(ElementsAre(0, 1), ElementsAre(0, 2), ElementsAre(1, 3)));
}

TEST(TransfersTest, RingsAreLegal) {
  EXPECT_THAT(
      ResultsOf(kToken + Send("%1", "%a", "%t") + Recv("%2", "%1"), "%2#0, %a"),
      ElementsAre(ElementsAre(3, 1), ElementsAre(1, 2), ElementsAre(2, 3)));
}

TEST(TransfersTest, TheNthOfAChannelMatch) {
  const std::string body =
      kToken + "  %n = stablehlo.negate %a : tensor<i32>\n" +
      Send("%1", "%a", "%t", "[[0, 1]]") + Send("%2", "%n", "%1", "[[1, 0]]") +
      Recv("%3", "%2", "[[0, 1]]") + Recv("%4", "%3#1", "[[1, 0]]");
  EXPECT_THAT(
      ResultsOf(body, "%3#0, %4#0"),
      ElementsAre(ElementsAre(0, -2), ElementsAre(1, 0), ElementsAre(0, 0)));
}

TEST(TransfersTest, ChannelsDoNotMix) {
  const std::string body = kToken + Send("%1", "%a", "%t", "[[0, 1]]", 1) +
                           Send("%2", "%a", "%1", "[[0, 2]]", 2) +
                           Recv("%3", "%2", "[[0, 2]]", 2) +
                           Recv("%4", "%2", "[[0, 1]]", 1);
  EXPECT_THAT(
      ResultsOf(body, "%3#0, %4#0"),
      ElementsAre(ElementsAre(0, 0), ElementsAre(0, 1), ElementsAre(1, 0)));
}

// What is sent is computed behind the recv, which does not need it.
TEST(TransfersTest, ARecvMayStandBeforeItsSend) {
  const std::string body =
      kToken + Recv("%1", "%t") + "  %n = stablehlo.negate %a : tensor<i32>\n" +
      Send("%2", "%n", "%t") + "  %s = stablehlo.add %1#0, %n : tensor<i32>\n";
  EXPECT_THAT(ResultsOf(body, "%1#0, %s"),
              ElementsAre(ElementsAre(-3, -4), ElementsAre(-1, -3),
                          ElementsAre(-2, -5)));
}

// So that work between them hides it.
TEST(TransfersTest, WhatIsSentLeavesBeforeWorkThatDoesNotNeedIt) {
  const auto module =
      ParseAndVerify(Program(kToken + Send("%1", "%a", "%t") +
                                 "  %n = stablehlo.negate %a : tensor<i32>\n" +
                                 Recv("%2", "%1"),
                             "%2#0, %n", false),
                     "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string text = Print(**module);
  EXPECT_LT(text.find("collective_permute"), text.find("negate")) << text;
}

// What is received is sent on, also in a loop.
TEST(TransfersTest, WorkInLoops) {
  const std::string body = absl::StrCat(
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %two = stablehlo.constant dense<2> : tensor<i32>\n",
      kToken,
      "  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, "
      "tensor<i32>\n  cond {\n"
      "    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  } do {\n",
      Send("%1", "%x", "%t"), Recv("%2", "%1"),
      "    %n = stablehlo.add %i, %one : tensor<i32>\n"
      "    stablehlo.return %n, %2#0 : tensor<i32>, tensor<i32>\n  }\n");
  EXPECT_THAT(
      ResultsOf(body, "%r#1, %a"),
      ElementsAre(ElementsAre(2, 1), ElementsAre(3, 2), ElementsAre(1, 3)));
}

TEST(TransfersTest, OneWithoutItsPartnerIsAnError) {
  EXPECT_EQ(ErrorOf(kToken + Send("%1", "%a", "%t")),
            "m.mlir:4:8: stablehlo.send: channel 1: expected a recv that "
            "matches, found none");
  EXPECT_EQ(ErrorOf(kToken + Send("%1", "%a", "%t") + Recv("%2", "%1") +
                    Recv("%3", "%2#1")),
            "m.mlir:6:10: stablehlo.recv: channel 1: expected a send that "
            "matches, found none");
}

TEST(TransfersTest, PartnersOfDifferentPairsOrTypesAreErrors) {
  EXPECT_EQ(ErrorOf(kToken + Send("%1", "%a", "%t", "[[0, 1]]") +
                    Recv("%2", "%1", "[[1, 0]]")),
            "m.mlir:5:10: stablehlo.recv: source_target_pairs: expected "
            "[[0, 1]], as stablehlo.send at m.mlir:4:8, found [[1, 0]]");
  EXPECT_EQ(ErrorOf(kToken + Send("%1", "%a", "%t") +
                    Recv("%2", "%1", kRing, 1, "tensor<2xi32>")),
            "m.mlir:5:10: stablehlo.recv: expected (tensor<i32>), as "
            "stablehlo.send at m.mlir:4:8, found (tensor<2xi32>)");
}

TEST(TransfersTest, PairsThatRepeatADeviceAreErrors) {
  EXPECT_THAT(
      ErrorOf(kToken + Send("%1", "%a", "%t", "[[0, 1], [0, 2]]")),
      HasSubstr("m.mlir:4:8: stablehlo.send: source_target_pairs: source 0 "
                "occurs twice"));
  EXPECT_THAT(
      ErrorOf(kToken + Recv("%1", "%t", "[[0, 1], [2, 1]]")),
      HasSubstr("m.mlir:4:10: stablehlo.recv: source_target_pairs: target 1 "
                "occurs twice"));
  EXPECT_THAT(ErrorOf(kToken + Recv("%1", "%t", "[[0, 3]]")),
              HasSubstr("expected ids of 0 to 2, found 3"));
}

TEST(TransfersTest, ARecvThatItsSendNeedsIsADeadlock) {
  EXPECT_EQ(ErrorOf(kToken + Recv("%1", "%t") +
                    "  %n = stablehlo.negate %1#0 : tensor<i32>\n" +
                    Send("%2", "%n", "%t")),
            "m.mlir:4:10: stablehlo.recv: waits for itself: stablehlo.recv at "
            "m.mlir:4:10 needs stablehlo.send at m.mlir:6:8 needs "
            "stablehlo.negate at m.mlir:5:8 needs the first");
  EXPECT_THAT(ErrorOf(kToken + Recv("%1", "%t") + Send("%2", "%a", "%1#1")),
              HasSubstr("stablehlo.send at m.mlir:5:8 needs the first"));
}

}  // namespace
}  // namespace lockstep::internal
