#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_MODULE_MESH_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_MODULE_MESH_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// The mesh of a module whose shardings were imported.
struct ModuleMesh {
  std::string name;
  ShardingMesh mesh;
};

// The only mesh with axes that shardings of the module name; the first one
// that is declared, if they name none. UNIMPLEMENTED: they name several.
absl::StatusOr<ModuleMesh> MeshOfModule(const Module& module);

// 0 for what is no tensor.
int64_t RankOf(const Type& type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_MODULE_MESH_H_
