#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_PARALLEL_PROGRAMS_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_PARALLEL_PROGRAMS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/conformance/program_runner.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Evaluates an interpreter.run_parallel of the module: the programs that it
// names, all at once. Operands are the arguments of all programs, in order,
// results likewise; tokens have no value.
absl::Status RunParallel(ProgramRunner& runner,
                         const std::shared_ptr<const Module>& module,
                         const Op& op, absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results);

// Whether programs of the module send to the host or receive from it: only the
// reference evaluator has one.
bool SpeaksToHost(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_PARALLEL_PROGRAMS_H_
