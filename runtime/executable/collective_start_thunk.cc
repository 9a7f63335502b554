#include "runtime/executable/collective_start_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/executable/profile_recorder.h"

namespace lockstep::internal {

CollectiveStartThunk::CollectiveStartThunk(
    std::unique_ptr<const CollectiveThunk> collective)
    : Thunk(absl::StrCat(collective->kind(), "_start"), collective->location()),
      collective_(std::move(collective)) {
  LOCKSTEP_CHECK(!collective_->waits_for_host());
  SetWork({.bytes = 0});
}

absl::Status CollectiveStartThunk::Execute(ExecuteContext& context) const {
  DeviceQueue& queue = *context.collective_queue;
  queue.Wait(*context.scope, context.queue->Record(*context.scope));
  if (context.host.profile != nullptr) {
    context.host.profile->QueueBeside(context.collective_count, *collective_);
  }
  const absl::Status status = collective_->ExecuteOn(queue, context);
  // Also after an error: what is on the queue uses the launch's memory.
  context.in_flight.Add(ordinal(), queue.Record(*context.scope));
  return status;
}

}  // namespace lockstep::internal
