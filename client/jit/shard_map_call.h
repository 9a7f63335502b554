#ifndef LOCKSTEP_CLIENT_JIT_SHARD_MAP_CALL_H_
#define LOCKSTEP_CLIENT_JIT_SHARD_MAP_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/jit/jit_program.h"
#include "client/jit/jit_sharding.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "client/tracer/trace.h"
#include "client/trees/tree.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {

struct ShardMapOptions {
  // What the caller promises by an out spec that does not name an axis, that
  // devices along it have equal values, must follow from the function.
  bool check_replication = true;
  // Axes of the mesh that stay with propagation. `auto` of the specification.
  std::vector<std::string> auto_axes = {};
  // For messages and the module; "": "shard_map".
  std::string name = {};
};

namespace internal {

// What messages call a map over shards, and its specs.
struct ShardMapNames {
  absl::string_view operation = "shard_map";
  absl::string_view in = "in_specs";
  absl::string_view out = "out_specs";
};

// What a shard_map is asked for; see shard_map.h.
struct ShardMapSpecs {
  std::optional<Mesh> mesh;  // none: that in scope, else that of the program
  JitShardings in;
  JitShardings out;
  ShardMapOptions options;
  ShardMapNames names = {};
};

// A shard_map called with tensors, in a program over whole arrays. Errors are
// the trace's, with the place of the shard_map. Used once.
class ShardMapCall {
 public:
  // `structure`, a list of the arguments, says which of the tensors stands
  // where.
  ShardMapCall(const ShardMapSpecs& specs, const SourceLocation& place,
               std::vector<Tensor> tensors, Tree<size_t> structure);

  // The results of `body`, as whole arrays; poisoned after an error.
  std::vector<Tensor> Run(const JitTrace& body);

 private:
  absl::Status ResolveMesh();
  absl::StatusOr<std::vector<TensorSharding>> InShardings();
  absl::StatusOr<std::vector<Shape>> LocalShapes(
      const std::vector<TensorSharding>& shardings);
  absl::StatusOr<std::vector<TraceValue*>> RunIn(
      Trace& trace, const std::vector<TraceValue*>& operands,
      const JitTrace& body);
  absl::StatusOr<TensorSharding> ShardingOf(absl::string_view what,
                                            const PartitionSpec& spec,
                                            int64_t rank) const;
  absl::Status AddCaptured(Region& body, std::vector<Value*>& captured,
                           std::vector<TensorSharding>& shardings) const;
  AxisEnvironment AxesOfBody() const;

  const ShardMapSpecs& specs_;
  const SourceLocation place_;
  const std::vector<Tensor> tensors_;
  const Tree<size_t> structure_;
  Trace* trace_ = nullptr;
  Mesh mesh_;
  std::string symbol_;
  std::vector<std::string> manual_axes_;
  // Also those of shard_maps around this one.
  std::vector<std::string> bound_axes_;
};

}  // namespace internal
}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_SHARD_MAP_CALL_H_
