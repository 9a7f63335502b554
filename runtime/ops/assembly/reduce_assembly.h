#ifndef LOCKSTEP_RUNTIME_OPS_ASSEMBLY_REDUCE_ASSEMBLY_H_
#define LOCKSTEP_RUNTIME_OPS_ASSEMBLY_REDUCE_ASSEMBLY_H_

#include "runtime/ir/assembly.h"

namespace lockstep::internal {

// "(%a init: %s), .. applies stablehlo.add across dimensions = [1] : T" for a
// body of one commutative op, else "(%a init: %s), .. across dimensions = [1]
// : T reducer(%x: U, %y: U) .. { .. }", where the k-th pair of names is
// (accumulator k, element k).
AssemblyForm ReduceForm();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ASSEMBLY_REDUCE_ASSEMBLY_H_
