#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_GSPMD_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_GSPMD_H_

#include "runtime/ir/module.h"
#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// Whether the module says shardings in a form that ImportGspmd reads.
bool HasGspmdForms(const Module& module);

// Makes sdy of the forms in which older programs say shardings, and nothing
// where there is none of them:
//   - mhlo.sharding on arguments, results and ops, all on one mesh;
//   - attributes xla.sdy.* in mhlo.frontend_attributes, where programs went
//     through HLO. A module that has such meshes says every sharding twice;
//     mhlo.sharding is then dropped;
//   - custom calls of both (annotation_calls.h), and what stands between those
//     that make shards and those that join them (manual_regions.h).
// Arguments and results without a sharding stay without.
//
// Needs a verified module and leaves one. Inlines calls, since shards are made
// around them, and erases functions that nobody calls then. Must run before
// InlineCalls: calls may carry attributes. INVALID_ARGUMENT and UNIMPLEMENTED
// name the place and the attribute; the module may then only be destroyed.
Pass ImportGspmd();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_GSPMD_H_
