#ifndef LOCKSTEP_RUNTIME_INTERPRETER_INTERPRETER_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_INTERPRETER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The reference evaluator, the oracle of tests: slow, obviously right. Modules
// must be verified. Errors: INVALID_ARGUMENT for arguments that do not fit the
// function; the ops' own, with their locations.

// Runs the entry function on one device.
absl::StatusOr<std::vector<Literal>> Evaluate(const Module& module,
                                              std::vector<Literal> arguments);

struct SpmdOptions {
  // Ends a run in which a member never comes to a collective.
  absl::Duration timeout = absl::Minutes(5);
};

// Runs the entry function on every device of `assignment`, a thread each;
// collectives run across them. Arguments and results are by flattened id. The
// first error ends the others.
absl::StatusOr<std::vector<std::vector<Literal>>> EvaluateSpmd(
    const Module& module, const DeviceAssignment& assignment,
    std::vector<std::vector<Literal>> arguments,
    const SpmdOptions& options = {});

// The same with a function of its own for each device. What is sent on a
// channel of the host is received from it. A token is any literal.
absl::StatusOr<std::vector<std::vector<Literal>>> EvaluatePrograms(
    const Module& module, const DeviceAssignment& assignment,
    absl::Span<const Function* const> programs,
    std::vector<std::vector<Literal>> arguments,
    const SpmdOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_INTERPRETER_H_
