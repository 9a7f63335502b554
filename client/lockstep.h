#ifndef LOCKSTEP_CLIENT_LOCKSTEP_H_
#define LOCKSTEP_CLIENT_LOCKSTEP_H_

// The public header of lockstep.

#include "client/arrays/array.h"                     // IWYU pragma: export
#include "client/checkpoint/checkpoint.h"            // IWYU pragma: export
#include "client/client.h"                           // IWYU pragma: export
#include "client/data/file_set.h"                    // IWYU pragma: export
#include "client/data/prefetcher.h"                  // IWYU pragma: export
#include "client/eager/array_operations.h"           // IWYU pragma: export
#include "client/eager/array_reductions.h"           // IWYU pragma: export
#include "client/eager/array_slices.h"               // IWYU pragma: export
#include "client/files/array_files.h"                // IWYU pragma: export
#include "client/global_arrays/device_put.h"         // IWYU pragma: export
#include "client/global_arrays/host_arrays.h"        // IWYU pragma: export
#include "client/global_arrays/host_exchange.h"      // IWYU pragma: export
#include "client/global_arrays/make_array.h"         // IWYU pragma: export
#include "client/global_arrays/one_host_exchange.h"  // IWYU pragma: export
#include "client/global_arrays/ragged_exchange.h"    // IWYU pragma: export
#include "client/host/barrier.h"                     // IWYU pragma: export
#include "client/host/busy.h"                        // IWYU pragma: export
#include "client/host/failure_listener.h"            // IWYU pragma: export
#include "client/host/initialize.h"                  // IWYU pragma: export
#include "client/host/key_value_store.h"             // IWYU pragma: export
#include "client/host/live_hosts.h"                  // IWYU pragma: export
#include "client/host/preemption.h"                  // IWYU pragma: export
#include "client/jit/custom_partitioning.h"          // IWYU pragma: export
#include "client/jit/jit.h"                          // IWYU pragma: export
#include "client/jit/partition.h"                    // IWYU pragma: export
#include "client/jit/shard_map.h"                    // IWYU pragma: export
#include "client/jit/sharding_kind.h"                // IWYU pragma: export
#include "client/jit/sjit.h"                         // IWYU pragma: export
#include "client/meshes.h"                           // IWYU pragma: export
#include "client/partitioning/partitioning.h"        // IWYU pragma: export
#include "client/pmap/pmap.h"                        // IWYU pragma: export
#include "client/status_macros.h"                    // IWYU pragma: export
#include "client/tracer/ops.h"                       // IWYU pragma: export
#include "client/tracer/trace_function.h"            // IWYU pragma: export
#include "client/trees/tree.h"                       // IWYU pragma: export
#include "client/trees/tree_fields.h"                // IWYU pragma: export
#include "client/trees/tree_map.h"                   // IWYU pragma: export
#include "client/visualization/visualize.h"          // IWYU pragma: export

#endif  // LOCKSTEP_CLIENT_LOCKSTEP_H_
