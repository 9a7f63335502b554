#include "runtime/devices/cuda/pinned_staging.h"

#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

absl::StatusOr<std::byte*> PinnedStaging::Pin() {
  void* piece = nullptr;
  RETURN_IF_ERROR(device_.Check(
      device_.driver().cuMemHostAlloc(&piece, size_t{kLargeSize},
                                      cuda::CU_MEMHOSTALLOC_PORTABLE),
      "cuMemHostAlloc"));
  pinned_.push_back(static_cast<std::byte*>(piece));
  return pinned_.back();
}

absl::StatusOr<std::byte*> PinnedStaging::TakeSmall() {
  absl::MutexLock lock(&mutex_);
  if (small_.empty()) {
    ASSIGN_OR_RETURN(std::byte* const pieces, Pin());
    for (int64_t at = 0; at < kLargeSize; at += kSmallSize) {
      small_.push_back(pieces + at);
    }
  }
  std::byte* const piece = small_.back();
  small_.pop_back();
  return piece;
}

absl::StatusOr<std::byte*> PinnedStaging::TakeLarge() {
  absl::MutexLock lock(&mutex_);
  if (large_.empty() && large_count_ < kLargePieces) {
    absl::StatusOr<std::byte*> piece = Pin();
    if (piece.ok()) ++large_count_;
    if (piece.ok() || large_count_ == 0) return piece;
  }
  mutex_.Await(absl::Condition(this, &PinnedStaging::HasLarge));
  std::byte* const piece = large_.back();
  large_.pop_back();
  return piece;
}

void PinnedStaging::GiveBackSmall(std::byte* piece) {
  absl::MutexLock lock(&mutex_);
  small_.push_back(piece);
}

void PinnedStaging::GiveBackLarge(std::byte* piece) {
  absl::MutexLock lock(&mutex_);
  large_.push_back(piece);
}

void PinnedStaging::Clear() {
  absl::MutexLock lock(&mutex_);
  for (std::byte* piece : pinned_) device_.driver().cuMemFreeHost(piece);
  pinned_.clear();
  small_.clear();
  large_.clear();
  large_count_ = 0;
}

}  // namespace lockstep::internal
