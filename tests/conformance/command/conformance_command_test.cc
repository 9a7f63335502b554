// `lockstep conformance`: exit codes, reports, selections and expectations.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr char kRight[] = R"(func.func @f() {
  %0 = stablehlo.constant dense<-1> : tensor<i32>
  %1 = stablehlo.abs %0 : tensor<i32>
  check.expect_eq_const %1, dense<1> : tensor<i32>
  return
}
)";
constexpr char kWrong[] = R"(func.func @f() {
  %0 = stablehlo.constant dense<-1> : tensor<i32>
  %1 = stablehlo.negate %0 : tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  return
}
)";
constexpr char kUnknown[] = R"(func.func @f() {
  %0 = stablehlo.mystery : tensor<i32>
  return
}
)";
constexpr char kEndless[] = R"(func.func @f() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%i = %0) : tensor<i1> cond {
    stablehlo.return %i : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i1>
  }
  check.expect_eq %0, %1 : tensor<i1>
  return
}
)";

// Empty when it is not there, or no more: files of processes go with them.
std::string ReadFile(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

class ConformanceCommandTest : public ::testing::Test {
 protected:
  ConformanceCommandTest()
      : folder_(fs::path(::testing::TempDir()) /
                absl::StrCat("conformance_", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(suite());
  }
  ~ConformanceCommandTest() override { fs::remove_all(folder_); }

  fs::path suite() const { return folder_ / "suite"; }
  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }

  void Write(const std::string& name, absl::string_view text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  CommandResult Run(std::vector<std::string> options) {
    std::vector<std::string> arguments = {"conformance", suite().string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunLockstep(std::move(arguments));
  }

  // The JSON report of a run with these options.
  Json Report(std::vector<std::string> options, int exit_code) {
    options.insert(options.end(), {"--json", Path("report.json")});
    const CommandResult result = Run(options);
    EXPECT_EQ(result.exit, ExitStatus{.code = exit_code}) << result.err;
    return Json::parse(ReadFile(folder_ / "report.json"));
  }

  const fs::path folder_;
};

TEST_F(ConformanceCommandTest, ExitsWithZeroWhenNothingFails) {
  Write("suite/right.mlir", kRight);
  Write("suite/unknown.mlir", kUnknown);
  for (const char* backend : {"interpreter", "cpu"}) {
    const CommandResult result = Run({"--backend", backend});
    EXPECT_EQ(result.exit, ExitStatus()) << result.out << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr(absl::StrCat("backend ", backend, ", ")),
                      HasSubstr("unsupported  unknown.mlir: op "
                                "stablehlo.mystery"),
                      HasSubstr("1 passed, 0 failed, 1 skipped\n"),
                      Not(HasSubstr("pass         right.mlir"))));
    EXPECT_EQ(result.err, "");
  }
  EXPECT_THAT(Run({"--verbose"}).out, HasSubstr("pass         right.mlir"));
}

TEST_F(ConformanceCommandTest, ExitsWithOneWhenACaseFails) {
  Write("suite/right.mlir", kRight);
  Write("suite/wrong.mlir", kWrong);
  const CommandResult result = Run({"--backend", "interpreter"});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("fail         wrong.mlir: wrong.mlir:4:3: "
                              "stablehlo.negate: element []: expected 2, "
                              "found 1"),
                    HasSubstr("1 passed, 1 failed, 0 skipped\n")));
}

TEST_F(ConformanceCommandTest, ExitsWithTwoWhenThereIsNothingToRun) {
  const auto expect_usage = [](const CommandResult& result,
                               const std::string& message) {
    EXPECT_EQ(result.exit, ExitStatus{.code = 2}) << result.out;
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  expect_usage(RunLockstep({"conformance", Path("nowhere")}), "nowhere");
  expect_usage(Run({}), "suite");  // no file in it
  Write("suite/right.mlir", kRight);
  expect_usage(Run({"--backend", "abacus"}), "abacus");
  expect_usage(Run({"--filter", "("}), "regular expression");
  expect_usage(Run({"--expect", Path("no-list")}), "no-list");
  expect_usage(Run({"--json", Path("no/folder/report.json")}),
               "cannot be written");
  expect_usage(Run({"--jobs", "0"}), "--jobs");
}

TEST_F(ConformanceCommandTest, JsonHoldsTheTotalsAndEveryCase) {
  Write("suite/deep/right.mlir", kRight);
  Write("suite/unknown.mlir", kUnknown);
  Write("suite/wrong.mlir", absl::StrCat(kRight, "// -----\n", kWrong));
  const Json report = Report({"--backend", "interpreter", "--jobs", "3"}, 1);
  EXPECT_EQ(report["total"], 4);
  EXPECT_EQ(report["passed"], 2);
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["unsupported"], 1);
  EXPECT_EQ(report["backend"], "interpreter");
  ASSERT_EQ(report["cases"].size(), 4u);
  // In the order of the files, whoever finishes first.
  const char* const kCases[] = {"deep/right.mlir", "unknown.mlir",
                                "wrong.mlir#0", "wrong.mlir#1"};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(report["cases"][i]["case"], kCases[i]);
  const Json& wrong = report["cases"][3];
  EXPECT_EQ(wrong["file"], "wrong.mlir");
  EXPECT_EQ(wrong["status"], "fail");
  EXPECT_EQ(wrong["op"], "stablehlo.negate");
  EXPECT_THAT(wrong["reason"].get<std::string>(), HasSubstr("expected 2"));
  EXPECT_GE(wrong["seconds"].get<double>(), 0);
  const Json& unknown = report["cases"][1];
  EXPECT_EQ(unknown["status"], "unsupported");
  EXPECT_EQ(unknown["reason"], "op stablehlo.mystery");
}

