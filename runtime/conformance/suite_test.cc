#include "runtime/conformance/suite.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The oracle, and what compiles.
constexpr const char* kTestedBackends[] = {"interpreter", "interpreter-thunks",
                                           "cpu"};

// A suite of the developers' own, in a folder that goes with the test.
class SuiteTest : public ::testing::TestWithParam<const char*> {
 protected:
  SuiteTest()
      : folder_(::testing::TempDir() + "/suite_" +
                ::testing::UnitTest::GetInstance()
                    ->current_test_info()
                    ->test_suite_name()[0] +
                std::to_string(getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/deep");
    options_.backend = GetParam();
  }
  ~SuiteTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, absl::string_view text) {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::map<std::string, CaseResult> Run() {
    const auto results = RunSuite(
        folder_, options_, [](const CaseResult&, const SuiteProgress&) {});
    EXPECT_EQ(results.status(), absl::OkStatus());
    std::map<std::string, CaseResult> by_name;
    if (!results.ok()) return by_name;
    for (const CaseResult& result : *results) by_name[result.name] = result;
    return by_name;
  }

  // The status and the reason of a suite of one file.
  CaseResult RunText(absl::string_view text) {
    Write("one.mlir", text);
    const auto results = Run();
    EXPECT_EQ(results.size(), 1);
    return results.empty() ? CaseResult() : results.begin()->second;
  }

  std::string folder_;
  SuiteOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Backends, SuiteTest,
                         ::testing::ValuesIn(kTestedBackends));

constexpr char kSelfChecking[] = R"(
module @m {
  func.func public @main() -> tensor<3xf32> {
    %0 = call @inputs() : () -> tensor<3xf32>
    %1 = call @expected() : () -> tensor<3xf32>
    %2 = stablehlo.abs %0 : tensor<3xf32>
    stablehlo.custom_call @check.expect_close(%2, %1) {has_side_effect = true}
        : (tensor<3xf32>, tensor<3xf32>) -> ()
    return %2 : tensor<3xf32>
  }
  func.func private @inputs() -> tensor<3xf32> {
    %c = stablehlo.constant dense<[-1.0, 2.0, -3.0]> : tensor<3xf32>
    return %c : tensor<3xf32>
  }
  func.func private @expected() -> tensor<3xf32> {
    %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    return %c : tensor<3xf32>
  }
}
)";

TEST_P(SuiteTest, SelfCheckingProgramPasses) {
  const CaseResult result = RunText(kSelfChecking);
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
  EXPECT_EQ(result.name, "one.mlir");
  EXPECT_EQ(result.op, "stablehlo.abs");
  EXPECT_THAT(result.ops, ElementsAre("stablehlo.abs"));
  EXPECT_THAT(result.element_types, ElementsAre("f32"));
}

TEST_P(SuiteTest, CheckThatFailsNamesPlaceOpElementAndValues) {
  const CaseResult result = RunText(R"(
func.func @negate() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.negate %0 : tensor<2xi32>
  check.expect_eq_const %1, dense<[-1, 2]> : tensor<2xi32>
  func.return
}
)");
  EXPECT_EQ(result.status, CaseStatus::kFail);
  EXPECT_EQ(result.op, "stablehlo.negate");
  EXPECT_EQ(result.reason,
            "one.mlir:5:3: stablehlo.negate: element [1]: expected 2, found -2 "
            "(expected equality)");
}

TEST_P(SuiteTest, EveryFormOfACheckIsRead) {
  const CaseResult result = RunText(R"(
func.func @f() {
  %a = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 2.00005]> : tensor<2xf32>
  %c = stablehlo.add %a, %a : tensor<2xf32>
  check.expect_eq %a, %a : tensor<2xf32>
  check.expect_eq_const %c, dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const(%c, dense<[2.0, 4.0]> : tensor<2xf32>) : tensor<2xf32>
  check.expect_almost_eq %a, %b : tensor<2xf32>
  check.expect_almost_eq %a, %c, tolerance = 2.0 : tensor<2xf32>
  check.expect_almost_eq_const %c, dense<[2.01, 4.0]> : tensor<2xf32>, tolerance = 0.1
  check.expect_almost_eq_const %c, dense<[2.01, 4.0]> : tensor<2xf32> {tolerance = 0.1 : f64}
  check.expect_close %a, %b, max_ulp_difference = 1000 : tensor<2xf32>, tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ()
  func.return
}
)");
  EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
}

