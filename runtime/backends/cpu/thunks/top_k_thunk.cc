#include "runtime/backends/cpu/thunks/top_k_thunk.h"

#include <algorithm>
#include <limits>

#include "runtime/backends/cpu/sorting/lane_gather.h"
#include "runtime/backends/cpu/sorting/sort_keys.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Elements below which another thread would come too late.
constexpr int64_t kElementsPerPiece = 1 << 14;
constexpr int64_t kMaxPieces = 16;

}  // namespace

std::unique_ptr<TopKThunk> TopKThunk::Create(const KernelRequest& request) {
  const Shape& shape = request.operands[0].shape;
  if (!CanBeSortKey(shape.element_type()) || shape.rank() == 0 ||
      shape.dim(shape.rank() - 1) > std::numeric_limits<int32_t>::max()) {
    return nullptr;
  }
  return std::unique_ptr<TopKThunk>(new TopKThunk(request));
}

TopKThunk::TopKThunk(const KernelRequest& request)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0]),
      values_(request.results[0]),
      positions_(request.results[1]),
      key_{.operand = 0,
           .type = operand_.shape.element_type(),
           .is_descending = true} {}

std::vector<BufferUse> TopKThunk::buffer_uses() const {
  return {BufferUse::Read(operand_.slice), BufferUse::Write(values_.slice),
          BufferUse::Write(positions_.slice)};
}

absl::Status TopKThunk::ExecuteOnHost(HostContext& context) const {
  if (values_.shape.element_count() == 0) return absl::OkStatus();
  const int64_t size = operand_.shape.dim(operand_.shape.rank() - 1);
  const int64_t count = values_.shape.dim(values_.shape.rank() - 1);
  const int64_t rows = operand_.shape.element_count() / size;
  int64_t pieces = std::clamp<int64_t>(rows * size / kElementsPerPiece, 1,
                                       std::min(kMaxPieces, rows));
  if (context.intra_op_threads == 1) pieces = 1;
  const int64_t part =
      (SortScratchBytes({key_}, size) / ScratchMemory::kAlignment + 1) *
      ScratchMemory::kAlignment;
  ASSIGN_OR_RETURN(const ScratchMemory scratch,
                   ScratchMemory::Allocate(pieces * part));
  const int64_t bytes = ByteSize(operand_.shape.element_type());
  const std::byte* from = context.buffers.Address(operand_.slice);
  std::byte* values = context.buffers.Address(values_.slice);
  auto* positions =
      reinterpret_cast<uint32_t*>(context.buffers.Address(positions_.slice));
  ParallelFor(context.intra_op_threads, pieces, [&](int64_t piece) {
    for (int64_t row = rows * piece / pieces; row < rows * (piece + 1) / pieces;
         ++row) {
      const std::byte* first = from + row * size * bytes;
      uint32_t* order = positions + row * count;
      SelectByKey(key_, {first, 1}, size, count, scratch.data() + piece * part,
                  order);
      GatherLane(bytes, first, 1, absl::MakeConstSpan(order, count),
                 values + row * count * bytes, 1);
    }
  });
  return absl::OkStatus();
}

}  // namespace lockstep::internal
