#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARDING_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARDING_ATTRIBUTES_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Calls `change` on every sharding in attributes of arguments and results of
// functions, and of ops, in order, and stores what it makes of it. The first
// error ends it, with the place of the function or op.
absl::Status ChangeShardings(
    Module& module, absl::FunctionRef<absl::Status(TensorSharding&)> change);

// Calls `visit` on all of them.
absl::Status VisitShardings(
    const Module& module,
    absl::FunctionRef<absl::Status(const TensorSharding&)> visit);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARDING_ATTRIBUTES_H_
