#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_HOST_WHILE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_HOST_WHILE_THUNK_H_

#include <string>
#include <vector>

#include "runtime/executable/thunk.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {

// Runs `condition`, which writes the predicate (one byte, 0 or 1); while it is
// 1, runs `body` and then `condition` again. The carried values live where the
// sequences read and write them.
class HostWhileThunk : public Thunk {
 public:
  HostWhileThunk(std::string location, ThunkSequence condition,
                 BufferSlice predicate, ThunkSequence body);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(predicate_)};
  }
  std::vector<const ThunkSequence*> nested() const override {
    return {&condition_, &body_};
  }
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  const ThunkSequence condition_;
  const BufferSlice predicate_;
  const ThunkSequence body_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_HOST_WHILE_THUNK_H_
