#include "runtime/collectives/tensor_parts.h"

#include "runtime/base/check.h"

namespace lockstep::internal {

TensorParts PartsOfJoined(const Shape& shape, int64_t dim, int64_t parts) {
  TensorParts result;
  result.parts = parts;
  for (int64_t i = 0; i < dim; ++i) result.outer *= shape.dim(i);
  result.block = ByteSize(shape.element_type());
  for (int64_t i = dim; i < shape.rank(); ++i) result.block *= shape.dim(i);
  return result;
}

TensorParts PartsOf(const Shape& shape, int64_t dim, int64_t parts) {
  LOCKSTEP_CHECK(shape.dim(dim) % parts == 0);
  TensorParts result = PartsOfJoined(shape, dim, parts);
  result.block /= parts;
  return result;
}

void PackParts(DeviceQueue& queue, WorkScope& scope, const TensorParts& parts,
               DeviceAddress tensor, DeviceAddress packed) {
  const int64_t size = parts.outer * parts.block;
  const int64_t row = parts.parts * parts.block;
  for (int64_t k = 0; k < parts.parts; ++k) {
    queue.CopyRows(
        scope, parts.outer, parts.block, packed.Slice(k * size, size),
        parts.block,
        tensor.Slice(k * parts.block, tensor.size() - k * parts.block), row);
  }
}

void UnpackParts(DeviceQueue& queue, WorkScope& scope, const TensorParts& parts,
                 DeviceAddress packed, DeviceAddress tensor) {
  const int64_t size = parts.outer * parts.block;
  const int64_t row = parts.parts * parts.block;
  for (int64_t k = 0; k < parts.parts; ++k) {
    queue.CopyRows(
        scope, parts.outer, parts.block,
        tensor.Slice(k * parts.block, tensor.size() - k * parts.block), row,
        packed.Slice(k * size, size), parts.block);
  }
}

}  // namespace lockstep::internal
