#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COPY_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COPY_THUNK_H_

#include <string>
#include <vector>

#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// target = source, byte for byte. The two have one size and do not overlap.
class CopyThunk : public Thunk {
 public:
  CopyThunk(std::string location, BufferSlice source, BufferSlice target)
      : Thunk("copy", std::move(location)), source_(source), target_(target) {}

  const BufferSlice& source() const { return source_; }
  const BufferSlice& target() const { return target_; }

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  const BufferSlice source_;
  const BufferSlice target_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COPY_THUNK_H_
