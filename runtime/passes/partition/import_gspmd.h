#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_IMPORT_GSPMD_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_IMPORT_GSPMD_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// Makes sdy of the forms in which older programs say shardings: mhlo.sharding
// on arguments, results and ops, all on one mesh, and custom calls
// (annotation_calls.h). Arguments and results without a sharding stay without.
//
// Needs a verified module and leaves one. INVALID_ARGUMENT and UNIMPLEMENTED
// name the place and the attribute; the module may then only be destroyed.
Pass ImportGspmd();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_IMPORT_GSPMD_H_
