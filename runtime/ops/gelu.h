#ifndef LOCKSTEP_RUNTIME_OPS_GELU_H_
#define LOCKSTEP_RUNTIME_OPS_GELU_H_

#include <optional>
#include <vector>

#include "runtime/ops/dot_epilogue.h"

namespace lockstep::internal {

// The ops of DotEpilogue::Activation::kGelu of `x`, if they are what all its
// users do. Operands come before their users, the result is the last op's.
std::optional<std::vector<const Op*>> GeluOf(const Value* x,
                                             const UsersOfValue& users);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GELU_H_
