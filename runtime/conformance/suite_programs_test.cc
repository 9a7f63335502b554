// Programs that do more than compute: run others, probe, print, send.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/conformance/suite_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

class SuiteProgramsTest : public SuiteTest {};

INSTANTIATE_TEST_SUITE_P(Backends, SuiteProgramsTest,
                         ::testing::ValuesIn(kTestedBackends));

TEST_P(SuiteProgramsTest, DistributedProgramsRunTheirProcessesAtTheSameTime) {
  // Two functions that meet in one collective: one after the other they would
  // wait for ever.
  const CaseResult result = RunText(R"(
module {
  func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @sum_and_id(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<ui32>) {
    %0 = call @sum(%x) : (tensor<2xi32>) -> tensor<2xi32>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<2xi32>, tensor<ui32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    %0:3 = "interpreter.run_parallel"(%a, %b) {
      programs = [[@sum], [@sum_and_id]]
    } : (tensor<2xi32>, tensor<2xi32>)
        -> (tensor<2xi32>, tensor<2xi32>, tensor<ui32>)
    check.expect_eq_const %0#0, dense<[11, 22]> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[11, 22]> : tensor<2xi32>
    check.expect_eq_const %0#2, dense<1> : tensor<ui32>
    return
  }
}
)");
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
}

constexpr char kProbing[] = R"(
func.func @f() {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %3 = stablehlo.while(%i = %0) : tensor<i32> cond {
    %4 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %5 = stablehlo.add %i, %1 : tensor<i32>
    %6 = interpreter.probe %5, probe_id = "a/b" : tensor<i32>
    stablehlo.return %6 : tensor<i32>
  }
  %7 = interpreter.probe %3, probe_id = "unused" : tensor<i32>
  check.expect_serialized_eq %1, probe_id = "a/b", iter = 0 : tensor<i32>
  check.expect_serialized_eq %2, probe_id = "a/b", iter = 1 : tensor<i32>
  check.expect_serialized_eq %3, probe_id = "unused" : tensor<i32>
  return
}
)";

TEST_P(SuiteProgramsTest, ProbesKeepWhatPassesThemInOrder) {
  CaseResult result = RunText(kProbing);
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
  result = RunText(absl::StrReplaceAll(kProbing, {{"iter = 1", "iter = 2"}}));
  EXPECT_EQ(result.status, CaseStatus::kFail);
  EXPECT_THAT(result.reason,
              HasSubstr("probe \"a/b\": expected 3 tensors, found fewer"));
  result = RunText(absl::StrReplaceAll(kProbing, {{"iter = 1", "iter = 0"}}));
  EXPECT_EQ(result.status, CaseStatus::kFail);
  EXPECT_THAT(result.reason, HasSubstr("expected 1, found 2"));
}

constexpr char kPrinting[] =
    R"(// RUN: translate --interpret %s | FileCheck %s
func.func @f() -> tensor<2xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<2xi32>
  // CHECK: %0 = tensor<2xi32> {
  // CHECK-NEXT: [0, 1]
  interpreter.print %0 : tensor<2xi32>
  %1 = stablehlo.negate %0 : tensor<2xi32>
  // CHECK:      tensor<2xi32> {
  // CHECK-NEXT:   [0, -1]
  // CHECK-NEXT: }
  return %1 : tensor<2xi32>
}
)";

TEST_P(SuiteProgramsTest, WhatIsPrintedAndReturnedIsComparedWithTheComments) {
  CaseResult result = RunText(kPrinting);
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
  for (const auto& [from, to] :
       {std::pair("[0, -1]", "[0, -2]"), std::pair("%0 = t", "%1 = t"),
        std::pair("-NEXT:   [0", ":   [1")}) {
    result = RunText(absl::StrReplaceAll(kPrinting, {{from, to}}));
    EXPECT_EQ(result.status, CaseStatus::kFail) << from;
    EXPECT_THAT(result.reason, HasSubstr("expected to print"));
  }
}

TEST_P(SuiteProgramsTest, ProgramsThatRunAtTheSameTimePrintWholeTensors) {
  const CaseResult result =
      RunText(R"(// RUN: translate --interpret %s | FileCheck %s
func.func @print() -> tensor<1xi32> {
  %0 = stablehlo.constant dense<7> : tensor<1xi32>
  interpreter.print %0 : tensor<1xi32>
  return %0 : tensor<1xi32>
}
func.func @main() {
  // CHECK: %0 = tensor<1xi32> {
  // CHECK-NEXT: [7]
  // CHECK-NEXT: }
  // CHECK-NEXT: %0 = tensor<1xi32> {
  // CHECK-NEXT: [7]
  // CHECK-NEXT: }
  %0:2 = "interpreter.run_parallel"() {programs = [[@print, @print]]}
    : () -> (tensor<1xi32>, tensor<1xi32>)
  return
}
)");
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
}

