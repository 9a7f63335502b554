#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_SHARDINGS_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// All shardings of a module of sdy become those of its entry function, on one
// mesh and without axes of size 1; named computations are inlined. Constants
// that several ops use become one for each: they do not couple the shardings of
// their users. Needs a verified module without calls and leaves one.
// UNIMPLEMENTED: several meshes that cannot be one, calls; replicas beside
// partitions. INVALID_ARGUMENT: another number of partitions than the mesh has
// devices; a single device that is none of them.
Pass ImportShardings();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_IMPORT_SHARDINGS_H_
