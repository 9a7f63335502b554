#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_MEMORY_POOL_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_MEMORY_POOL_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

class CudaDevice;

// A device's memory: slabs of the driver, cut into blocks. The smallest hole in
// which a block has room gets it; neighbouring holes become one. Thread-safe.
class CudaMemoryPool {
 public:
  static constexpr int64_t kAlignment = 256;
  // What the driver is asked for, at least.
  static constexpr int64_t kSlabSize = int64_t{32} << 20;

  struct Options {
    // How much it may have of the driver, in bytes.
    int64_t limit = 0;
    // Whether blocks are cut from slabs and used again. Else each is the
    // driver's own, so that tools see what goes beyond its end.
    bool has_slabs = true;
  };

  CudaMemoryPool(CudaDevice& device, const Options& options)
      : device_(device), options_(options) {}
  // All blocks are back; the context is current.
  ~CudaMemoryPool();

  // As LocalDevice's. The context is current.
  absl::StatusOr<cuda::CUdeviceptr> Allocate(int64_t size);
  // The context is current, if it can be.
  void Free(cuda::CUdeviceptr address, int64_t size);
  LocalDevice::Statistics statistics() const;

 private:
  // A block or a hole, by its address.
  struct Piece {
    int64_t size = 0;
    bool is_hole = true;
    bool begins_slab = false;
  };
  using Pieces = std::map<cuda::CUdeviceptr, Piece>;

  int64_t BlockSize(int64_t size) const;
  // A hole of that size; the end: the driver has no more, or may not give it.
  absl::StatusOr<Pieces::iterator> NewSlab(int64_t size)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The hole that a block of `size` bytes is cut from; the end: none.
  absl::StatusOr<Pieces::iterator> FindHole(int64_t size)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeEmptySlabs() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Joins `piece` with the one behind it, if both are holes of one slab.
  void JoinWithNext(Pieces::iterator piece)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  CudaDevice& device_;
  const Options options_;
  mutable absl::Mutex mutex_;
  int64_t reserved_ ABSL_GUARDED_BY(mutex_) = 0;  // in slabs
  Pieces pieces_ ABSL_GUARDED_BY(mutex_);
  std::set<std::pair<int64_t, cuda::CUdeviceptr>> holes_
      ABSL_GUARDED_BY(mutex_);
  LocalDevice::Statistics statistics_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_MEMORY_POOL_H_
