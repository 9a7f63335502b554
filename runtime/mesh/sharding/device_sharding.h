#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_SHARDING_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_SHARDING_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

// How an array of a program lies on the devices that run it: devices[i] has
// logical id i. The axes are those of the mesh, where one of which the sharding
// names sub-axes is split so that each of them is an axis: "x":(1)2 of an axis
// of size 8 gives the axes "x:(1)2" and "x:(2)4". The empty mesh becomes the
// one axis "devices".
//
// The sharding is valid on the mesh; open dimensions are as they are.
// INVALID_ARGUMENT: other numbers of devices, an axis with the name of a part
// of another. UNIMPLEMENTED: partial results (unreduced axes), of which there
// is no array.
absl::StatusOr<NamedSharding> DeviceSharding(const TensorSharding& sharding,
                                             const ShardingMesh& mesh,
                                             absl::Span<const Device> devices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_SHARDING_H_
