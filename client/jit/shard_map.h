#ifndef LOCKSTEP_CLIENT_JIT_SHARD_MAP_H_
#define LOCKSTEP_CLIENT_JIT_SHARD_MAP_H_

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "client/jit/jit.h"
#include "client/jit/shard_map_call.h"
#include "client/jit/tensor_call.h"
#include "client/tracer/source_location.h"

namespace lockstep {
namespace internal {

// The part of shard_map that takes and gives tensors, in a program.
template <typename F>
class ShardMapTrace {
 public:
  ShardMapTrace(F function, ShardMapSpecs specs, SourceLocation place)
      : function_(std::move(function)),
        specs_(std::make_shared<const ShardMapSpecs>(std::move(specs))),
        place_(place) {}

  template <typename... Args>
    requires std::is_invocable_v<const F&, const Args&...>
  auto operator()(const Args&... args) const {
    return CallOnTensors</*with_numbers=*/true>(
        function_,
        [this](std::vector<Tensor> tensors, Tree<size_t> structure,
               const JitTrace& body) {
          return ShardMapCall(*specs_, place_, std::move(tensors),
                              std::move(structure))
              .Run(body);
        },
        args...);
  }

 private:
  F function_;
  std::shared_ptr<const ShardMapSpecs> specs_;
  SourceLocation place_;
};

}  // namespace internal

// Maps a function over shards (JAX's shard_map, spec Y-8): one copy on each
// device of the mesh, which sees its shard of each argument and may call the
// collectives of collectives.h on the axes of the mesh. An argument's shard is
// what `in_specs` says; what devices return are the shards that `out_specs`
// says of the result. The axes that an out spec does not name have equal
// results.
//
//   auto sum = shard_map([](Tensor x) { return psum(x, "data"); }, mesh,
//                        PartitionSpec("data"), PartitionSpec());
//
// Within a traced function (jit) it takes and gives tensors, and shard_maps
// nest, over axes that are not mapped yet. Called with arrays it is a program
// by itself, as jit makes one. Without a mesh it is that in scope, or that of
// the program. Along options.auto_axes the shards are whole arrays still, which
// propagation splits.
//
// INVALID_ARGUMENT, with the place in the source: auto_axes that the mesh
// lacks; no spec for an argument or a result; a spec that names an axis which
// is not mapped here; dimensions that the axes do not divide; a result that may
// differ along an axis that its spec does not name.
template <typename F>
auto shard_map(F&& function, std::optional<Mesh> mesh, JitShardings in_specs,
               JitShardings out_specs, ShardMapOptions options = {},
               std::shared_ptr<internal::View> view = {},
               SourceLocation place = SourceLocation::current()) {
  JitOptions program;
  program.mesh = mesh;
  program.name = options.name.empty() ? "shard_map" : options.name;
  program.view = std::move(view);
  internal::ShardMapSpecs specs{std::move(mesh), std::move(in_specs),
                                std::move(out_specs), std::move(options)};
  return jit(internal::ShardMapTrace<std::decay_t<F>>(std::forward<F>(function),
                                                      std::move(specs), place),
             std::move(program), place);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_SHARD_MAP_H_
