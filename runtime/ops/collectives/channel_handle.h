#ifndef LOCKSTEP_RUNTIME_OPS_COLLECTIVES_CHANNEL_HANDLE_H_
#define LOCKSTEP_RUNTIME_OPS_COLLECTIVES_CHANNEL_HANDLE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// What `channel_handle` says: #stablehlo.channel_handle<handle, type> or the
// older dictionary. Zeros when there is none.
struct ChannelHandle {
  static constexpr int64_t kDeviceToDevice = 1;
  static constexpr int64_t kDeviceToHost = 2;
  static constexpr int64_t kHostToDevice = 3;

  int64_t id = 0;
  int64_t type = 0;
};
absl::StatusOr<ChannelHandle> ChannelHandleOf(const Op& op);

// Whether a send or recv is between devices and the host.
absl::StatusOr<bool> IsHostTransfer(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_COLLECTIVES_CHANNEL_HANDLE_H_
