#ifndef LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DOT_ASSEMBLY_H_
#define LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DOT_ASSEMBLY_H_

#include "runtime/ir/assembly.h"

namespace lockstep::internal {

// "%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
// precision = [DEFAULT, DEFAULT], algorithm = <..> : (T, U) -> V"; each clause
// is optional, in this order.
AssemblyForm DotGeneralForm();

// "%a, %b, precision = [DEFAULT, DEFAULT] : (T, U) -> V"; the clause is
// optional.
AssemblyForm DotForm();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DOT_ASSEMBLY_H_
