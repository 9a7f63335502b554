#ifndef LOCKSTEP_RUNTIME_KERNELS_SCALAR_SUPPORT_H_
#define LOCKSTEP_RUNTIME_KERNELS_SCALAR_SUPPORT_H_

#include "runtime/ir/op.h"
#include "runtime/ops/scalar_builder.h"

namespace lockstep::internal {

// Whether the scalar builders of all backends have code for these.
bool HasCodeFor(ElementType type);
bool HasCodeFor(UnaryScalarOp op, ElementType type);
bool HasCodeFor(BinaryScalarOp op, ElementType type);

// Whether `op` is elementwise, has an emission, and all that it emits has code.
bool CanEmitElementwise(const Op& op);

// Whether `region` consists of scalar ops that can be emitted and constants,
// uses nothing from outside, and its arguments and results are scalars.
bool CanEmitScalarRegion(const Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_SCALAR_SUPPORT_H_