TEST_P(SuiteTest, EveryFormOfACheckCanFail) {
  for (const char* check : {
           "check.expect_eq %c, %b : tensor<f32>",
           "check.expect_eq_const(%c, dense<1.0> : tensor<f32>) : tensor<f32>",
           "check.expect_almost_eq %c, %b : tensor<f32>",
           "check.expect_almost_eq_const %c, dense<2.1> : tensor<f32>, "
           "tolerance = 0.01",
           "check.expect_close %c, %b, max_ulp_difference = 5 : tensor<f32>, "
           "tensor<f32>",
           "check.expect_close %c, %c, min_ulp_difference = 1 : tensor<f32>, "
           "tensor<f32>",
           "stablehlo.custom_call @check.expect_eq(%c, %b) : (tensor<f32>, "
           "tensor<f32>) -> ()",
           "stablehlo.custom_call @check.expect_close(%c, %b) : (tensor<f32>, "
           "tensor<f32>) -> ()",
           "stablehlo.custom_call @check.expect_almost_eq(%c, %b) : "
           "(tensor<f32>, tensor<f32>) -> ()",
       }) {
    const CaseResult result = RunText(
        absl::StrCat("func.func @f() {\n"
                     "%a = stablehlo.constant dense<1.0> : tensor<f32>\n"
                     "%b = stablehlo.constant dense<2.002> : tensor<f32>\n"
                     "%c = stablehlo.add %a, %a : tensor<f32>\n",
                     check, "\nreturn\n}\n"));
    EXPECT_EQ(result.status, CaseStatus::kFail) << check;
  }
}

TEST_P(SuiteTest, ProgramsThatCannotRunAreClassifiedWithTheirReason) {
  Write("deep/invalid.mlir", R"(
func.func @f() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.not %0, %0 : tensor<i32>
  return
})");
  Write("mixed.mlir", R"(
func.func @f() {
  %0 = stablehlo.mystery : tensor<i32>
  return
}
// -----
func.func @no_check() {
  return
}
// -----
func.func @a() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq %0, %0 : tensor<i32>
  return
}
func.func @b() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_mystery %0 : tensor<i32>
  return
}
)");
  Write("program.mlir.bc", "ML\xefR");
  Write("parts.mlir", "//--- part1.mlir\nfunc.func @f() {\n return\n}\n");
  Write("large.mlir", std::string(100'000, ' '));
  options_.max_file_size = 50'000;
  const auto results = Run();
  const auto expect = [&](const std::string& name, CaseStatus status,
                          const std::string& reason) {
    ASSERT_TRUE(results.contains(name)) << name;
    EXPECT_EQ(results.at(name).status, status) << results.at(name).reason;
    EXPECT_THAT(results.at(name).reason, StartsWith(reason));
  };
  EXPECT_EQ(results.size(), 7);
  expect("deep/invalid.mlir", CaseStatus::kWrongReject,
         "INVALID_ARGUMENT: deep/invalid.mlir:4:");
  expect("mixed.mlir#0", CaseStatus::kUnsupported, "op stablehlo.mystery");
  expect("mixed.mlir#1", CaseStatus::kUnsupported, "no check");
  expect("mixed.mlir#2", CaseStatus::kUnsupported, "op check.expect_mystery");
  expect("program.mlir.bc", CaseStatus::kUnsupported, "bytecode");
  expect("parts.mlir", CaseStatus::kUnsupported, "named parts");
  expect("large.mlir", CaseStatus::kUnsupported, "file size");
}

TEST_P(SuiteTest, FunctionsWithoutArgumentsAreCasesWhenThereIsNoMain) {
  Write("two.mlir", R"(
func.func @right() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  return
}
func.func @wrong() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  return
}
func.func @with_argument(%x: tensor<i32>) {
  check.expect_eq %x, %x : tensor<i32>
  return
}
)");
  auto results = Run();
  EXPECT_EQ(results.size(), 2);
  EXPECT_EQ(results["two.mlir@right"].status, CaseStatus::kPass);
  EXPECT_EQ(results["two.mlir@wrong"].status, CaseStatus::kFail);
  options_.filter = "@r.*t$";
  results = Run();
  EXPECT_EQ(results.size(), 1);
  EXPECT_EQ(results["two.mlir@right"].status, CaseStatus::kPass);
}

