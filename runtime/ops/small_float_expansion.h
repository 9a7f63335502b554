#ifndef LOCKSTEP_RUNTIME_OPS_SMALL_FLOAT_EXPANSION_H_
#define LOCKSTEP_RUNTIME_OPS_SMALL_FLOAT_EXPANSION_H_

#include "runtime/ir/module.h"

namespace lockstep::internal {

// Floats of 8 bits and fewer compute in f32: every op of a verified module that
// computes with them gets its operands converted to f32, and its results
// converted back, so that each op rounds once, to nearest even, and nothing
// after the frontend knows arithmetic of these types. A reduction whose body is
// one op is in f32 as a whole, and rounds once, at the end; other bodies round
// at each op of theirs. What only moves elements stays as it is.
void ComputeSmallFloatsInF32(Module& module);

// Whether `op`, elementwise, can be emitted with its element types:
// OpDef::Emits, or an op that takes small floats as they are (convert, select,
// bitcast_convert), for which kernels have code although they have none for
// arithmetic on them.
bool EmitsElements(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SMALL_FLOAT_EXPANSION_H_
