#include "proto/convert_profile.h"

#include "absl/status/status.h"
#include "proto/lockstep/cluster.pb.h"
#include "runtime/base/status.h"
#include "runtime/base/utf8.h"

namespace lockstep::internal {
namespace {

void Fill(const ProfiledThunk& thunk, const ThunkTimes& times,
          proto::DeviceProfile::Thunk& message) {
  // Programs name their places with any bytes.
  message.set_kind(AsUtf8(thunk.kind));
  message.set_ops(AsUtf8(thunk.ops));
  message.set_location(AsUtf8(thunk.location));
  message.set_parent(thunk.parent);
  message.set_bytes(thunk.bytes);
  message.set_flops(thunk.flops);
  message.set_is_beside(thunk.is_beside);
  for (const std::vector<int32_t>& group : thunk.groups) {
    message.add_groups()->mutable_members()->Add(group.begin(), group.end());
  }
  message.set_count(times.count);
  message.set_total_ns(absl::ToInt64Nanoseconds(times.total));
  message.set_nested_ns(absl::ToInt64Nanoseconds(times.nested));
  message.set_median_ns(absl::ToInt64Nanoseconds(times.median));
  message.set_longest_ns(absl::ToInt64Nanoseconds(times.longest));
}

ProfiledThunk ThunkOf(const proto::DeviceProfile::Thunk& message) {
  ProfiledThunk thunk;
  thunk.kind = message.kind();
  thunk.ops = message.ops();
  thunk.location = message.location();
  thunk.parent = message.parent();
  thunk.bytes = message.bytes();
  thunk.flops = message.flops();
  thunk.is_beside = message.is_beside();
  for (const auto& group : message.groups()) {
    thunk.groups.emplace_back(group.members().begin(), group.members().end());
  }
  return thunk;
}

ThunkTimes TimesOf(const proto::DeviceProfile::Thunk& message) {
  ThunkTimes times;
  times.count = message.count();
  times.total = absl::Nanoseconds(message.total_ns());
  times.nested = absl::Nanoseconds(message.nested_ns());
  times.median = absl::Nanoseconds(message.median_ns());
  times.longest = absl::Nanoseconds(message.longest_ns());
  return times;
}

absl::Status Malformed() {
  return absl::InvalidArgumentError("malformed profile of a device");
}

}  // namespace

std::string ProfileBytes(const DeviceProfile& profile) {
  proto::DeviceProfile message;
  message.set_device(profile.device.value());
  message.set_flattened_id(profile.flattened_id);
  message.set_threads(profile.threads);
  message.set_begin_unix_ns(absl::ToUnixNanos(profile.begin));
  message.set_duration_ns(absl::ToInt64Nanoseconds(profile.duration));
  for (size_t i = 0; i < profile.thunks.size(); ++i) {
    Fill(profile.thunks[i], profile.times[i], *message.add_thunks());
  }
  for (const ThunkEvent& event : profile.events) {
    message.add_event_thunks(event.thunk);
    message.add_event_iterations(event.iteration);
    message.add_event_starts_ns(absl::ToInt64Nanoseconds(event.start));
    message.add_event_durations_ns(absl::ToInt64Nanoseconds(event.duration));
  }
  message.set_events_left_out(profile.events_left_out);
  return message.SerializeAsString();
}

absl::StatusOr<DeviceProfile> ProfileOf(absl::string_view bytes) {
  proto::DeviceProfile message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Malformed();
  }
  DeviceProfile profile;
  profile.device = GlobalDeviceId(message.device());
  profile.flattened_id = message.flattened_id();
  profile.threads = message.threads();
  profile.begin = absl::FromUnixNanos(message.begin_unix_ns());
  profile.duration = absl::Nanoseconds(message.duration_ns());
  for (int i = 0; i < message.thunks_size(); ++i) {
    const proto::DeviceProfile::Thunk& thunk = message.thunks(i);
    if (thunk.parent() < -1 || thunk.parent() >= i) return Malformed();
    profile.thunks.push_back(ThunkOf(thunk));
    profile.times.push_back(TimesOf(thunk));
  }
  const int events = message.event_thunks_size();
  if (message.event_iterations_size() != events ||
      message.event_starts_ns_size() != events ||
      message.event_durations_ns_size() != events) {
    return Malformed();
  }
  for (int i = 0; i < events; ++i) {
    ThunkEvent& event = profile.events.emplace_back();
    event.thunk = message.event_thunks(i);
    if (event.thunk < 0 || event.thunk >= message.thunks_size()) {
      return Malformed();
    }
    event.iteration = message.event_iterations(i);
    event.start = absl::Nanoseconds(message.event_starts_ns(i));
    event.duration = absl::Nanoseconds(message.event_durations_ns(i));
  }
  profile.events_left_out = message.events_left_out();
  return profile;
}

}  // namespace lockstep::internal
