#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_EXPLAIN_SHARDING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_EXPLAIN_SHARDING_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Where the sharding of a value comes from, for people: for each axis the ops
// through which propagation brought it, back to the value of which the program
// says it.
//
//   stablehlo.dot_general at m.mlir:5:8: <@mesh, [{"x", ?}, {?}]>
//     "x" of dimension 0
//       through stablehlo.dot_general at m.mlir:5:8 from stablehlo.tanh at ..
//       through stablehlo.tanh at m.mlir:4:8 from %arg0
//       which the program says of %arg0
//
// `value` is an argument (%arg0) or a result (result0) of the function, or the
// place of an op in the text (5, 5:8).
// INVALID_ARGUMENT: there is no such value; the program says no shardings; and
// errors of the passes. The module, which is verified, may then only be
// destroyed.
absl::StatusOr<std::string> ExplainSharding(Module& module,
                                            absl::string_view value);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_EXPLAIN_SHARDING_H_
