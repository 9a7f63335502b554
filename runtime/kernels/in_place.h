#ifndef LOCKSTEP_RUNTIME_KERNELS_IN_PLACE_H_
#define LOCKSTEP_RUNTIME_KERNELS_IN_PLACE_H_

#include <vector>

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// KernelEmitter::InPlaceUses of ops that are kernels over their elements: no
// element of such an operand is read in another place than it is written.
std::vector<InPlaceUse> KernelInPlaceUses(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_IN_PLACE_H_
