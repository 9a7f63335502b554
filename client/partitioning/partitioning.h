#ifndef LOCKSTEP_CLIENT_PARTITIONING_PARTITIONING_H_
#define LOCKSTEP_CLIENT_PARTITIONING_PARTITIONING_H_

// All that programs use to partition models.

// IWYU pragma: begin_exports
#include "client/partitioning/match_sharding_rule.h"
#include "client/partitioning/mesh_axes.h"
#include "client/partitioning/mesh_context.h"
#include "client/partitioning/shard_and_gather.h"
#include "client/partitioning/sharding_constraint.h"
#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"
#include "runtime/mesh/partitioning/partitioner.h"
#include "runtime/mesh/partitioning/sharding_rule.h"
#include "runtime/mesh/partitioning/tree_path_sharding_rule.h"
// IWYU pragma: end_exports

#endif  // LOCKSTEP_CLIENT_PARTITIONING_PARTITIONING_H_
