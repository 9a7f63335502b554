#ifndef LOCKSTEP_RUNTIME_KERNELS_SCAN_STEP_H_
#define LOCKSTEP_RUNTIME_KERNELS_SCAN_STEP_H_

#include <cstdint>

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The variants of kScan.
enum ScanVariant {
  // to[0] = op(init, from[0]), to[i] = op(to[i - 1], from[i]).
  kRunningReduction = 0,
  // to[i] = op(from[i], other[i]); `other` is in the place of init.
  kCombineRows = 1,
};

// What the int64 numbers of a scan say. Offsets and steps count elements, and
// may be negative.
struct ScanShape {
  int64_t rows = 0;     // the i above
  int64_t columns = 0;  // that lie side by side: each for itself
  int64_t from = 0, from_row = 0, from_line = 0;
  int64_t other = 0, other_row = 0, other_line = 0;
  int64_t to = 0, to_row = 0, to_line = 0;
};

// kScan for `body`, a region of `op` that is one op of its two arguments and
// can be emitted: line after line [begin, end), each of rows of columns. f16
// and bf16 accumulate in f32 when it is a single op. Buffers: from, init or
// other (inputs), to (output), of the types of the body; a ScanShape.
KernelGraph ScanStep(const Op& op, const Region& body, ScanVariant variant);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_SCAN_STEP_H_
