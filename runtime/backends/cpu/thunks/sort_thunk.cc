#include "runtime/backends/cpu/thunks/sort_thunk.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "runtime/backends/cpu/sorting/lane_gather.h"
#include "runtime/backends/cpu/sorting/sort_keys.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"
#include "runtime/kernels/merge_step.h"
#include "runtime/kernels/scalar_support.h"

namespace lockstep::internal {
namespace {

// Elements below which another thread would come too late.
constexpr int64_t kElementsPerPiece = 1 << 14;
constexpr int64_t kMaxPieces = 16;
// Runs of this size are moved to the results, so that the merges that follow
// read their elements one after the other.
constexpr int64_t kMovedRun = 2048;

}  // namespace

std::unique_ptr<SortThunk> SortThunk::Create(const KernelRequest& request,
                                             KernelCompiler& compiler) {
  const Op& op = *request.op;
  const Region& comparator = op.region();
  const int64_t rank = op.operand(0)->shape().rank();
  if (!request.captures.empty() || rank == 0 ||
      !CanEmitScalarRegion(comparator)) {
    return nullptr;
  }
  int64_t dim = op.IntegerAttributeOr("dimension", -1).value_or(-1);
  if (dim < 0) dim += rank;
  if (op.operand(0)->shape().dim(dim) > std::numeric_limits<uint32_t>::max()) {
    return nullptr;
  }
  std::vector<SortKey> keys =
      MatchSortOrder(comparator).value_or(std::vector<SortKey>());
  const bool is_total =
      !keys.empty() &&
      std::none_of(keys.begin(), keys.end(),
                   [](const SortKey& key) { return key.excludes_nans; });
  std::shared_ptr<const Kernel> merge;
  if (!is_total) {
    merge = compiler.Add(MergeStep(op));
    if (merge == nullptr) return nullptr;
  }
  return std::unique_ptr<SortThunk>(
      new SortThunk(request, dim, std::move(keys), std::move(merge)));
}

SortThunk::SortThunk(const KernelRequest& request, int64_t dim,
                     std::vector<SortKey> keys,
                     std::shared_ptr<const Kernel> merge)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operands_(request.operands),
      results_(request.results),
      keys_(std::move(keys)),
      merge_(std::move(merge)) {
  const Shape& shape = operands_[0].shape;
  if (shape.element_count() == 0) return;
  size_ = shape.dim(dim);
  stride_ = shape.Strides()[dim];
  lanes_ = shape.element_count() / size_;
}

std::vector<BufferUse> SortThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const TensorSlice& result : results_) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  return uses;
}

int64_t SortThunk::ScratchBytes() const {
  // The order, and what it is made in.
  const int64_t order = size_ * static_cast<int64_t>(sizeof(uint32_t));
  return SortScratchBytes(keys_, size_) + order;
}

absl::Status SortThunk::ExecuteOnHost(HostContext& context) const {
  if (lanes_ == 0) return absl::OkStatus();
  int64_t pieces = std::clamp<int64_t>(lanes_ * size_ / kElementsPerPiece, 1,
                                       std::min(kMaxPieces, lanes_));
  if (context.intra_op_threads == 1) pieces = 1;
  // Each piece has its own part, at a multiple of the alignment.
  const int64_t part = (ScratchBytes() / ScratchMemory::kAlignment + 1) *
                       ScratchMemory::kAlignment;
  ASSIGN_OR_RETURN(const ScratchMemory scratch,
                   ScratchMemory::Allocate(pieces * part));
  ParallelFor(context.intra_op_threads, pieces, [&](int64_t piece) {
    SortLanes(context, lanes_ * piece / pieces, lanes_ * (piece + 1) / pieces,
              scratch.data() + piece * part);
  });
  return absl::OkStatus();
}

