#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/conformance/check_rules.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The ops that only test programs have: check.*, util.unfoldable_constant and
// those of interpreter_dialect.h. Makes them known to this process; from then
// on the frontend accepts them in every program, so it is called only where
// nothing else than test programs is read. Before the process has threads;
// again is harmless.
void RegisterTestDialects();

inline constexpr char kUnfoldableConstantOp[] = "util.unfoldable_constant";

// The tensor that interpreter.probe was given under `id` for the n-th time.
struct ProbeKey {
  std::string id;
  int64_t iteration = 0;
};

// A check, in any of its forms.
struct Check {
  CheckRule rule;
  Value* found = nullptr;
  // One of them:
  Value* expected = nullptr;
  const Attribute* constant = nullptr;  // Attribute::Elements
  std::optional<ProbeKey> probe;
};

// Whether the op is a check, or a custom_call of one.
bool IsCheck(const Op& op);
// INVALID_ARGUMENT, with location, for a check that is malformed; UNIMPLEMENTED
// for one that is not known here.
absl::StatusOr<Check> ReadCheck(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_DIALECT_H_
