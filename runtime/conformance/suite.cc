#include "runtime/conformance/suite.h"

#include <deque>
#include <iterator>
#include <memory>
#include <regex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/conformance/check_dialect.h"
#include "runtime/conformance/module_splitter.h"
#include "runtime/conformance/program_runner.h"
#include "runtime/conformance/run_line.h"

namespace lockstep::internal {
namespace {

// The modules of the files, read one file at a time.
class ModuleSource {
 public:
  ModuleSource(std::vector<SuiteFile> files, int64_t max_file_size)
      : files_(std::move(files)), max_file_size_(max_file_size) {}

  bool Next(SuiteModule& module) {
    while (modules_.empty()) {
      if (next_file_ == files_.size()) return false;
      Open(files_[next_file_++]);
    }
    module = std::move(modules_.front());
    modules_.pop_front();
    done_.push_back({static_cast<int>(next_file_) - (modules_.empty() ? 0 : 1),
                     absl::StrContains(module.text, "RUN-DISABLED")});
    return true;
  }

  int file_count() const { return static_cast<int>(files_.size()); }
  // How many files are done with when module `i` is.
  int files_done(int module) const { return done_[module].files; }
  bool is_disabled(int module) const { return done_[module].is_disabled; }

 private:
  void Open(const SuiteFile& file) {
    if (absl::EndsWith(file.name, ".bc")) return Refuse(file, "bytecode");
    if (file.size > max_file_size_) return Refuse(file, "file size");
    const absl::StatusOr<std::string> read =
        ReadRegularFile(file.path, max_file_size_);
    if (!read.ok()) return Refuse(file, "unreadable file");
    const std::string& text = *read;
    if (HasNamedParts(text)) return Refuse(file, "named parts");
    const RunLine run = ReadRunLine(text);
    for (ModuleText& module : SplitModules(text)) {
      modules_.push_back({file.name, std::move(module.suffix),
                          std::move(module.text), run, /*refusal=*/""});
    }
  }

  void Refuse(const SuiteFile& file, std::string reason) {
    modules_.push_back({file.name, "", "", RunLine(), std::move(reason)});
  }

  const std::vector<SuiteFile> files_;
  const int64_t max_file_size_;
  size_t next_file_ = 0;
  std::deque<SuiteModule> modules_;
  struct DoneModule {
    int files = 0;
    bool is_disabled = false;
  };
  std::vector<DoneModule> done_;
};

absl::StatusOr<std::regex> ParseFilter(const std::string& filter) {
  try {
    return std::regex(filter);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("filter \"", filter,
                     "\": expected a regular expression: ", error.what()));
  }
}

}  // namespace

absl::StatusOr<std::vector<CaseResult>> RunSuite(
    const std::string& path, const SuiteOptions& options,
    const SuiteResultFn& on_result) {
  RETURN_IF_ERROR(MakeProgramRunner(options.backend).status());
  ASSIGN_OR_RETURN(const std::regex filter, ParseFilter(options.filter));
  ASSIGN_OR_RETURN(std::vector<SuiteFile> files,
                   FindSuiteFiles(path, options.selection));
  ModuleSource source(std::move(files), options.max_file_size);
  const auto is_selected = [&filter](const std::string& name) {
    return std::regex_search(name, filter);
  };
  std::vector<CaseResult> results;
  SuiteProgress progress;
  progress.files_total = source.file_count();
  int modules_done = 0;
  const auto done = [&](std::vector<CaseResult> of_module) {
    const int module = modules_done++;
    progress.files_done = source.files_done(module);
    for (CaseResult& result : of_module) {
      if (!is_selected(result.name)) continue;  // lost before it had cases
      result.is_disabled_upstream = source.is_disabled(module);
      ++progress.cases_done;
      progress.failed += IsFailure(result.status);
      on_result(result, progress);
      results.push_back(std::move(result));
    }
  };
  // Runs in the workers.
  const auto make_runner = [&]() -> WorkerPool::RunModuleFn {
    RegisterTestDialects();
    auto runner = std::make_shared<CaseRunner>(
        *MakeProgramRunner(options.backend), is_selected);
    return
        [runner](const SuiteModule& module, int skip, CaseObserver& observer) {
          runner->Run(module, skip, observer);
        };
  };
  WorkerPool pool(options.pool, make_runner);
  RETURN_IF_ERROR(
      pool.Run([&](SuiteModule& module) { return source.Next(module); }, done));
  return results;
}

}  // namespace lockstep::internal
