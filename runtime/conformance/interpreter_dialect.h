#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_INTERPRETER_DIALECT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_INTERPRETER_DIALECT_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/conformance/run_record.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The ops of test programs that do something when they are evaluated:
// interpreter.run_parallel, interpreter.probe, interpreter.print.

// What starts a distributed program: [replica][partition] names of functions.
inline constexpr char kRunParallelOp[] = "interpreter.run_parallel";

// Part of RegisterTestDialects.
void RegisterInterpreterDialect();

bool IsInterpreterOp(const Op& op);

// Gives every interpreter.print of the module the names of what it prints: %0,
// %1, .. in the order of their function, "%3#1" among several results, %arg0.
void NamePrintedValues(Module& module);

// What interpreter.run_parallel does when it is evaluated. The callee gets the
// op's operands and fills its results.
using RunParallelFn =
    std::function<absl::Status(const Op&, absl::Span<const LiteralView>,
                               absl::Span<const MutableLiteralView>)>;

// The case that this process runs: who evaluates run_parallel, and where what
// is probed and printed goes. Sets them for the life of the object, which the
// programs' threads end before. One at a time per process.
class ScopedCaseRun {
 public:
  ScopedCaseRun(RunParallelFn run_parallel, RunRecord& record);
  ~ScopedCaseRun();
  ScopedCaseRun(const ScopedCaseRun&) = delete;
  ScopedCaseRun& operator=(const ScopedCaseRun&) = delete;

 private:
  const RunParallelFn run_parallel_;
  RunRecord& record_;
  friend struct CaseRunHooks;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_INTERPRETER_DIALECT_H_
