#include "runtime/backends/cpu/thunks/update_slice_thunk.h"

#include <cstring>

#include "runtime/ops/geometry/start_indices.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {

UpdateSliceThunk::UpdateSliceThunk(const KernelRequest& request)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operands_(request.operands),
      result_(request.results[0]) {}

std::vector<BufferUse> UpdateSliceThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  uses.push_back(BufferUse::Write(result_.slice));
  return uses;
}

absl::Status UpdateSliceThunk::ExecuteOnHost(HostContext& context) const {
  const Shape& operand = operands_[0].shape;
  const Shape& update = operands_[1].shape;
  std::vector<LiteralView> starts;
  for (size_t i = 2; i < operands_.size(); ++i) {
    starts.push_back(context.buffers.View(operands_[i]));
  }
  const Dims first = ClampedStarts(starts, operand.dims(), update.dims());
  const Dims strides = operand.Strides();
  int64_t offset = 0;
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    offset += first[dim] * strides[dim];
  }
  std::byte* result = context.buffers.Address(result_.slice);
  const std::byte* old = context.buffers.Address(operands_[0].slice);
  if (result != old && result_.slice.size > 0) {
    std::memcpy(result, old, static_cast<size_t>(result_.slice.size));
  }
  const int64_t size = ByteSize(operand.element_type());
  StridedCopy(size, update.dims(),
              {context.buffers.Address(operands_[1].slice), update.Strides()},
              {result + offset * size, strides});
  return absl::OkStatus();
}

}  // namespace lockstep::internal
