#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITION_MODULE_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITION_MODULE_H_

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// How the partitions of a program have a whole array: what its dims are split
// along, which they divide. Its mesh is that of the program by name, or a mesh
// with the same axes on which its devices are in another order.
struct TensorLayout {
  Shape shape;
  TensorSharding sharding;
};

// What a program over whole arrays looks like from outside. A value type.
struct ProgramLayout {
  // Its devices are partitions.
  ShardingMesh mesh;
  std::vector<TensorLayout> arguments;
  std::vector<TensorLayout> results;
};

// A unit attribute of a module whose shardings are propagated conservatively
// (PropagationOptions::is_conservative).
inline constexpr absl::string_view kConservativePropagation =
    "lockstep.conservative_propagation";

// INVALID_ARGUMENT if the module, or a mesh in it, has more devices than any
// program has: 2^20.
absl::Status CheckDeviceCount(const Module& module);

// Whether the module says how its values are split: there is a sharding, an op
// of sdy or a custom call of GSPMD.
bool HasShardings(const Module& module);

// Makes a program over whole arrays one that every partition runs on its
// shards, with collectives in between; nothing is left of shardings. Nullopt,
// and the module unchanged, where HasShardings does not hold. `module` is
// verified; `after_pass` is that of PassManager::Options, and the observer of
// PropagateShardings (passes.h). UNIMPLEMENTED and INVALID_ARGUMENT name the
// place; the module may then only be destroyed.
absl::StatusOr<std::optional<ProgramLayout>> PartitionModule(
    Module& module,
    std::function<void(absl::string_view pass, const Module&)> after_pass =
        nullptr);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITION_MODULE_H_