TEST_F(ConformanceCommandTest, SelectionsChooseFilesAndCases) {
  Write("suite/abs.mlir", absl::StrCat(kRight, "// -----\n", kRight));
  Write("suite/negate.mlir", kWrong);
  const auto names = [&](std::vector<std::string> options, int exit_code) {
    std::vector<std::string> names;
    const Json report = Report(std::move(options), exit_code);
    for (const Json& of_case : report["cases"]) {
      names.push_back(of_case["case"]);
    }
    return absl::StrJoin(names, " ");
  };
  EXPECT_EQ(names({}, 1), "abs.mlir#0 abs.mlir#1 negate.mlir");
  EXPECT_EQ(names({"--filter", "#1$"}, 0), "abs.mlir#1");
  EXPECT_EQ(names({"--include", "abs*"}, 0), "abs.mlir#0 abs.mlir#1");
  EXPECT_EQ(names({"--exclude", "abs*"}, 1), "negate.mlir");
}

TEST_F(ConformanceCommandTest, ExpectationsFailOnEveryDeviation) {
  Write("suite/abs.mlir", kRight);
  Write("suite/negate.mlir", kWrong);
  const std::string list = Path("expected");
  EXPECT_EQ(Run({"--write-expect", list}).exit, ExitStatus{.code = 1});
  EXPECT_EQ(ReadFile(list), "fail negate.mlir\n");
  EXPECT_EQ(Run({"--expect", list}).exit, ExitStatus());

  Write("suite/negate.mlir", kRight);
  CommandResult result = Run({"--expect", list});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.out, HasSubstr("unexpected pass: negate.mlir"));

  Write("suite/negate.mlir", kWrong);
  Write("suite/abs.mlir", kWrong);
  result = Run({"--expect", list});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.out, HasSubstr("regression: abs.mlir"));
}

TEST_F(ConformanceCommandTest, CaseThatDoesNotEndTimesOut) {
  Write("suite/endless.mlir", kEndless);
  Write("suite/right.mlir", kRight);
  const Json report =
      Report({"--backend", "interpreter", "--timeout", "1s"}, 1);
  EXPECT_EQ(report["cases"][0]["status"], "timeout");
  EXPECT_EQ(report["cases"][1]["status"], "pass");
  EXPECT_EQ(report["failed"], 1);
}

// The child of `parent` that has computed for a while: 0 when there is none.
pid_t BusyChild(pid_t parent) {
  constexpr int64_t kTicks = 20;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(entry.path().filename().string(), &pid)) continue;
    const std::string stat = ReadFile(entry.path() / "stat");
    const size_t name_end = stat.rfind(") ");
    if (name_end == std::string::npos) continue;
    // From field 3 on: state, parent, .., 14: user time.
    const std::vector<std::string> fields =
        absl::StrSplit(stat.substr(name_end + 2), ' ');
    int64_t of_parent = 0, ticks = 0;
    if (fields.size() > 11 && absl::SimpleAtoi(fields[1], &of_parent) &&
        absl::SimpleAtoi(fields[11], &ticks) && of_parent == parent &&
        ticks >= kTicks) {
      return pid;
    }
  }
  return 0;
}

TEST_F(ConformanceCommandTest, CaseThatCrashesIsOneFailure) {
  Write("suite/endless.mlir", kEndless);
  Write("suite/right.mlir", kRight);
  ChildProcess command = StartLockstep(
      "conformance",
      {"conformance", suite().string(), "--backend", "interpreter", "--jobs",
       "1", "--json", Path("report.json")},
      /*captures_output=*/true);
  // What computes for so long is the endless case; it crashes.
  pid_t busy = 0;
  while (busy == 0 && command.is_running()) busy = BusyChild(command.pid());
  ASSERT_NE(busy, 0);
  ASSERT_EQ(kill(busy, SIGSEGV), 0);
  const CommandResult result = Finish(command);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("crash        endless.mlir: signal 11"),
                    HasSubstr("1 passed, 1 failed, 0 skipped\n")));
  const Json report = Json::parse(ReadFile(folder_ / "report.json"));
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["cases"][0]["status"], "crash");
  EXPECT_EQ(report["cases"][1]["status"], "pass");
}

}  // namespace
}  // namespace lockstep::internal
