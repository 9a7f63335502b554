#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_WORK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_WORK_H_

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::internal {

// What one execution of a thunk takes, as estimated from its op, and what the
// op is made of; for profiles.
struct ThunkWork {
  double flops = 0;
  std::optional<int64_t> bytes = {};  // none: those of its buffer_uses
  std::string ops = {};  // "add, exponential"; "": one op, its kind
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_WORK_H_
