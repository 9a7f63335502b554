#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_SDY_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_SDY_ATTRIBUTES_H_

#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/attribute_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// An attribute of Shardy; its code is the next of `reader`: shardings, lists of
// axes, and as text what the IR has no form for.
absl::StatusOr<BytecodeAttribute> DecodeSdyAttribute(AttributeTable& table,
                                                     ByteReader& reader);

// The attribute at a place in the table, as a mesh. INVALID_ARGUMENT for
// another one and for a mesh that is none.
absl::StatusOr<ShardingMesh> SdyMeshAt(AttributeTable& table, size_t index);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_SDY_ATTRIBUTES_H_
