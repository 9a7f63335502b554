#ifndef LOCKSTEP_CLIENT_PROFILE_PROFILE_TESTING_H_
#define LOCKSTEP_CLIENT_PROFILE_PROFILE_TESTING_H_

#include "client/profile/launch_profile.h"

namespace lockstep::internal {

// Two devices that differ in when they come to a collective. Each ran, from 10
// us on, a loop of two turns of a fusion, which took 10 us each, and of a
// collective; its launch is 100 us. Device 1 came 5 us later to the first
// collective, 1 us before the other to the second.
inline LaunchProfile TwoDevices() {
  LaunchProfile profile;
  profile.program = "step";
  std::vector<ProfiledThunk> thunks(3);
  thunks[0].kind = "while";
  thunks[0].location = "m.mlir:1:1";
  thunks[1].kind = "fusion of 2";
  thunks[1].ops = "add, tanh";
  thunks[1].parent = 0;
  thunks[1].bytes = 10'000;
  thunks[1].flops = 1000;
  thunks[2].kind = "all_reduce";
  thunks[2].parent = 0;
  thunks[2].bytes = 64;
  thunks[2].groups = {{0, 1}};
  const int starts[2][2] = {{20, 50}, {25, 49}};  // of the collectives
  for (int i : {0, 1}) {
    DeviceProfile& device = profile.devices.emplace_back();
    device.device = GlobalDeviceId(i);
    device.flattened_id = i;
    device.host_id = HostId(i);
    device.host = i == 0 ? "host 0 (a)" : "host 1 (b)";
    device.begin = absl::UnixEpoch() + absl::Microseconds(7);
    device.duration = absl::Microseconds(100);
    device.thunks = thunks;
    const auto us = [](int count) { return absl::Microseconds(count); };
    device.times = {{1, us(60), us(50), us(60), us(60)},
                    {2, us(20), us(0), us(10), us(10)},
                    {2, us(30), us(0), us(15), us(20)}};
    device.events = {{0, 0, us(10), us(60)},
                     {1, 0, us(10), us(10)},
                     {2, 0, us(starts[i][0]), us(20)},
                     {1, 1, us(39), us(10)},
                     {2, 1, us(starts[i][1]), us(10)}};
  }
  return profile;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROFILE_PROFILE_TESTING_H_
