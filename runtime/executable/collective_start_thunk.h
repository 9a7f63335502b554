#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_START_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_START_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// Starts a collective on the device's collective queue, after all that is on
// the compute queue so far. The CollectiveDoneThunk of the same ordinal follows
// in the same sequence; until there, nothing else may write what the collective
// uses or read what it writes.
class CollectiveStartThunk : public Thunk {
 public:
  // `collective` does not wait for the host.
  explicit CollectiveStartThunk(
      std::unique_ptr<const CollectiveThunk> collective);

  std::vector<BufferUse> buffer_uses() const override {
    return collective_->buffer_uses();
  }
  std::string Details() const override { return collective_->Details(); }
  absl::Status Prepare(PrepareContext& context) const override {
    return collective_->Prepare(context);
  }
  absl::Status Execute(ExecuteContext& context) const override;
  bool runs_together() const override { return false; }

  int ordinal() const { return collective_->ordinal(); }
  const CollectiveThunk& collective() const { return *collective_; }

 private:
  const std::unique_ptr<const CollectiveThunk> collective_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_START_THUNK_H_
