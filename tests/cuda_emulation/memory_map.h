#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_MEMORY_MAP_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_MEMORY_MAP_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "runtime/cuda/driver_api.h"

namespace lockstep::internal::cuda {

// Device memory of all devices, and pinned memory of the host.
//
// Device addresses lie in pages that nobody may touch; their content is mapped
// elsewhere, at a constant distance, where only the emulation looks. A block
// ends at most 255 bytes before a page that is not mapped, and its addresses
// are not used again. Any thread.
class MemoryMap {
 public:
  static MemoryMap& Get();

  // A block of garbage, or CUDA_ERROR_OUT_OF_MEMORY beyond `limit` of a device.
  CUresult Allocate(int device, size_t bytes, int64_t limit,
                    CUdeviceptr* address);
  // CUDA_ERROR_INVALID_VALUE unless `address` begins a block.
  CUresult Free(CUdeviceptr address);
  void FreeAll(int device);
  int64_t BytesInUse(int device) const;

  CUresult AllocatePinned(size_t bytes, void** address);
  CUresult FreePinned(void* address);
  bool IsPinned(const void* address) const;

  // Where the bytes are, or null unless all are in one block of device or
  // pinned memory.
  void* Content(CUdeviceptr address, size_t bytes) const;

  // A kernel's pointer, which may lie anywhere, to where it reads and writes.
  // One that no kernel may use becomes one that faults.
  void* KernelPointer(void* pointer) const;

 private:
  struct Block {
    size_t bytes;
    int device;
  };

  MemoryMap();
  bool IsDevice(CUdeviceptr address) const {
    return address - first_ < kReserved;
  }
  // Moves next_ to where so many bytes of addresses are free.
  bool FindGap(size_t bytes);
  void Unmap(CUdeviceptr address, const Block& block);

  static constexpr size_t kReserved = size_t{1} << 38;

  CUdeviceptr first_ = 0;
  ptrdiff_t offset_ = 0;  // From an address to its content.
  mutable std::mutex mutex_;
  CUdeviceptr next_ = 0;
  std::map<CUdeviceptr, Block> blocks_;
  std::map<uintptr_t, size_t> pinned_;
  std::map<int, int64_t> in_use_;  // Bytes, by device.
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_MEMORY_MAP_H_
