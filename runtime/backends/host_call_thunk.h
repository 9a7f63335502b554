#ifndef LOCKSTEP_RUNTIME_BACKENDS_HOST_CALL_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_HOST_CALL_THUNK_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/backends/backend.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Calls a function of this process, or prints, with the values of its device
// (spec M-12). The function runs on the thread of the launch, or on the one
// that serves the device's queue; a CallbackScope says so to it. Its error,
// with the place of the callback, is that of the launch.
class HostCallThunk : public HostThunk {
 public:
  // `request.op` is a host call. Errors: those of HostCallOf; INVALID_ARGUMENT,
  // a format that does not fit; UNIMPLEMENTED, the function is not among
  // `options.callbacks`.
  static absl::StatusOr<std::unique_ptr<HostCallThunk>> Create(
      const KernelRequest& request, const CompileOptions& options,
      const DeviceAssignment& assignment);

  std::vector<BufferUse> buffer_uses() const override;
  std::string Details() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;
  // A callback may wait for that of another device.
  bool runs_together() const override { return false; }

 private:
  using Function = std::function<absl::Status(
      const HostContext& context, absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results)>;

  static absl::StatusOr<Function> PrintOf(const Op& op, const HostCall& call,
                                          const DeviceAssignment& assignment);
  static absl::StatusOr<Function> CallbackOf(const Op& op, const HostCall& call,
                                             const CompileOptions& options);

  HostCallThunk(const KernelRequest& request, HostCall call, Function function);

  const KernelRequest request_;
  const HostCall call_;
  const std::string text_;
  const Function function_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_HOST_CALL_THUNK_H_