void SortThunk::SortLanes(HostContext& context, int64_t first, int64_t last,
                          std::byte* scratch) const {
  uint32_t* order =
      reinterpret_cast<uint32_t*>(scratch + SortScratchBytes(keys_, size_));
  std::vector<SortLane> lanes(operands_.size());
  for (int64_t lane = first; lane < last; ++lane) {
    const int64_t at =
        lane / stride_ * stride_ * size_ + lane % stride_;  // first element
    for (size_t i = 0; i < operands_.size(); ++i) {
      const int64_t bytes = ByteSize(operands_[i].shape.element_type());
      lanes[i] = {context.buffers.Address(operands_[i].slice) + at * bytes,
                  stride_};
    }
    const auto result = [&](size_t i) {
      return context.buffers.Address(results_[i].slice) +
             at * ByteSize(results_[i].shape.element_type());
    };
    if (operands_.size() == 1 && keys_.size() == 1 &&
        SortElements(keys_[0], lanes[0], size_, scratch, result(0), stride_)) {
      continue;
    }
    if (keys_.empty() || !SortByKeys(keys_, lanes, size_, scratch, order)) {
      Merge(context, at, scratch, order);
    }
    for (size_t i = 0; i < operands_.size(); ++i) {
      GatherLane(ByteSize(operands_[i].shape.element_type()), lanes[i].data,
                 stride_, absl::MakeConstSpan(order, size_), result(i),
                 stride_);
    }
  }
}

void SortThunk::MergePairs(int64_t width, uint32_t* from, uint32_t* to,
                           std::vector<char*>& buffers,
                           int64_t* numbers) const {
  buffers[operands_.size()] = reinterpret_cast<char*>(from);
  buffers[operands_.size() + 1] = reinterpret_cast<char*>(to);
  const int64_t distance = 2 * width;
  int64_t begin = 0;
  for (numbers[3] = distance; begin + kMergesAtOnce * distance <= size_;
       begin += kMergesAtOnce * distance) {
    numbers[0] = begin + width;
    merge_->Run(buffers.data(), begin, begin + distance);
  }
  for (numbers[3] = 0; begin < size_; begin += distance) {
    const int64_t middle = std::min(begin + width, size_);
    const int64_t end = std::min(middle + width, size_);
    if (middle == end) {
      std::copy(from + begin, from + end, to + begin);
      continue;
    }
    numbers[0] = middle;
    merge_->Run(buffers.data(), begin, end);
  }
}

void SortThunk::Merge(HostContext& context, int64_t first_element,
                      std::byte* scratch, uint32_t* order) const {
  uint32_t* from = order;
  uint32_t* to = reinterpret_cast<uint32_t*>(scratch);
  uint32_t* const places = to + size_;
  std::iota(from, from + size_, 0u);
  int64_t numbers[] = {0, first_element, stride_, 0};
  std::vector<char*> buffers;
  for (const TensorSlice& operand : operands_) {
    buffers.push_back(
        reinterpret_cast<char*>(context.buffers.Address(operand.slice)));
  }
  buffers.resize(operands_.size() + 2);
  buffers.push_back(reinterpret_cast<char*>(numbers));
  for (int64_t width = 1; width < size_; width *= 2) {
    if (width == kMovedRun) {
      std::copy(from, from + size_, places);
      std::iota(from, from + size_, 0u);
      for (size_t i = 0; i < operands_.size(); ++i) {
        std::byte* moved = context.buffers.Address(results_[i].slice);
        const int64_t bytes = ByteSize(results_[i].shape.element_type());
        const int64_t lane = first_element * bytes;
        GatherLane(bytes, reinterpret_cast<std::byte*>(buffers[i]) + lane,
                   stride_, absl::MakeConstSpan(places, size_), moved + lane,
                   stride_);
        buffers[i] = reinterpret_cast<char*>(moved);
      }
    }
    MergePairs(width, from, to, buffers, numbers);
    std::swap(from, to);
  }
  if (size_ > kMovedRun) {
    for (int64_t i = 0; i < size_; ++i) to[i] = places[from[i]];
    std::swap(from, to);
  }
  if (from != order) std::copy(from, from + size_, order);
}

}  // namespace lockstep::internal
