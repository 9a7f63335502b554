#ifndef LOCKSTEP_CLIENT_JIT_JIT_PROGRAM_H_
#define LOCKSTEP_CLIENT_JIT_JIT_PROGRAM_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/arrays/array_layout.h"
#include "client/jit/jit_options.h"
#include "client/pmap/argument_tree.h"
#include "client/programs/program_signature.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree.h"
#include "runtime/callbacks/host_callbacks.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

class CustomPartitionCalls;  // custom_partition_calls.h

// What tracing a function gave: the leaves of its result, which of them stands
// where in it, and the result without them, of the type that the caller knows.
struct JitTraced {
  std::vector<Tensor> tensors;
  Tree<size_t> structure;
  std::shared_ptr<void> form;
};
using JitTrace = std::function<JitTraced(const std::vector<Tensor>& inputs)>;

// The arguments that are not static: their leaves, and which of them stands
// where. The tree is a list of the arguments.
struct JitArguments {
  std::vector<ArgumentLeafValue> leaves;
  Tree<size_t> structure;
};

// A function as a program over whole arrays.
struct JitProgram {
  std::shared_ptr<const Module> module;
  std::shared_ptr<const HostCallbacks> callbacks;  // null: none
  Mesh mesh;
  std::shared_ptr<const void> form;
  // Calls that ResolveCustomPartitions replaces; null: there are none.
  std::shared_ptr<const CustomPartitionCalls> custom_partitions;
};

// The mesh of the first of the shardings that has one, unless one is known.
// INVALID_ARGUMENT, with `what` before it: another one has another mesh.
absl::Status AddMesh(absl::string_view what, const JitShardings& shardings,
                     std::optional<Mesh>& mesh);

// What the options and the arguments say of the mesh; none: nothing does.
// INVALID_ARGUMENT: shardings over different meshes.
absl::StatusOr<std::optional<Mesh>> MeshOfCall(const JitOptions& options,
                                               const JitArguments& arguments);

// By leaf of `structure`, of which there are as many as `shapes`: what the
// shardings, a prefix of it, say over this mesh; none where they are null.
// Errors of MatchShardingRule, and those that the shardings are, with `what`
// before them.
absl::StatusOr<std::vector<std::optional<PartitionSpec>>> MatchSpecs(
    absl::string_view what, const JitShardings& shardings,
    const Tree<size_t>& structure, const std::vector<Shape>& shapes,
    const Mesh& mesh);

// The specs of the leaves: those of the options, else those that the arrays
// have on this mesh. Errors of MatchShardingRule, with "in_shardings: ".
absl::StatusOr<std::vector<std::optional<PartitionSpec>>> ArgumentSpecs(
    const JitOptions& options, const JitArguments& arguments, const Mesh& mesh);

// Traces the function and says how its arguments and results are sharded.
// Errors of tracing, with their place in the source; INVALID_ARGUMENT:
// shardings that are no prefix of the result, do not fit its arrays, or do not
// divide them.
absl::StatusOr<JitProgram> TraceJit(
    const JitOptions& options, const JitArguments& arguments, const Mesh& mesh,
    const std::vector<std::optional<PartitionSpec>>& specs,
    const JitTrace& trace);

// The function within a program over `mesh`, null: within a mapped function.
// What the options say of shardings constrains the tensors and the results;
// without any, this is the function. Errors of MatchSpecs.
absl::StatusOr<std::vector<Tensor>> InlineJit(
    const JitOptions& options, const Mesh* mesh,
    const std::vector<Tensor>& tensors, const Tree<size_t>& structure,
    const JitTrace& function);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_JIT_PROGRAM_H_
