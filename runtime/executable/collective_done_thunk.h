#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_DONE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_DONE_THUNK_H_

#include <string>
#include <vector>

#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// Lets the compute queue wait for a collective that CollectiveStartThunk has
// started: what follows may use what it has written.
class CollectiveDoneThunk : public Thunk {
 public:
  explicit CollectiveDoneThunk(const CollectiveThunk& collective);

  // What the collective uses is in use until here.
  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  std::string Details() const override;
  absl::Status Execute(ExecuteContext& context) const override;
  bool runs_together() const override { return false; }

  int ordinal() const { return ordinal_; }

 private:
  const int ordinal_;
  std::vector<BufferUse> uses_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_DONE_THUNK_H_
