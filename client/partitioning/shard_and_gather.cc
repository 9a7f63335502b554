#include "client/partitioning/shard_and_gather.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "client/arrays/view.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/device_put.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/world.h"

namespace lockstep {
namespace {

using Target = std::optional<NamedSharding>;

// The whole value on one device of every host.
absl::StatusOr<NamedSharding> OnEveryHost(const World& world) {
  DeviceGrid grid;
  for (HostId host : world.hosts()) {
    grid.devices.push_back(world.local(host)[0]);
  }
  grid.dims = {static_cast<int64_t>(grid.devices.size())};
  ASSIGN_OR_RETURN(Mesh mesh, Mesh::Create(std::move(grid), {"hosts"}));
  return NamedSharding::Create(std::move(mesh), PartitionSpec());
}

absl::StatusOr<Array> Gather(Array array, const ArrayOptions& options) {
  RETURN_IF_ERROR(array.CheckUsable());
  if (!array.sharding().is_on_devices()) return array;
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view,
                   internal::ViewOf(options, "gather"));
  const World world = view->world();
  const bool is_of_several_hosts = view->host().has_value() &&
                                   array.layout() != nullptr &&
                                   world.host_count() > 1;
  if (is_of_several_hosts) {
    // Also from hosts that have every part: others need them for theirs.
    ASSIGN_OR_RETURN(const NamedSharding everywhere, OnEveryHost(world));
    ASSIGN_OR_RETURN(array, device_put(array, everywhere, options));
  }
  ASSIGN_OR_RETURN(auto value, array.Fetch());
  return Array(std::move(value));
}

}  // namespace

namespace internal {

absl::StatusOr<ShardAndGatherFns> MakeShardAndGatherFns(
    const Tree<Shape>& shapes, const Tree<RuleOrSpec>& rules, const Mesh& mesh,
    const ArrayOptions& options) {
  ASSIGN_OR_RETURN(const Tree<NamedSharding> shardings,
                   MatchShardingRule(rules, shapes, mesh));
  const Tree<Target> prefix =
      tree_map([](const NamedSharding& sharding) { return Target(sharding); },
               shardings);
  ASSIGN_OR_RETURN(const Tree<Target> targets,
                   BroadcastPrefix(prefix, shapes, Target()));
  ShardAndGatherFns fns;
  fns.shard_fns =
      targets.Transform([&](const Target& target, const std::string&) {
        return ArrayFunction(
            [target, options](const Array& x) -> absl::StatusOr<Array> {
              if (!target.has_value()) return x;
              return device_put(x, *target, options);
            });
      });
  fns.gather_fns = shapes.Transform([&](const Shape&, const std::string&) {
    return ArrayFunction(
        [options](const Array& x) { return Gather(x, options); });
  });
  return fns;
}

}  // namespace internal

absl::StatusOr<Tree<Array>> apply_shard_and_gather_fns(
    const Tree<ArrayFunction>& fns, const Tree<Array>& arrays) {
  return tree_map(
      [](const Array& array, const ArrayFunction& f) { return f(array); },
      arrays, fns);
}

}  // namespace lockstep
