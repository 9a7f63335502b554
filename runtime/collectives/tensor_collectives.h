#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_COLLECTIVES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_COLLECTIVES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/collectives/communicator.h"
#include "runtime/collectives/reduction.h"
#include "runtime/types/literal.h"

namespace lockstep {

// The collectives of StableHLO on one tensor each, along any dimension, around
// the flat operations of a Communicator. `result` has the shape that the op's
// definition gives; a dimension that is not the outermost one is packed before
// and unpacked after. Errors and threads are the communicator's.
//
// An op with several operands runs each of them as a collective of its own:
// operand i under call.number + i, so such an op takes as many numbers as it
// has operands.

// The operand is converted to the reduction's element type first, where they
// differ.
absl::Status AllReduceTensor(Communicator& communicator,
                             const CollectiveCall& call,
                             const Reduction& reduction,
                             const LiteralView& operand,
                             const MutableLiteralView& result);
absl::Status ReduceScatterTensor(Communicator& communicator,
                                 const CollectiveCall& call,
                                 const Reduction& reduction, int64_t dim,
                                 const LiteralView& operand,
                                 const MutableLiteralView& result);
absl::Status AllGatherTensor(Communicator& communicator,
                             const CollectiveCall& call, int64_t dim,
                             const LiteralView& operand,
                             const MutableLiteralView& result);
// The number of parts is the communicator's size.
absl::Status AllToAllTensor(Communicator& communicator,
                            const CollectiveCall& call, int64_t split_dim,
                            int64_t concat_dim, const LiteralView& operand,
                            const MutableLiteralView& result);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_COLLECTIVES_H_
