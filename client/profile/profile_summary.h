#ifndef LOCKSTEP_CLIENT_PROFILE_PROFILE_SUMMARY_H_
#define LOCKSTEP_CLIENT_PROFILE_PROFILE_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/profile/launch_profile.h"

namespace lockstep::internal {

// What some of a launch took. Times are sums over its devices, without what
// nested thunks took unless it says so.
struct ProfileSum {
  int64_t count = 0;
  absl::Duration self;
  absl::Duration waiting;  // of it: for other devices, in collectives
  double bytes = 0;
  double flops = 0;
  double share = 0;  // of the devices' time in the launch

  double bytes_per_second() const;
  double flops_per_second() const;
};

// A thunk, all devices together.
struct ThunkRow {
  int32_t thunk = 0;  // its position
  ProfileSum sum;
  absl::Duration total;    // with nested thunks
  absl::Duration median;   // of one execution, of the middle device
  absl::Duration longest;  // of one execution
  // The time that it takes at the limits, as a share of that it took: by what
  // takes longer there, its bytes or its flops. None: nothing to compare.
  std::optional<double> share_of_limit;
};

// All thunks of one kind, fusions of any number of ops together.
struct KindRow {
  std::string kind;  // "stablehlo.dot_general", "fusion"
  ProfileSum sum;
  std::optional<double> share_of_limit;
};

// Rows of thunks that never ran are left out; others come by time, the longest
// first. Thunks that run beside the others are in rows, and in no kind: their
// time is that of the thunks that wait for them, too.
struct ProfileSummary {
  absl::Duration launch;   // of a device, the mean
  absl::Duration longest;  // of a device
  absl::Duration outside;  // of `launch`: before, between and after thunks
  std::vector<ThunkRow> thunks;
  std::vector<KindRow> kinds;
  int64_t events = 0;
  int64_t events_left_out = 0;
};

ProfileSummary Summarize(const LaunchProfile& profile,
                         const LaunchLimits& limits);

// By device and event: how long it waited until the last of the devices that
// meet came, by the clocks of their hosts. Zero for what is no collective.
std::vector<std::vector<absl::Duration>> WaitingTimes(
    const LaunchProfile& profile);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROFILE_PROFILE_SUMMARY_H_
