#include "runtime/executable/collective_done_thunk.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

CollectiveDoneThunk::CollectiveDoneThunk(const CollectiveThunk& collective)
    : Thunk(absl::StrCat(collective.kind(), "_done"), collective.location()),
      ordinal_(collective.ordinal()) {
  SetWork({.bytes = 0});
  for (const BufferUse& use : collective.buffer_uses()) {
    uses_.push_back(BufferUse::Read(use.slice));
  }
}

std::string CollectiveDoneThunk::Details() const {
  return absl::StrCat("ordinal=", ordinal_);
}

absl::Status CollectiveDoneThunk::Execute(ExecuteContext& context) const {
  context.queue->Wait(*context.scope, context.in_flight.Take(ordinal_));
  return absl::OkStatus();
}

}  // namespace lockstep::internal
