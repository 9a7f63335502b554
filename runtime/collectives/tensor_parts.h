#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_PARTS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_PARTS_H_

#include <cstdint>

#include "runtime/devices/device_queue.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A row-major tensor cut into `parts` along one dimension: an array
// [outer][parts][block bytes]. Packed, the parts lie one after the other: the
// array [parts][outer][block bytes]. Collectives move packed parts, but for
// the all_to_all of hosts, which moves parts as they lie.
struct TensorParts {
  int64_t outer = 1;
  int64_t parts = 1;
  int64_t block = 0;

  int64_t byte_size() const { return outer * parts * block; }
  // Whether the tensor is packed as it is.
  bool is_in_order() const {
    return outer == 1 || parts == 1 || byte_size() == 0;
  }
};

// Of a tensor that is cut along `dim`. `shape` is of the whole tensor.
TensorParts PartsOf(const Shape& shape, int64_t dim, int64_t parts);
// Of the tensor that `parts` of `shape` make when they are joined along `dim`.
TensorParts PartsOfJoined(const Shape& shape, int64_t dim, int64_t parts);

// Puts the copies on the queue that make `packed` of the tensor, or the tensor
// of `packed`.
void PackParts(DeviceQueue& queue, WorkScope& scope, const TensorParts& parts,
               DeviceAddress tensor, DeviceAddress packed);
void UnpackParts(DeviceQueue& queue, WorkScope& scope, const TensorParts& parts,
                 DeviceAddress packed, DeviceAddress tensor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_TENSOR_PARTS_H_
