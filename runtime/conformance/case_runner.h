#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RUNNER_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RUNNER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/conformance/case_result.h"
#include "runtime/conformance/program_runner.h"
#include "runtime/conformance/run_line.h"

namespace lockstep::internal {

// One module of a suite's file: what a worker process gets to do.
struct SuiteModule {
  std::string file;
  std::string suffix;  // "#2" or ""
  std::string text;
  RunLine run;  // of the file
  // Not empty: nothing is run, the module is unsupported because of this.
  std::string refusal;
};

// Hears of the cases of a module while they run.
class CaseObserver {
 public:
  virtual ~CaseObserver() = default;
  // The names of all cases of the module, before the first of them runs.
  virtual void Cases(const std::vector<std::string>& names) = 0;
  virtual void Finished(CaseResult result) = 0;
};

// Runs the cases of modules, one after the other, in this process. Needs
// RegisterTestDialects. One per process.
class CaseRunner {
 public:
  // Runs only the cases whose names are selected.
  CaseRunner(std::unique_ptr<ProgramRunner> programs,
             std::function<bool(const std::string&)> is_selected);
  ~CaseRunner();

  // All of the module's selected cases but the first `skip`.
  void Run(const SuiteModule& module, int skip, CaseObserver& observer);

 private:
  class Case;
  void Run(const SuiteModule& suite_module, Module& module, int skip,
           absl::Time start, CaseObserver& observer);

  std::unique_ptr<ProgramRunner> programs_;
  // Of functions with run_parallel, and of programs that no backend compiles
  // by themselves, such as those that send to the host.
  std::unique_ptr<ProgramRunner> reference_;
  const std::function<bool(const std::string&)> is_selected_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RUNNER_H_
