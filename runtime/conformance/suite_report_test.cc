#include "runtime/conformance/suite_report.h"

#include <nlohmann/json.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/conformance/expectations.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaseResult Result(std::string name, CaseStatus status, std::string op,
                  std::string reason = "") {
  CaseResult result;
  result.file = name.substr(0, name.find('#'));
  result.name = std::move(name);
  result.status = status;
  result.op = op;
  result.ops = {std::move(op)};
  result.reason = std::move(reason);
  result.seconds = 0.25;
  return result;
}

std::vector<CaseResult> SomeOfEach() {
  return {
      Result("a.mlir", CaseStatus::kPass, "stablehlo.add"),
      Result("b.mlir#0", CaseStatus::kFail, "stablehlo.add", "1 is not 2"),
      Result("b.mlir#1", CaseStatus::kCrash, "stablehlo.dot", "signal 11"),
      Result("c.mlir", CaseStatus::kTimeout, "stablehlo.while", "over 1s"),
      Result("d.mlir", CaseStatus::kWrongReject, "stablehlo.dot", "no"),
      Result("e.mlir", CaseStatus::kUnsupported, "stablehlo.rng",
             "op stablehlo.rng"),
  };
}

TEST(SuiteReportTest, EveryStatusButPassAndUnsupportedIsAFailure) {
  const SuiteCounts counts = CountResults(SomeOfEach());
  EXPECT_EQ(counts.total, 6);
  EXPECT_EQ(counts.passed, 1);
  EXPECT_EQ(counts.failed, 4);
  EXPECT_EQ(counts.unsupported, 1);
}

TEST(SuiteReportTest, LastLineCounts) {
  EXPECT_THAT(ReportText(SomeOfEach()),
              ::testing::EndsWith("\n1 passed, 4 failed, 1 skipped\n"));
}

TEST(SuiteReportTest, TablesCountByOpAndByReason) {
  const std::string text = ReportText(SomeOfEach());
  EXPECT_THAT(text, HasSubstr("stablehlo.add         1       1           0\n"));
  EXPECT_THAT(text, HasSubstr("stablehlo.dot         0       2           0\n"));
  EXPECT_THAT(text, HasSubstr("op stablehlo.rng           1\n"));
}

TEST(SuiteReportTest, LineNamesStatusCaseAndReason) {
  EXPECT_EQ(ResultLine(SomeOfEach()[1]), "fail         b.mlir#0: 1 is not 2");
}

TEST(SuiteReportTest, JsonHoldsCountsAndCases) {
  const auto json = nlohmann::json::parse(ReportJson(SomeOfEach(), "cpu", 1.5));
  EXPECT_EQ(json["total"], 6);
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["failed"], 4);
  EXPECT_EQ(json["unsupported"], 1);
  EXPECT_EQ(json["backend"], "cpu");
  const auto& crash = json["cases"][2];
  EXPECT_EQ(crash["file"], "b.mlir");
  EXPECT_EQ(crash["case"], "b.mlir#1");
  EXPECT_EQ(crash["status"], "crash");
  EXPECT_EQ(crash["op"], "stablehlo.dot");
  EXPECT_EQ(crash["reason"], "signal 11");
  EXPECT_EQ(crash["seconds"], 0.25);
}

TEST(SuiteReportTest, ResultsSurviveTheWayThroughJson) {
  CaseResult result = SomeOfEach()[3];
  result.detail = "a \"quote\"\nand a byte \xff";
  result.is_disabled_upstream = true;
  CaseResult read;
  ASSERT_EQ(FromJson(ToJson(result), read), absl::OkStatus());
  EXPECT_EQ(read.name, result.name);
  EXPECT_EQ(read.status, result.status);
  EXPECT_EQ(read.ops, result.ops);
  EXPECT_TRUE(read.is_disabled_upstream);
  EXPECT_EQ(FromJson("{}", read).code(), absl::StatusCode::kInternal);
}

TEST(ExpectationsTest, WhatIsWrittenIsReadBackWithoutDeviations) {
  const auto written = Expectations::Of(SomeOfEach()).ToString();
  const auto read = Expectations::Parse(written, "expect.txt");
  ASSERT_EQ(read.status(), absl::OkStatus());
  EXPECT_THAT(read->Deviations(SomeOfEach()), ::testing::IsEmpty());
}

TEST(ExpectationsTest, WorseAndBetterThanRecordedBothDeviate) {
  const Expectations expectations = Expectations::Of(SomeOfEach());
  std::vector<CaseResult> results = SomeOfEach();
  results[0].status = CaseStatus::kFail;
  results[1].status = CaseStatus::kPass;
  results[2].status = CaseStatus::kFail;
  EXPECT_THAT(
      expectations.Deviations(results),
      ElementsAre("regression: a.mlir: expected pass, found fail",
                  "unexpected pass: b.mlir#0: expected fail, found pass",
                  "better than expected: b.mlir#1: expected crash, found "
                  "fail"));
}

TEST(ExpectationsTest, MalformedLineIsNamed) {
  EXPECT_EQ(Expectations::Parse("# a comment\nfail a.mlir\nslow b.mlir\n",
                                "expect.txt")
                .status()
                .message(),
            "expect.txt:3: expected a status that is not pass and a case, "
            "found \"slow b.mlir\"");
}

}  // namespace
}  // namespace lockstep::internal
