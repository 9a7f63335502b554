#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_PROGRAM_RUNNER_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_PROGRAM_RUNNER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/conformance/case_program.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Runs test programs on simulated devices of this process. Thread-safe.
class ProgramRunner {
 public:
  virtual ~ProgramRunner() = default;

  // Runs the functions of the verified module all at once, a thread each; each
  // has arguments of its own. Arguments and results are by flattened id.
  // Errors: those of compiling and running; the first ends the others.
  virtual absl::StatusOr<std::vector<std::vector<Literal>>> Run(
      const std::shared_ptr<const Module>& module, const ProcessGrid& grid,
      std::vector<std::vector<Literal>> arguments) = 0;
};

// "interpreter": the reference evaluator itself. Other names: the backend that
// is registered under it ("interpreter-thunks": the one named "interpreter");
// NOT_FOUND names those there are.
absl::StatusOr<std::unique_ptr<ProgramRunner>> MakeProgramRunner(
    absl::string_view backend);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_PROGRAM_RUNNER_H_
