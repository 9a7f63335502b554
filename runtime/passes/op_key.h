#ifndef LOCKSTEP_RUNTIME_PASSES_OP_KEY_H_
#define LOCKSTEP_RUNTIME_PASSES_OP_KEY_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// A hash of what an op computes: name, operands, attributes, result types and
// regions. Ops with the same computation have the same hash.
size_t ComputationHash(const Op& op);

// Whether two ops compute the same from the same operands. Regions are compared
// op by op; values that they take from outside must be the same.
bool ComputesSame(const Op& a, const Op& b);
// The same of the regions alone.
bool RegionsComputeSame(const Op& a, const Op& b);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OP_KEY_H_
