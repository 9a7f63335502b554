#ifndef LOCKSTEP_CLIENT_JIT_SJIT_H_
#define LOCKSTEP_CLIENT_JIT_SJIT_H_

#include <type_traits>
#include <utility>

#include "client/jit/jit.h"
#include "client/tracer/source_location.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {

// S-6: jit over a mesh, with shardings that rules give (sharding_rule.h): they
// see the arguments that are not static, and the result, as trees.
// options.args_sharding_constraint and options.annotation_shardings hold while
// the function is traced, which sees the mesh in scope.
//
//   auto step = sjit(train_step, mesh,
//                    {.in_shardings = {FsdpShardingRule(),
//                    PartitionSpec("dp")},
//                     .annotation_shardings = {{"activation", spec}}});
template <typename F>
auto sjit(F&& function, Mesh mesh, JitOptions options = {},
          SourceLocation place = SourceLocation::current()) {
  options.mesh = std::move(mesh);
  return jit(std::forward<F>(function), std::move(options), place);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_SJIT_H_
