#include "runtime/executable/copy_thunk.h"

namespace lockstep::internal {

std::vector<BufferUse> CopyThunk::buffer_uses() const {
  return {BufferUse::Read(source_), BufferUse::Write(target_)};
}

absl::Status CopyThunk::Execute(ExecuteContext& context) const {
  context.queue->Copy(*context.scope, context.buffers.Address(target_),
                      context.buffers.Address(source_));
  return absl::OkStatus();
}

}  // namespace lockstep::internal
