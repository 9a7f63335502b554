#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/conformance/check_rules.h"
#include "runtime/ir/op.h"

namespace lockstep {

// The ops that only test programs have: check.*, interpreter.run_parallel,
// util.unfoldable_constant. Makes them known to this process; from then on the
// frontend accepts them in every program, so it is called only where nothing
// else than test programs is read. Before the process has threads; again is
// harmless.
void RegisterCheckDialect();

// What starts a distributed program: [replica][partition] names of functions.
inline constexpr char kRunParallelOp[] = "interpreter.run_parallel";
inline constexpr char kUnfoldableConstantOp[] = "util.unfoldable_constant";

// What interpreter.run_parallel does when it is evaluated on this thread. The
// callee gets the op's operands and fills its results.
using RunParallelFn =
    std::function<absl::Status(const Op&, absl::Span<const LiteralView>,
                               absl::Span<const MutableLiteralView>)>;

// Sets it for the life of the object. One at a time per process.
class ScopedRunParallel {
 public:
  explicit ScopedRunParallel(RunParallelFn run);
  ~ScopedRunParallel();
  ScopedRunParallel(const ScopedRunParallel&) = delete;
  ScopedRunParallel& operator=(const ScopedRunParallel&) = delete;
};

// A check, in any of its forms.
struct Check {
  CheckRule rule;
  Value* found = nullptr;
  Value* expected = nullptr;            // null: `constant`
  const Attribute* constant = nullptr;  // Attribute::Elements
};

// Whether the op is a check, or a custom_call of one.
bool IsCheck(const Op& op);
// INVALID_ARGUMENT, with location, for a check that is malformed; UNIMPLEMENTED
// for one that is not known here.
absl::StatusOr<Check> ReadCheck(const Op& op);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_
