#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_GSPMD_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_GSPMD_ATTRIBUTES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {

inline constexpr absl::string_view kGspmdAttributeName = "mhlo.sharding";

// A unit attribute of a module all shardings of which were said so, and are
// propagated as GSPMD does (PropagationAlgorithm::kGspmd).
inline constexpr absl::string_view kGspmdPropagation =
    "lockstep.gspmd_propagation";

// The attributes mhlo.sharding of the module become sdy.sharding, all on one
// mesh, which is declared as "mesh" or with the first free name behind it; a
// module that had none gets kGspmdPropagation. Where there is an sdy.sharding
// already it stays. What is all manual gets none. Those of SPMDFullToShardShape
// and SPMDShardToFullShape go to `changes` instead.
//
// INVALID_ARGUMENT: a text that does not parse, with its column; other numbers
// of shardings than results, of devices than mhlo.num_partitions, of tiles than
// dims. UNIMPLEMENTED: what gspmd_import.h says so of.
absl::Status ImportGspmdAttributes(Module& module, ShapeChanges& changes);

// Removes them.
absl::Status DropGspmdAttributes(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_GSPMD_ATTRIBUTES_H_
