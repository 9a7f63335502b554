#ifndef LOCKSTEP_RUNTIME_OPS_RANDOM_ALGORITHM_H_
#define LOCKSTEP_RUNTIME_OPS_RANDOM_ALGORITHM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/types/shape.h"

// What decides which counter the bits of a stablehlo.rng_bit_generator come
// from; backends and the partitioner must agree on it.

namespace lockstep::internal {

// Whether a stablehlo.rng_bit_generator makes its bits by Philox, else by
// Threefry. DEFAULT is PHILOX, as it is in XLA for processors and GPUs.
// INVALID_ARGUMENT, with the op's location: another algorithm.
absl::StatusOr<bool> IsPhilox(const Op& op);

// The dimension along which Threefry makes two neighbours, of less than 64
// bits, of one counter: the first even one, else the first of the largest. For
// shapes with dimensions.
int64_t ThreefryPairedDim(const Shape& shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_RANDOM_ALGORITHM_H_
