#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// The mesh of a module whose shardings were imported.
struct ModuleMesh {
  std::string name;
  ShardingMesh mesh;
};

// The only mesh with axes that shardings of the module name; the first one
// that is declared, if they name none. UNIMPLEMENTED: they name several.
absl::StatusOr<ModuleMesh> MeshOfModule(const Module& module);

// The sharding of a value behind PropagateShardings: closed, without replicated
// axes; without axes where nothing says more. An argument of a region has that
// of what it stands for: of the result of a while, of the operand of a manual
// computation without manual axes.
TensorSharding ShardingOfValue(const Value* value, const std::string& mesh);

// Whether both split all dims in the same way and have the same partial
// results.
bool IsSameSplit(const TensorSharding& a, const TensorSharding& b);

// 0 for what is no tensor.
int64_t RankOf(const Type& type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
