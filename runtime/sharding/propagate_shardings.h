#ifndef LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_SHARDINGS_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/sharding/function_shardings.h"
#include "runtime/sharding/sharding_change.h"
#include "runtime/sharding/value_shardings.h"

namespace lockstep::internal {

// In what order shardings reach values, and which of several stay.
enum class PropagationAlgorithm {
  kShardy,
  kGspmd,  // the first that reaches a value, from operands before users
};

struct PropagationOptions {
  PropagationAlgorithm algorithm = PropagationAlgorithm::kShardy;
  // Shardy's conservative propagation: ops give no parts of axes on, and no
  // axes along dims that slices, pads, windows, concatenations and convolutions
  // change.
  bool is_conservative = false;
  // What sdy.sharding_group says, one entry per group.
  std::vector<ShardingGroup> groups;
  // Called with the shardings there are then, after each op priority, or level,
  // of each user priority ("propagation_after_user_priority_1_op_priority_0")
  // and after each user priority ("propagation_after_user_priority_1").
  std::function<void(absl::string_view stage,
                     const FunctionShardings& shardings)>
      observer;
  // Called with every change, in their order.
  ShardingChangeObserver on_change;
};

// Spreads the shardings of a function over all of its values, as Shardy does
// (rows Y-16, Y-17): user priorities one after the other; for each the steps of
// op_directions.h; in each first the basic strategy, then the aggressive one,
// to a fixed point. Or as GSPMD does (gspmd_fixed_point.h): for each priority
// the levels of gspmd_sources.h to a fixed point. A result of the function
// shares axes with the value that is returned. Takes time linear in the
// function and in how often values change; not, for shardings that name their
// mesh, in the number of devices.
//
// The function is verified and calls nothing. `shardings` are valid and fit;
// those of targets of an edge (data_flow_edges.h) are as the first says that
// has one. In the end all have the same, as have the values of a group; but
// where those of a group start with different ones (a warning), each keeps its
// own, and only what users see of them is shared. Results of sharding
// constraints are values like others. No sharding has a priority left;
// shardings of edges do not wait for theirs.
//
// INVALID_ARGUMENT, with `shardings` unchanged: a mesh that is not declared, or
// as PropagationGraph::Build.
absl::Status PropagateShardings(const Function& function,
                                const MeshTable& meshes,
                                FunctionShardings& shardings,
                                const PropagationOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_SHARDINGS_H_
