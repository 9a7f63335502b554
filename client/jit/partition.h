#ifndef LOCKSTEP_CLIENT_JIT_PARTITION_H_
#define LOCKSTEP_CLIENT_JIT_PARTITION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/view.h"
#include "client/global_arrays/host_arrays.h"
#include "client/jit/jit.h"
#include "client/tracer/elementwise.h"
#include "client/tracer/source_location.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"
#include "runtime/mesh/partitioning/partitioner.h"

namespace lockstep {

struct PartitionOptions {
  // As of JitOptions.
  std::vector<int> static_argnums = {};
  std::vector<int> donate_argnums = {};
  std::string name = {};
  std::shared_ptr<internal::View> view = {};
};

namespace internal {

// A function under the logical axis rules of a partitioner.
template <typename F>
class UnderAxisRules {
 public:
  UnderAxisRules(F function, LogicalAxisRules rules)
      : function_(std::move(function)), rules_(std::move(rules)) {}
  template <typename... Args>
    requires std::is_invocable_v<const F&, const Args&...>
  auto operator()(const Args&... args) const {
    const LogicalAxisRulesContext rules(rules_);
    return function_(args...);
  }

 private:
  F function_;
  LogicalAxisRules rules_;
};

}  // namespace internal

// T-24: a function over the mesh of a partitioner, which is in scope while it
// is traced, with the partitioner's rules for logical axes. The resources are
// prefixes of the trees of arguments and results; null: replicated. Called,
// lowered and compiled as of jit.
template <typename F>
auto partition(const Partitioner& partitioner, F&& function,
               const JitShardings& in_axis_resources,
               const JitShardings& out_axis_resources,
               PartitionOptions options = {},
               SourceLocation place = SourceLocation::current()) {
  JitOptions program;
  program.mesh = partitioner.mesh();
  program.in_shardings = in_axis_resources.WithNullAs(PartitionSpec());
  program.out_shardings = out_axis_resources.WithNullAs(PartitionSpec());
  program.static_argnums = std::move(options.static_argnums);
  program.donate_argnums = std::move(options.donate_argnums);
  program.name = options.name.empty() ? "partition" : std::move(options.name);
  program.view = std::move(options.view);
  return jit(internal::UnderAxisRules<std::decay_t<F>>(
                 std::forward<F>(function), partitioner.logical_axis_rules()),
             std::move(program), place);
}

// T-26: the arrays of a state laid out over the mesh of a partitioner, by specs
// that are a prefix of it, null: replicated; what the state has on devices may
// be reused. With several hosts each passes the whole state, the same as the
// others. Errors of host_local_array_to_global_array and of jit.
template <typename State>
absl::StatusOr<State> move_params_to_devices(
    const Partitioner& partitioner, const State& state,
    const JitShardings& state_axes, std::shared_ptr<internal::View> view = {},
    SourceLocation place = SourceLocation::current()) {
  const JitShardings axes = JitShardings{state_axes, nullptr};
  // The second result keeps the program from being an identity.
  const auto identity = partition(
      partitioner,
      [](const auto& x, Tensor ix) { return std::tuple(x, ix + uint32_t{1}); },
      axes, axes,
      {.donate_argnums = {0}, .name = "move_params_to_devices", .view = view},
      place);
  const auto move = [&](const State& whole) -> absl::StatusOr<State> {
    auto moved = identity(whole, uint32_t{1});
    if (!moved.ok()) return moved.status();
    return std::get<0>(*std::move(moved));
  };
  if (view != nullptr || partitioner.mesh().hosts().size() <= 1) {
    return move(state);
  }
  const auto global = host_local_array_to_global_array(
      state, partitioner.mesh(), PartitionSpec());
  if (!global.ok()) return global.status();
  return move(*global);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_PARTITION_H_
