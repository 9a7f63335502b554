#ifndef LOCKSTEP_CLIENT_PROFILE_LAUNCH_PROFILE_H_
#define LOCKSTEP_CLIENT_PROFILE_LAUNCH_PROFILE_H_

#include <string>
#include <vector>

#include "runtime/cluster/device_profile.h"

namespace lockstep {

// What all devices of a program did in one launch (Client::Profile). A value
// type.
struct LaunchProfile {
  std::string program;
  // Replica by replica, and in it partition by partition; one at least. All
  // have the same thunks.
  std::vector<DeviceProfile> devices;

  const std::vector<ProfiledThunk>& thunks() const { return devices[0].thunks; }
};

// What a device reaches, beside what it did.
struct LaunchLimits {
  double bytes_per_second = 0;  // read and written, of long vectors
  double flops_per_second = 0;  // in products of f32 matrices
  std::string bytes_origin;     // "copy of 16 MiB"
  std::string flops_origin;     // "f32 product of 1024x1024"
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PROFILE_LAUNCH_PROFILE_H_
