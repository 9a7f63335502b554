#include "runtime/backends/cpu/thunks/concatenate_thunk.h"

#include <algorithm>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/check.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// Elements of a piece: enough work for a thread to be worth waking.
constexpr int64_t kPieceElements = 64 << 10;

// Elements [begin, end) of two operands by turns.
template <typename T>
void InterleaveElements(const T* __restrict a, const T* __restrict b,
                        T* __restrict to, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    to[2 * i] = a[i];
    to[2 * i + 1] = b[i];
  }
}

void Interleave(int64_t element_size, const std::byte* a, const std::byte* b,
                std::byte* to, int64_t begin, int64_t end) {
  const auto run = [&]<typename T>(T) {
    InterleaveElements(reinterpret_cast<const T*>(a),
                       reinterpret_cast<const T*>(b), reinterpret_cast<T*>(to),
                       begin, end);
  };
  switch (element_size) {
    case 1:
      return run(uint8_t());
    case 2:
      return run(uint16_t());
    case 4:
      return run(uint32_t());
    default:
      return run(uint64_t());
  }
}

}  // namespace

ConcatenateThunk::ConcatenateThunk(const KernelRequest& request)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operands_(request.operands),
      result_(request.results[0]) {
  const auto dim = request.op->IntegerAttribute("dimension");
  LOCKSTEP_CHECK(dim.ok());
  const Shape& shape = result_.shape;
  int64_t rows = 1;
  int64_t inner = 1;
  for (int64_t i = 0; i < *dim; ++i) rows *= shape.dim(i);
  for (int64_t i = *dim + 1; i < shape.rank(); ++i) inner *= shape.dim(i);
  row_length_ = shape.dim(*dim) * inner;
  interleaves_ = operands_.size() == 2 && row_length_ == 2 &&
                 operands_[0].shape.element_count() == rows &&
                 ByteSize(shape.element_type()) <= 8;
  int64_t place = 0;
  for (size_t i = 0; i < operands_.size(); ++i) {
    const int64_t length = operands_[i].shape.dim(*dim) * inner;
    if (length > 0) {
      const int64_t step = std::max<int64_t>(1, kPieceElements / length);
      for (int64_t row = 0; row < rows; row += step) {
        pieces_.push_back({i, std::min(step, rows - row), length, row * length,
                           row * row_length_ + place});
      }
    }
    place += length;
  }
}

std::vector<BufferUse> ConcatenateThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  uses.push_back(BufferUse::Write(result_.slice));
  return uses;
}

absl::Status ConcatenateThunk::ExecuteOnHost(HostContext& context) const {
  const int64_t size = ByteSize(result_.shape.element_type());
  std::byte* result = context.buffers.Address(result_.slice);
  if (interleaves_) {
    const int64_t rows = operands_[0].shape.element_count();
    const std::byte* a = context.buffers.Address(operands_[0].slice);
    const std::byte* b = context.buffers.Address(operands_[1].slice);
    ParallelFor(context.intra_op_threads,
                (rows + kPieceElements - 1) / kPieceElements, [&](int64_t i) {
                  Interleave(size, a, b, result, i * kPieceElements,
                             std::min(rows, (i + 1) * kPieceElements));
                });
    return absl::OkStatus();
  }
  const auto copy = [&](int64_t i) {
    const Piece& piece = pieces_[i];
    const std::byte* operand =
        context.buffers.Address(operands_[piece.operand].slice);
    StridedCopy(size, {piece.rows, piece.length},
                {operand + piece.from * size, {piece.length, 1}},
                {result + piece.to * size, {row_length_, 1}});
  };
  const auto count = static_cast<int64_t>(pieces_.size());
  if (result_.shape.element_count() <= kPieceElements) {
    for (int64_t i = 0; i < count; ++i) copy(i);
  } else {
    ParallelFor(context.intra_op_threads, count, copy);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
