#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_STEP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_STEP_H_

#include <cstdint>
#include <memory>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The variants of kScan (scan_kernel.h).
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

// The kernel kScan for `body`, a region of `op` that is one op of its arguments
// and can be emitted.
std::shared_ptr<const Kernel> AddScanKernel(const Op& op, const Region& body,
                                            ScanVariant variant,
                                            KernelCompiler& compiler);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_STEP_H_
