#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_HOST_CONDITIONAL_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_HOST_CONDITIONAL_THUNK_H_

#include <string>
#include <vector>

#include "runtime/executable/thunk.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {

// Runs one of several branches. The index is an s32 scalar, where a value out
// of range means the last branch (case), or one byte, where not 0 means the
// first branch (if).
class HostConditionalThunk : public Thunk {
 public:
  enum class Selector { kIndex, kPredicate };

  HostConditionalThunk(std::string location, Selector selector,
                       BufferSlice index, std::vector<ThunkSequence> branches);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(index_)};
  }
  std::vector<const ThunkSequence*> nested() const override;
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  size_t SelectedBranch(const std::byte* index) const;

  const Selector selector_;
  const BufferSlice index_;
  const std::vector<ThunkSequence> branches_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_HOST_CONDITIONAL_THUNK_H_
