#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_IN_PLACE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_IN_PLACE_H_

#include <vector>

#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// The results that the thunks of this backend may write over operands: of
// elementwise ops and fusions, where an element of the result needs of that
// operand only the element in the same place; of dynamic_update_slice
// and scatter, the operands that are updated.
std::vector<InPlaceUse> CpuInPlaceUses(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_IN_PLACE_H_
