#include "runtime/devices/cuda/cuda_memory_pool.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {
namespace {

// What the driver gives memory in.
constexpr int64_t kPageSize = int64_t{2} << 20;

int64_t RoundUp(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

}  // namespace

CudaMemoryPool::~CudaMemoryPool() {
  absl::MutexLock lock(&mutex_);
  FreeEmptySlabs();
}

int64_t CudaMemoryPool::BlockSize(int64_t size) const {
  // An empty block has an address too.
  return RoundUp(std::max<int64_t>(size, 1),
                 options_.has_slabs ? kAlignment : 1);
}

absl::StatusOr<cuda::CUdeviceptr> CudaMemoryPool::Allocate(int64_t size) {
  const int64_t block_size = BlockSize(size);
  absl::MutexLock lock(&mutex_);
  ASSIGN_OR_RETURN(const Pieces::iterator found, FindHole(block_size));
  if (found == pieces_.end()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        device_.name(), " could not give ", BytesText(size),
        " of memory; in use: ", BytesText(statistics_.in_use), " of ",
        BytesText(options_.limit), ", which is what this process may take of ",
        BytesText(device_.info().memory_bytes),
        "; held for reuse: ", BytesText(reserved_ - statistics_.in_use)));
  }
  const auto [address, piece] = *found;
  holes_.erase({piece.size, address});
  found->second.size = block_size;
  found->second.is_hole = false;
  if (piece.size > block_size) {
    const int64_t rest = piece.size - block_size;
    pieces_[address + block_size] = {rest, true, false};
    holes_.emplace(rest, address + block_size);
  }
  ++statistics_.allocations;
  statistics_.in_use += size;
  statistics_.peak = std::max(statistics_.peak, statistics_.in_use);
  return address;
}

absl::StatusOr<CudaMemoryPool::Pieces::iterator> CudaMemoryPool::FindHole(
    int64_t size) {
  const auto hole = holes_.lower_bound({size, 0});
  if (hole != holes_.end()) return pieces_.find(hole->second);
  if (!options_.has_slabs) return NewSlab(size);
  // First with room for more, then, after all that can be given back, without.
  const int64_t least = RoundUp(size, kPageSize);
  ASSIGN_OR_RETURN(Pieces::iterator slab, NewSlab(std::max(least, kSlabSize)));
  if (slab != pieces_.end()) return slab;
  FreeEmptySlabs();
  return NewSlab(least);
}

absl::StatusOr<CudaMemoryPool::Pieces::iterator> CudaMemoryPool::NewSlab(
    int64_t size) {
  if (size > options_.limit - reserved_) return pieces_.end();
  cuda::CUdeviceptr address = 0;
  const cuda::CUresult result =
      device_.driver().cuMemAlloc(&address, static_cast<size_t>(size));
  if (result == cuda::CUDA_ERROR_OUT_OF_MEMORY) return pieces_.end();
  RETURN_IF_ERROR(device_.Check(result, "cuMemAlloc"));
  reserved_ += size;
  holes_.emplace(size, address);
  return pieces_.emplace(address, Piece{size, true, true}).first;
}

void CudaMemoryPool::FreeEmptySlabs() {
  for (auto it = pieces_.begin(); it != pieces_.end();) {
    const auto next = std::next(it);
    const bool is_alone = it->second.begins_slab && it->second.is_hole &&
                          (next == pieces_.end() || next->second.begins_slab);
    if (is_alone) {
      device_.driver().cuMemFree(it->first);
      reserved_ -= it->second.size;
      holes_.erase({it->second.size, it->first});
      pieces_.erase(it);
    }
    it = next;
  }
}

void CudaMemoryPool::Free(cuda::CUdeviceptr address, int64_t size) {
  absl::MutexLock lock(&mutex_);
  const auto piece = pieces_.find(address);
  LOCKSTEP_CHECK(piece != pieces_.end() && !piece->second.is_hole);
  statistics_.in_use -= size;
  piece->second.is_hole = true;
  holes_.emplace(piece->second.size, address);
  JoinWithNext(piece);
  if (!piece->second.begins_slab) JoinWithNext(std::prev(piece));
  if (!options_.has_slabs) FreeEmptySlabs();
}

void CudaMemoryPool::JoinWithNext(Pieces::iterator piece) {
  const auto next = std::next(piece);
  if (next == pieces_.end() || next->second.begins_slab ||
      !piece->second.is_hole || !next->second.is_hole) {
    return;
  }
  holes_.erase({piece->second.size, piece->first});
  holes_.erase({next->second.size, next->first});
  piece->second.size += next->second.size;
  holes_.emplace(piece->second.size, piece->first);
  pieces_.erase(next);
}

LocalDevice::Statistics CudaMemoryPool::statistics() const {
  absl::MutexLock lock(&mutex_);
  return statistics_;
}

}  // namespace lockstep::internal
