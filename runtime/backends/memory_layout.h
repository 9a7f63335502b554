#ifndef LOCKSTEP_RUNTIME_BACKENDS_MEMORY_LAYOUT_H_
#define LOCKSTEP_RUNTIME_BACKENDS_MEMORY_LAYOUT_H_

#include <vector>

#include "absl/types/span.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/backends/schedule.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

// Where every tensor of a schedule lies.
struct MemoryLayout {
  std::vector<BufferAllocation> allocations;  // [0] is the arena
  std::vector<BufferSlice> slices;            // by tensor
  std::vector<int> argument_allocations;
  std::vector<int> result_allocations;
};

// Plans the memory of a schedule: temporaries in the arena by live ranges,
// results where they are computed, a result in the memory of a donated
// argument of the same shape that is not needed any more. A result that is an
// argument or a constant, or stands twice, is copied: the copies are appended
// to the schedule. `terminator` is where they come from.
// `kernels` says which results may be written over operands; null: none.
// Tensors that follow each other so, or by a copy, share their memory: a value
// that a loop carries and updates stays where it is.
MemoryLayout PlanMemory(Schedule& schedule, absl::Span<const int> donated,
                        const Op& terminator,
                        const KernelEmitter* kernels = nullptr);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_MEMORY_LAYOUT_H_
