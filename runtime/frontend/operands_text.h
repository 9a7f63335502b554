#ifndef LOCKSTEP_RUNTIME_FRONTEND_OPERANDS_TEXT_H_
#define LOCKSTEP_RUNTIME_FRONTEND_OPERANDS_TEXT_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// For messages: " (operand 0: tensor<4xf32>, WHERE; operand 1: ..)", where
// WHERE is what `describe` says of it. At most 8 of them; "" for none.
std::string OperandsText(absl::Span<const Value* const> operands,
                         absl::FunctionRef<std::string(const Value*)> describe);

// An error of the verifier, with what it does not say of the operands of the op
// that it is about: described by what defines them, as "result 0 of
// stablehlo.tanh at f:1:2" or "argument 1 of @main at f:1:1".
absl::Status WithOperands(const absl::Status& error, const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_OPERANDS_TEXT_H_