TEST_P(SuiteTest, ProgramThatDoesNotEndTimesOut) {
  Write("endless.mlir", R"(
func.func @f() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%i = %0) : tensor<i1>
    cond {
      stablehlo.return %i : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i1>
    }
  check.expect_eq %0, %1 : tensor<i1>
  return
}
)");
  Write("short.mlir", kSelfChecking);
  options_.pool.timeout = absl::Seconds(2);
  auto results = Run();
  EXPECT_EQ(results["endless.mlir"].status, CaseStatus::kTimeout);
  EXPECT_EQ(results["short.mlir"].status, CaseStatus::kPass);
}

TEST_P(SuiteTest, DistributedProgramsRunTheirProcessesAtTheSameTime) {
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

TEST_P(SuiteTest, ProbesKeepWhatPassesThemInOrder) {
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

TEST_P(SuiteTest, WhatIsPrintedAndReturnedIsComparedWithTheComments) {
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

TEST_P(SuiteTest, ProgramsThatRunAtTheSameTimePrintWholeTensors) {
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

TEST_P(SuiteTest, CaseThatItsSuiteOnlyRunsPassesWhenItRunsToItsEnd) {
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

TEST_P(SuiteTest, ArgumentsOfTheRunLineAreThoseOfMain) {
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

TEST_P(SuiteTest, WhatIsSentArrivesInOrderOnItsChannel) {
  for (const int second : {1, 2}) {
    const CaseResult result = RunText(SendAndReceive(1, second));
    EXPECT_EQ(result.status, CaseStatus::kPass) << result.reason;
  }
  const CaseResult result = RunText(SendAndReceive(2, 1));
  EXPECT_EQ(result.status, CaseStatus::kFail);
  EXPECT_THAT(result.reason, HasSubstr("expected 4, found 8"));
}

TEST_P(SuiteTest, CaseDisabledUpstreamRunsAndIsMarked) {
  const CaseResult result =
      RunText(absl::StrCat("// RUN-DISABLED(inaccurate): x\n", kSelfChecking));
  EXPECT_EQ(result.status, CaseStatus::kPass);
  EXPECT_TRUE(result.is_disabled_upstream);
}

TEST_P(SuiteTest, FilesAreSelectedByPatterns) {
  Write("deep/a.mlir", kSelfChecking);
  Write("b.mlir", kSelfChecking);
  Write("c.txt", "");
  options_.selection.exclude = {"deep/*"};
  EXPECT_EQ(Run().count("b.mlir"), 1);
  EXPECT_EQ(Run().size(), 1);
  options_.selection = {.include = {"*a.mlir"}, .exclude = {}};
  EXPECT_EQ(Run().count("deep/a.mlir"), 1);
  EXPECT_EQ(Run().size(), 1);
  options_.selection.include = {"z*"};
  EXPECT_EQ(RunSuite(folder_, options_, nullptr).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_P(SuiteTest, TestDialectsStayUnknownToOrdinaryPrograms) {
  RunText(kSelfChecking);
  const absl::Status status = ParseModule(R"(
func.func @f() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq %0, %0 : tensor<i32>
  return
})",
                                          "f.mlir")
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("op check.expect_eq"));
}

TEST(SuiteErrorsTest, WrongPathBackendAndFilterAreErrors) {
  SuiteOptions options;
  EXPECT_EQ(RunSuite("/no/such/folder", options, nullptr).status().code(),
            absl::StatusCode::kNotFound);
  options.backend = "abacus";
  EXPECT_EQ(RunSuite(::testing::TempDir(), options, nullptr).status().code(),
            absl::StatusCode::kNotFound);
  options = SuiteOptions();
  options.filter = "(";
  EXPECT_THAT(
      std::string(
          RunSuite(::testing::TempDir(), options, nullptr).status().message()),
      AllOf(HasSubstr("filter \"(\""), HasSubstr("regular expression")));
}

}  // namespace
}  // namespace lockstep
