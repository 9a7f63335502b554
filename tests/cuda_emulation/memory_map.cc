#include "tests/cuda_emulation/memory_map.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lockstep::internal::cuda {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 256;

// A number in no format, and an index out of every range. What is beyond is 0:
// large blocks are pools that hardly anybody uses up.
constexpr int kGarbage = 0xff;
constexpr size_t kMaxGarbage = size_t{32} << 20;

size_t RoundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

CUdeviceptr Reserve(size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    std::perror("cuda_emulation: reserving addresses");
    std::abort();
  }
  return reinterpret_cast<CUdeviceptr>(range);
}

void* Pointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}

}  // namespace

MemoryMap& MemoryMap::Get() {
  static auto* const memory = new MemoryMap;
  return *memory;
}

MemoryMap::MemoryMap() : first_(Reserve(kReserved)), next_(first_) {
  offset_ = static_cast<ptrdiff_t>(Reserve(kReserved) - first_);
}

CUresult MemoryMap::Allocate(int device, size_t bytes, int64_t limit,
                             CUdeviceptr* address) {
  if (bytes == 0 || address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(mutex_);
  int64_t& in_use = in_use_[device];
  if (bytes > static_cast<size_t>(limit)) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t used = RoundUp(bytes, kAlignment);
  if (in_use + static_cast<int64_t>(used) > limit) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  size_t mapped = RoundUp(bytes, kPage);
  if (!FindGap(mapped + kPage)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (mprotect(Pointer(next_ + offset_), mapped, PROT_READ | PROT_WRITE) != 0) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *address = next_ + mapped - used;
  std::memset(Pointer(next_ + offset_), kGarbage,
              std::min(mapped, kMaxGarbage));
  next_ += mapped + kPage;
  in_use += static_cast<int64_t>(used);
  blocks_[*address] = {bytes, device};
  return CUDA_SUCCESS;
}

bool MemoryMap::FindGap(size_t bytes) {
  for (int passes = 0; passes < 2; ++passes) {
    while (next_ + bytes <= first_ + kReserved) {
      auto block = blocks_.lower_bound(next_ + bytes);
      if (block == blocks_.begin()) return true;
      --block;
      CUdeviceptr end =
          RoundUp(block->first + block->second.bytes, kPage) + kPage;
      if (end <= next_) return true;
      next_ = end;
    }
    next_ = first_;
  }
  return false;
}

void MemoryMap::Unmap(CUdeviceptr address, const Block& block) {
  in_use_[block.device] -=
      static_cast<int64_t>(RoundUp(block.bytes, kAlignment));
  CUdeviceptr begin = address / kPage * kPage;
  mmap(Pointer(begin + offset_), RoundUp(block.bytes, kPage), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

CUresult MemoryMap::Free(CUdeviceptr address) {
  std::lock_guard lock(mutex_);
  auto block = blocks_.find(address);
  if (block == blocks_.end()) return CUDA_ERROR_INVALID_VALUE;
  Unmap(block->first, block->second);
  blocks_.erase(block);
  return CUDA_SUCCESS;
}

void MemoryMap::FreeAll(int device) {
  std::lock_guard lock(mutex_);
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    if (block->second.device == device) {
      Unmap(block->first, block->second);
      block = blocks_.erase(block);
    } else {
      ++block;
    }
  }
}

int64_t MemoryMap::BytesInUse(int device) const {
  std::lock_guard lock(mutex_);
  auto in_use = in_use_.find(device);
  return in_use == in_use_.end() ? 0 : in_use->second;
}

CUresult MemoryMap::AllocatePinned(size_t bytes, void** address) {
  if (bytes == 0 || address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* pages = mmap(nullptr, RoundUp(bytes, kPage), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = pages;
  std::lock_guard lock(mutex_);
  pinned_[reinterpret_cast<uintptr_t>(pages)] = bytes;
  return CUDA_SUCCESS;
}

CUresult MemoryMap::FreePinned(void* address) {
  std::lock_guard lock(mutex_);
  auto block = pinned_.find(reinterpret_cast<uintptr_t>(address));
  if (block == pinned_.end()) return CUDA_ERROR_INVALID_VALUE;
  munmap(address, RoundUp(block->second, kPage));
  pinned_.erase(block);
  return CUDA_SUCCESS;
}

bool MemoryMap::IsPinned(const void* address) const {
  auto number = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(mutex_);
  auto block = pinned_.upper_bound(number);
  if (block == pinned_.begin()) return false;
  --block;
  return number - block->first < block->second;
}

void* MemoryMap::Content(CUdeviceptr address, size_t bytes) const {
  if (!IsDevice(address)) {
    void* pointer = Pointer(address);
    return IsPinned(pointer) ? pointer : nullptr;
  }
  std::lock_guard lock(mutex_);
  auto block = blocks_.upper_bound(address);
  if (block == blocks_.begin()) return nullptr;
  --block;
  size_t begin = address - block->first;
  if (begin > block->second.bytes || bytes > block->second.bytes - begin) {
    return nullptr;
  }
  return Pointer(address + offset_);
}

void* MemoryMap::KernelPointer(void* pointer) const {
  if (pointer == nullptr) return nullptr;
  auto address = reinterpret_cast<CUdeviceptr>(pointer);
  if (IsDevice(address)) return Pointer(address + offset_);
  // The first addresses of the reservation stay unmapped as addresses.
  return IsPinned(pointer) ? pointer : Pointer(first_);
}

}  // namespace lockstep::internal::cuda
