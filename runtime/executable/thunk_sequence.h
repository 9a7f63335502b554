#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_SEQUENCE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_SEQUENCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// Thunks in the order in which they run. Immutable once its executable exists.
class ThunkSequence {
 public:
  ThunkSequence() = default;
  ThunkSequence(ThunkSequence&&) noexcept = default;
  ThunkSequence& operator=(ThunkSequence&&) noexcept = default;

  void Append(std::unique_ptr<Thunk> thunk) {
    thunks_.push_back(std::move(thunk));
  }
  const std::vector<std::unique_ptr<Thunk>>& thunks() const { return thunks_; }
  bool empty() const { return thunks_.empty(); }
  // Leaves it empty.
  std::vector<std::unique_ptr<Thunk>> Release() {
    return std::exchange(thunks_, {});
  }

  // Every thunk in order, nested ones included; the first error.
  absl::Status Prepare(PrepareContext& context) const;
  // Stops at the first error; looks at the cancellation before each thunk.
  absl::Status Execute(ExecuteContext& context) const;

  // The same for all local devices of a launch on the calling thread, thunk by
  // thunk; if all of them `runs_together`.
  absl::Status ExecuteTogether(
      absl::Span<ExecuteContext* const> contexts) const;

  // One line per thunk, nested sequences indented.
  void Dump(int indent, bool with_locations, std::string* out) const;

 private:
  std::vector<std::unique_ptr<Thunk>> thunks_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_SEQUENCE_H_
