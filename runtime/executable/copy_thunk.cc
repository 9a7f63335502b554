#include "runtime/executable/copy_thunk.h"

#include <cstring>

namespace lockstep {

std::vector<BufferUse> CopyThunk::buffer_uses() const {
  return {BufferUse::Read(source_), BufferUse::Write(target_)};
}

absl::Status CopyThunk::Execute(ExecuteContext& context) const {
  if (source_.size == 0) return absl::OkStatus();
  std::memcpy(context.buffers.Address(target_),
              context.buffers.Address(source_),
              static_cast<size_t>(source_.size));
  return absl::OkStatus();
}

}  // namespace lockstep
