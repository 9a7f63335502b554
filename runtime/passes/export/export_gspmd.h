#ifndef LOCKSTEP_RUNTIME_PASSES_EXPORT_EXPORT_GSPMD_H_
#define LOCKSTEP_RUNTIME_PASSES_EXPORT_EXPORT_GSPMD_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// Says the shardings of a module of sdy as GSPMD does, for tools that read only
// that (spec Y-5, Y-6, Y-7): mhlo.sharding on arguments and results, custom
// calls @Sharding for constraints, and for a manual computation a function
// @shmap_body between calls that make shards and join them. No mesh remains.
//
// Needs a verified module and leaves one. UNIMPLEMENTED, with the place: other
// ops of sdy, shardings of ops, and what ToGspmd refuses.
Pass ExportGspmd();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_EXPORT_EXPORT_GSPMD_H_
