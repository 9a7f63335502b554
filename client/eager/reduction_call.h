#ifndef LOCKSTEP_CLIENT_EAGER_REDUCTION_CALL_H_
#define LOCKSTEP_CLIENT_EAGER_REDUCTION_CALL_H_

#include "client/arrays/array.h"
#include "client/eager/array_operand.h"
#include "client/tracer/reductions.h"

namespace lockstep::internal {

enum class EagerReduction { kSum, kMean, kMax, kMin, kAny, kAll };

// The reduction of an array's dimensions; see array_reductions.h. Thread-safe.
Array CallReduction(EagerReduction kind, const ArrayOperand& x,
                    const ReducedDims& dims, bool keep_dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_REDUCTION_CALL_H_
