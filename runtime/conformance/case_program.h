#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CASE_PROGRAM_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CASE_PROGRAM_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/conformance/check_dialect.h"
#include "runtime/conformance/check_rules.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What a check compares: a result of the program, a constant of the text or
// what the program probed while it ran.
struct CheckedValue {
  int result = -1;
  std::shared_ptr<const Literal> literal;
  std::optional<ProbeKey> probe;
};

struct ProgramCheck {
  CheckRule rule;
  CheckedValue found;
  CheckedValue expected;
  std::string op;  // what computes `found`, "stablehlo.abs"; may be empty
  std::string location;
};

// A test function as an ordinary program, so that what compiles it sees neither
// checks nor the values of its inputs: constants that other ops use become
// arguments, the operands of the checks become results. A constant that only
// checks use stays in the program.
struct CaseProgram {
  std::unique_ptr<Module> module;  // its entry is @main; verified
  std::vector<Literal> arguments;
  std::vector<ProgramCheck> checks;
  std::vector<CheckedValue> returned;  // what the test function returns
};

struct CaseProgramOptions {
  // Of the test function.
  std::vector<Literal> arguments;
  // Whether CaseProgram::returned is wanted.
  bool keeps_returned = false;
};

// `function` stands in `module`, which needs no verification. What else it
// needs of the module is copied. Errors: INVALID_ARGUMENT for arguments that
// are not those of the function; those of the verifier.
absl::StatusOr<CaseProgram> BuildCaseProgram(const Module& module,
                                             const Function& function,
                                             CaseProgramOptions options = {});

// `function` as it is, as the entry @main of a module of its own for so many
// processes; verified.
absl::StatusOr<std::unique_ptr<Module>> ExtractProgram(const Module& module,
                                                       const Function& function,
                                                       int replicas,
                                                       int partitions);

// What an interpreter.run_parallel runs.
struct ProcessGrid {
  int replicas = 1;
  int partitions = 1;
  std::vector<const Function*> programs;  // by flattened id; of the module
};
// INVALID_ARGUMENT, with location; UNIMPLEMENTED for infeed.
absl::StatusOr<ProcessGrid> ReadProcessGrid(const Op& run_parallel,
                                            const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CASE_PROGRAM_H_
