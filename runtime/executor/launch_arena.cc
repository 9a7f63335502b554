#include "runtime/executor/launch_arena.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

static_assert(DeviceMemory::kAlignment % kBufferAlignment == 0);

absl::Status LaunchArena::CheckFits(int64_t bytes) const {
  const int64_t capacity = device_.info().memory_bytes;
  if (capacity == 0 || bytes <= capacity) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the launch needs ", BytesText(bytes), " of memory, device ",
                   id_.value(), " has ", BytesText(capacity)));
}

absl::StatusOr<std::shared_ptr<DeviceMemory>> LaunchArena::Take(int64_t bytes) {
  RETURN_IF_ERROR(CheckFits(bytes));
  if (memory_ == nullptr || bytes > memory_->size()) {
    // Before the larger one is asked for. Launches that are still on the queue
    // keep the old one.
    memory_.reset();
    ASSIGN_OR_RETURN(memory_, device_.Allocate(bytes));
  }
  return memory_;
}

}  // namespace lockstep::internal
