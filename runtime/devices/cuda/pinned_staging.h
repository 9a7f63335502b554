#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_PINNED_STAGING_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_PINNED_STAGING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

class CudaDevice;

// Pinned memory of the host through which the copies of one queue go. Large
// pieces are few: who wants one waits until the stream gives one back. Small
// ones grow in number with the copies under way. Thread-safe.
class PinnedStaging {
 public:
  static constexpr int64_t kSmallSize = int64_t{64} << 10;
  static constexpr int64_t kLargeSize = int64_t{4} << 20;
  static constexpr int kLargePieces = 4;

  explicit PinnedStaging(CudaDevice& device) : device_(device) {}
  ~PinnedStaging() { Clear(); }

  // The device's context is current. RESOURCE_EXHAUSTED: the machine has no
  // memory that can be pinned.
  absl::StatusOr<std::byte*> TakeSmall();
  absl::StatusOr<std::byte*> TakeLarge();
  void GiveBackSmall(std::byte* piece);
  void GiveBackLarge(std::byte* piece);
  // Gives it all back to the driver; all pieces are back.
  void Clear();

 private:
  absl::StatusOr<std::byte*> Pin() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasLarge() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !large_.empty();
  }

  CudaDevice& device_;
  absl::Mutex mutex_;
  std::vector<std::byte*> pinned_ ABSL_GUARDED_BY(mutex_);
  int large_count_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::byte*> small_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::byte*> large_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_PINNED_STAGING_H_
