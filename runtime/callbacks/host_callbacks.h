#ifndef LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALLBACKS_H_
#define LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALLBACKS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The functions of this process that one traced program calls, by the numbers
// in its text. Filled by the trace; immutable afterwards, and shared by all
// that was compiled of it.
class HostCallbacks {
 public:
  // Gets the values of one device, and writes all of `results`, which have the
  // call's types and undefined content. Throws nothing. Called by the devices'
  // threads, by several at a time.
  using Function =
      std::function<absl::Status(absl::Span<const LiteralView> operands,
                                 absl::Span<const MutableLiteralView> results)>;

  // The function's number.
  int64_t Add(Function function) {
    functions_.push_back(std::move(function));
    return static_cast<int64_t>(functions_.size()) - 1;
  }
  // Null when there is none.
  const Function* Find(int64_t number) const {
    if (number < 0 || number >= static_cast<int64_t>(functions_.size())) {
      return nullptr;
    }
    return &functions_[static_cast<size_t>(number)];
  }

 private:
  std::vector<Function> functions_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALLBACKS_H_
