#ifndef LOCKSTEP_PROTO_CONVERT_PROFILE_H_
#define LOCKSTEP_PROTO_CONVERT_PROFILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/cluster/device_profile.h"

namespace lockstep::internal {

// A profile as the bytes in which it travels, and back. INVALID_ARGUMENT: no
// such bytes, or ones that name a thunk that they do not have.
std::string ProfileBytes(const DeviceProfile& profile);
absl::StatusOr<DeviceProfile> ProfileOf(absl::string_view bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CONVERT_PROFILE_H_
