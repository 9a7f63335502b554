#include "runtime/conformance/suite.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/conformance/suite_testing.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
}  // namespace lockstep::internal
