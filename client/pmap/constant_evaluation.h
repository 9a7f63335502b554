#ifndef LOCKSTEP_CLIENT_PMAP_CONSTANT_EVALUATION_H_
#define LOCKSTEP_CLIENT_PMAP_CONSTANT_EVALUATION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Runs a program without arguments or collectives, here and at once.
absl::StatusOr<std::vector<Literal>> EvaluateConstants(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PMAP_CONSTANT_EVALUATION_H_
