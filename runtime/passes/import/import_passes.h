#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_PASSES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_PASSES_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// The passes after which a program says its shardings in one form, without
// calls: what propagation begins with.
void AddImportPasses(PassManager& passes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_PASSES_H_
