#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_PREFETCH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_PREFETCH_H_

#include <cstdint>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lockstep::internal {

// Fetching memory ahead of its use. The vectoriser refuses loops that do so
// themselves; so loads are marked, and the prefetches are put beside the
// vector loads that come of them.

// The loads that this access group is on want the memory `bytes` behind their
// own soon after. A load may be in several access groups.
llvm::MDNode* PrefetchGroup(llvm::Module& module, int64_t bytes);

// After vectorisation: adds the prefetches.
void InsertPrefetches(llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_PREFETCH_H_
