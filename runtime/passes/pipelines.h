#ifndef LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_
#define LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep {

// Adds the passes that a backend which compiles fusions wants before it
// compiles. For verified modules.
void AddOptimizationPasses(PassManager& passes);

// The passes by name, as tests run them one by one; null when there is none.
const Pass* FindPass(absl::string_view name);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_
