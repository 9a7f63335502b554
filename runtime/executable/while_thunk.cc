#include "runtime/executable/while_thunk.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep {

WhileThunk::WhileThunk(std::string location, ThunkSequence condition,
                       BufferSlice predicate, ThunkSequence body)
    : Thunk("while", std::move(location)),
      condition_(std::move(condition)),
      predicate_(predicate),
      body_(std::move(body)) {
  LOCKSTEP_CHECK(predicate.size == 1);
}

absl::Status WhileThunk::Execute(ExecuteContext& context) const {
  while (true) {
    RETURN_IF_ERROR(context.cancellation->status());
    RETURN_IF_ERROR(condition_.Execute(context));
    if (*context.buffers.Address(predicate_) == std::byte{0}) break;
    RETURN_IF_ERROR(body_.Execute(context));
    context.progress->CountThunk();
  }
  return absl::OkStatus();
}

}  // namespace lockstep