TEST_P(SuiteProgramsTest, CaseThatItsSuiteOnlyRunsPassesWhenItRunsToItsEnd) {
  const std::string program = R"(
func.func @f() {
  %0 = stablehlo.after_all : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  return
}
)";
  EXPECT_EQ(RunText(program).reason, "no check");
  EXPECT_EQ(
      RunText(absl::StrCat("// RUN: translate --interpret %s", program)).status,
      CaseStatus::kPass);
  EXPECT_EQ(RunText("// RUN: translate --interpret %s\n"
                    "func.func @f() {\n"
                    "  %0 = stablehlo.custom_call @mystery() : () -> "
                    "tensor<f32>\n"
                    "  return\n}\n")
                .status,
            CaseStatus::kUnsupported);
}

TEST_P(SuiteProgramsTest, ArgumentsOfTheRunLineAreThoseOfMain) {
  const std::string program = R"(
func.func @main(%a: tensor<2xi32>, %b: tensor<i32>) {
  check.expect_eq_const %a, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %b, dense<5> : tensor<i32>
  return
}
)";
  const CaseResult right = RunText(
      absl::StrCat("// RUN: translate %s --interpret --args=\"[dense<[3, 4]> : "
                   "tensor<2xi32>, dense<5> : tensor<i32>]\"",
                   program));
  EXPECT_EQ(right.status, CaseStatus::kPass) << right.reason;
  const CaseResult wrong = RunText(
      absl::StrCat("// RUN: translate %s --interpret --args=\"[dense<5> : "
                   "tensor<i32>]\"",
                   program));
  EXPECT_EQ(wrong.status, CaseStatus::kWrongReject);
  EXPECT_THAT(wrong.reason, HasSubstr("expected 2 arguments, found 1"));
}

// The receiver's channels in the order of its recv ops.
std::string SendAndReceive(int first, int second) {
  const auto receive = [](absl::string_view name, int channel) {
    return absl::StrCat(
        "  %", name,
        ":2 = \"stablehlo.recv\"(%t) {channel_handle = "
        "#stablehlo.channel_handle<handle = ",
        channel,
        ", type = 3>, is_host_transfer = true} : (!stablehlo.token) -> "
        "(tensor<i32>, !stablehlo.token)\n");
  };
  const auto send = [](absl::string_view value, int channel) {
    return absl::StrCat(
        "  %s", value, channel, " = \"stablehlo.send\"(%", value,
        ", %t) {channel_handle = #stablehlo.channel_handle<handle = ", channel,
        ", type = 2>, is_host_transfer = true} : (tensor<i32>, "
        "!stablehlo.token) -> !stablehlo.token\n");
  };
  return absl::StrCat(
      "func.func @send(%a: tensor<i32>, %t: !stablehlo.token) -> "
      "!stablehlo.token {\n"
      "  %b = stablehlo.add %a, %a : tensor<i32>\n",
      send("a", 1), send("b", 1), send("b", 2),
      "  return %sb2 : !stablehlo.token\n}\n"
      "func.func @receive(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>, "
      "!stablehlo.token) {\n",
      receive("x", first), receive("y", second),
      "  return %x#0, %y#0, %y#1 : tensor<i32>, tensor<i32>, "
      "!stablehlo.token\n}\n"
      "func.func @main() {\n"
      "  %0 = stablehlo.constant dense<4> : tensor<i32>\n"
      "  %1 = stablehlo.after_all : !stablehlo.token\n"
      "  %2:4 = \"interpreter.run_parallel\"(%1, %0, %1) {programs = "
      "[[@receive], [@send]]} : (!stablehlo.token, tensor<i32>, "
      "!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token, "
      "!stablehlo.token)\n"
      "  check.expect_eq_const %2#0, dense<4> : tensor<i32>\n"
      "  check.expect_eq_const %2#1, dense<8> : tensor<i32>\n"
      "  return\n}\n");
}

TEST_P(SuiteProgramsTest, WhatIsSentArrivesInOrderOnItsChannel) {
  for (const int second : {1, 2}) {
    const CaseResult result = RunText(SendAndReceive(1, second));
    EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
  }
  const CaseResult result = RunText(SendAndReceive(2, 1));
  EXPECT_EQ(result.status, CaseStatus::kFail);
  EXPECT_THAT(result.reason, HasSubstr("expected 4, found 8"));
}

}  // namespace
}  // namespace lockstep::internal
