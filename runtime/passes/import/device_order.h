#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_DEVICE_ORDER_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_DEVICE_ORDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/attribute.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// Arguments and results of a program whose shards lie on its devices in another
// order than that of the mesh on which it computes. Their sharding is on that
// mesh; an attribute, lockstep.device_ids, says their order, until
// lower_to_shards exchanges shards where the program begins and ends.

// Of no value: the attribute is taken away.
void SetDeviceOrder(std::vector<int64_t> device_ids, AttributeMap& attributes);

// `mesh` in the order of the argument or result with these attributes; none: in
// that of the program.
std::optional<ShardingMesh> MeshInDeviceOrder(const AttributeMap& attributes,
                                              const ShardingMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_DEVICE_ORDER_H_
