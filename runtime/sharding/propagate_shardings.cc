#include "runtime/sharding/propagate_shardings.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/sharding/fixed_point.h"
#include "runtime/sharding/gspmd_fixed_point.h"
#include "runtime/sharding/gspmd_sources.h"
#include "runtime/sharding/op_directions.h"
#include "runtime/sharding/propagate_op.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/user_priorities.h"

namespace lockstep::internal {

absl::Status PropagateShardings(const Function& function,
                                const MeshTable& meshes,
                                FunctionShardings& shardings,
                                const PropagationOptions& options) {
  ASSIGN_OR_RETURN(PropagationGraph graph,
                   PropagationGraph::Build(function, shardings, options.groups,
                                           options.is_conservative));
  ASSIGN_OR_RETURN(UserPriorities priorities,
                   UserPriorities::Create(meshes, graph));
  const auto observe = [&](absl::string_view stage) {
    if (!options.observer) return;
    FunctionShardings now = shardings;
    graph.WriteTo(now);
    options.observer(stage, now);
  };
  const bool is_gspmd = options.algorithm == PropagationAlgorithm::kGspmd;
  FixedPoint fixed_point(meshes, graph, options.on_change);
  GspmdFixedPoint gspmd_fixed_point(meshes, graph, options.on_change);
  for (const int64_t priority : priorities.priorities()) {
    priorities.Begin(priority);
    const std::string stage =
        absl::StrCat("propagation_after_user_priority_", priority);
    const int steps = is_gspmd ? kGspmdLevels : kOpPrioritySteps;
    for (int step = 0; step < steps; ++step) {
      if (is_gspmd) {
        RETURN_IF_ERROR(gspmd_fixed_point.Reach(step));
      } else {
        RETURN_IF_ERROR(fixed_point.Reach(step, PropagationStrategy::kBasic));
        RETURN_IF_ERROR(
            fixed_point.Reach(step, PropagationStrategy::kAggressive));
      }
      observe(absl::StrCat(stage, "_op_priority_", step));
    }
    observe(stage);
  }
  graph.WriteTo(shardings);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
