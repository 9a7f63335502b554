#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_HOST_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_HOST_THUNK_H_

#include <cstddef>

#include "absl/status/status.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// A thunk that the host executes. Where the device's memory is not the host's,
// what it reads is copied to the host before, and what it writes back after:
// the bytes of its buffer_uses, and no others, are there.
class HostThunk : public Thunk {
 public:
  using Thunk::Thunk;

  absl::Status Execute(ExecuteContext& context) const final {
    if (context.is_on_host) return ExecuteOnHost(context.host);
    return ExecuteOnCopies(context);
  }
  // Errors as Execute's.
  virtual absl::Status ExecuteOnHost(HostContext& context) const = 0;

 private:
  absl::Status ExecuteOnCopies(ExecuteContext& context) const;
};

// Copies a slice to the host as it is when the queue has come this far, and
// waits for it: for what must be known on the host before it can go on.
absl::Status AwaitOnHost(ExecuteContext& context, const BufferSlice& slice,
                         std::byte* to);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_HOST_THUNK_H_
