// lockstep conformance: a public test suite, on one backend, with a report.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "client/cli/command_line.h"
#include "client/cli/cpu_target_option.h"
#include "client/cli/duration_option.h"
#include "client/cli/exit_status.h"
#include "client/cli/progress_line.h"
#include "client/cli/subcommand.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/conformance/expectations.h"
#include "runtime/conformance/suite.h"
#include "runtime/conformance/suite_report.h"

namespace lockstep::internal {
namespace {

struct ConformanceOptions {
  std::string path;
  SuiteOptions suite;
  std::string expect;
  std::string write_expect;
  std::string json;
  bool is_verbose = false;
};

absl::Status WriteFile(const std::string& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content << std::flush;
  if (stream) return absl::OkStatus();
  return WithExitCode(kExitUsage, absl::FailedPreconditionError(absl::StrCat(
                                      path, ": cannot be written")));
}

absl::StatusOr<Expectations> ReadExpectations(const std::string& path) {
  constexpr int64_t kLargest = int64_t{64} << 20;
  ASSIGN_OR_RETURN(const std::string content, ReadRegularFile(path, kLargest));
  return Expectations::Parse(content, path);
}

// "[#######             ] 37 %  862/2325 files, 860 cases, 2 failed".
std::string ProgressText(const SuiteProgress& progress) {
  constexpr int kWidth = 30;
  const int done = progress.files_done;
  const int total = std::max(progress.files_total, 1);
  const int filled = kWidth * done / total;
  return absl::StrFormat("[%s%s] %3d %%  %d/%d files, %d cases, %d failed",
                         std::string(filled, '#'),
                         std::string(kWidth - filled, ' '), 100 * done / total,
                         done, total, progress.cases_done, progress.failed);
}

// Prints results as they come, and the bar when somebody watches it.
class Display {
 public:
  explicit Display(bool is_verbose)
      : is_verbose_(is_verbose),
        shows_bar_(isatty(STDERR_FILENO) == 1),
        bar_(STDERR_FILENO) {}

  void Show(const CaseResult& result, const SuiteProgress& progress) {
    if (is_verbose_ || result.status != CaseStatus::kPass) {
      bar_.Clear();
      std::cout << ResultLine(result) << "\n";
    }
    if (shows_bar_) {
      std::cout.flush();
      bar_.Show(ProgressText(progress));
    }
  }
  void End() { bar_.Clear(); }

 private:
  const bool is_verbose_;
  const bool shows_bar_;
  ProgressLine bar_;
};

absl::Status Usage(const absl::Status& status) {
  return status.ok() ? status : WithExitCode(kExitUsage, status);
}

// What the run's results mean for the exit code.
absl::Status Judge(const std::vector<CaseResult>& results,
                   const Expectations* expectations) {
  if (expectations == nullptr) {
    return CountResults(results).failed == 0 ? absl::OkStatus()
                                             : SilentExit(kExitFailure);
  }
  return expectations->Deviations(results).empty() ? absl::OkStatus()
                                                   : SilentExit(kExitFailure);
}

absl::Status Conformance(const ConformanceOptions& options) {
  std::unique_ptr<Expectations> expectations;
  if (!options.expect.empty()) {
    absl::StatusOr<Expectations> read = ReadExpectations(options.expect);
    RETURN_IF_ERROR(Usage(read.status()));
    expectations = std::make_unique<Expectations>(*std::move(read));
  }
  Display display(options.is_verbose);
  const absl::Time start = absl::Now();
  const absl::StatusOr<std::vector<CaseResult>> results =
      RunSuite(options.path, options.suite,
               [&](const CaseResult& result, const SuiteProgress& progress) {
                 display.Show(result, progress);
               });
  display.End();
  RETURN_IF_ERROR(Usage(results.status()));
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (!options.write_expect.empty()) {
    RETURN_IF_ERROR(
        WriteFile(options.write_expect, Expectations::Of(*results).ToString()));
  }
  if (!options.json.empty()) {
    RETURN_IF_ERROR(WriteFile(
        options.json, ReportJson(*results, options.suite.backend, seconds)));
  }
  std::cout << absl::StrFormat("\nbackend %s, %.1f s, %d jobs\n\n",
                               options.suite.backend, seconds,
                               options.suite.pool.jobs);
  if (expectations != nullptr) {
    for (const std::string& line : expectations->Deviations(*results)) {
      std::cout << line << "\n";
    }
  }
  std::cout << ReportText(*results) << std::flush;
  return Judge(*results, expectations.get());
}

}  // namespace

std::function<absl::Status()> DefineConformance(CLI::App& app) {
  auto options = std::make_shared<ConformanceOptions>();
  options->suite.pool.jobs =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  SuiteOptions& suite = options->suite;
  app.add_option("suite", options->path,
                 "a folder of .mlir test programs, or one of them")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingPath);
  app.add_option("--backend", suite.backend,
                 "what runs the programs; \"interpreter\" is the reference "
                 "evaluator")
      ->capture_default_str();
  AddCpuTargetOption(app)->envname(kCpuTargetVariable);
  app.add_option("--include", suite.selection.include,
                 "only files that match, such as \"add_*\"")
      ->type_name("GLOB");
  app.add_option("--exclude", suite.selection.exclude, "not files that match")
      ->type_name("GLOB");
  app.add_option("--filter", suite.filter,
                 "only cases whose names (file, file#2, file@f) hold a match")
      ->type_name("RE");
  app.add_option("--jobs", suite.pool.jobs, "cases that run at one time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  AddDurationOption(app, "--timeout", suite.pool.timeout, "for one case");
  app.add_option("--expect", options->expect,
                 "cases that are known not to pass: any deviation fails")
      ->type_name("FILE");
  app.add_option("--write-expect", options->write_expect,
                 "writes the cases that do not pass")
      ->type_name("FILE");
  app.add_option("--json", options->json, "writes all results")
      ->type_name("FILE");
  app.add_flag("--verbose", options->is_verbose, "a line for every case");
  return [options] { return Conformance(*options); };
}

}  // namespace lockstep::internal
