#include "client/profile/profile_json.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/profile/profile_summary.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

using Json = nlohmann::ordered_json;

double Micros(absl::Duration duration) {
  return absl::ToDoubleMicroseconds(duration);
}
double Seconds(absl::Duration duration) {
  return absl::ToDoubleSeconds(duration);
}

// Tracks of a device: its thunks, what runs beside them.
int TrackOf(const DeviceProfile& device, bool is_beside) {
  return 2 * device.device.value() + (is_beside ? 1 : 0);
}

Json NameEvent(const char* what, int pid, int tid, const std::string& name) {
  return {{"ph", "M"},
          {"name", what},
          {"pid", pid},
          {"tid", tid},
          {"args", {{"name", name}}}};
}

void AppendNames(const LaunchProfile& profile, Json& events) {
  std::set<HostId> hosts;
  for (const DeviceProfile& device : profile.devices) {
    const int pid = device.host_id.value();
    if (hosts.insert(device.host_id).second) {
      events.push_back(NameEvent("process_name", pid, 0, device.host));
    }
    const std::string name = absl::StrCat("device ", device.device.value());
    const auto has_beside = [](const ProfiledThunk& thunk) {
      return thunk.is_beside;
    };
    events.push_back(
        NameEvent("thread_name", pid, TrackOf(device, false), name));
    if (std::any_of(device.thunks.begin(), device.thunks.end(), has_beside)) {
      events.push_back(NameEvent("thread_name", pid, TrackOf(device, true),
                                 absl::StrCat(name, ", collectives")));
    }
  }
}

Json EventJson(const ThunkEvent& event, const DeviceProfile& device,
               absl::Duration waiting, absl::Duration offset) {
  const ProfiledThunk& thunk = device.thunks[event.thunk];
  Json json = {{"ph", "X"},
               {"name", thunk.kind},
               {"cat", "thunk"},
               {"pid", device.host_id.value()},
               {"tid", TrackOf(device, thunk.is_beside)},
               {"ts", Micros(offset + event.start)},
               {"dur", Micros(event.duration)}};
  Json& args = json["args"];
  args["thunk"] = event.thunk;
  args["location"] = thunk.location;
  if (!thunk.ops.empty()) args["ops"] = thunk.ops;
  if (thunk.bytes > 0) args["bytes"] = thunk.bytes;
  if (thunk.flops > 0) args["flops"] = thunk.flops;
  if (thunk.parent >= 0) args["iteration"] = event.iteration;
  if (!thunk.groups.empty()) args["waiting_us"] = Micros(waiting);
  return json;
}

void FillSum(const ProfileSum& sum, Json& json) {
  json["count"] = sum.count;
  json["self_seconds"] = Seconds(sum.self);
  json["waiting_seconds"] = Seconds(sum.waiting);
  json["share_of_launch"] = sum.share;
  json["bytes"] = sum.bytes;
  json["flops"] = sum.flops;
  json["bytes_per_second"] = sum.bytes_per_second();
  json["flops_per_second"] = sum.flops_per_second();
}

Json ThunkJson(const ThunkRow& row, const ProfiledThunk& thunk) {
  Json json;
  json["thunk"] = row.thunk;
  json["kind"] = thunk.kind;
  json["ops"] = thunk.ops;
  json["location"] = thunk.location;
  json["parent"] = nullptr;
  if (thunk.parent >= 0) json["parent"] = thunk.parent;
  json["is_beside"] = thunk.is_beside;
  json["total_seconds"] = Seconds(row.total);
  FillSum(row.sum, json);
  json["median_seconds"] = Seconds(row.median);
  json["longest_seconds"] = Seconds(row.longest);
  json["share_of_limit"] = nullptr;
  if (row.share_of_limit) json["share_of_limit"] = *row.share_of_limit;
  return json;
}

Json SummaryJson(const LaunchProfile& profile, const LaunchLimits& limits) {
  const ProfileSummary summary = Summarize(profile, limits);
  Json json;
  json["program"] = profile.program;
  json["devices"] = Json::array();
  for (const DeviceProfile& device : profile.devices) {
    json["devices"].push_back({{"id", device.device.value()},
                               {"host", device.host_id.value()},
                               {"threads", device.threads},
                               {"seconds", Seconds(device.duration)},
                               {"events", device.events.size()},
                               {"events_left_out", device.events_left_out}});
  }
  json["launch_seconds"] = Seconds(summary.launch);
  json["longest_seconds"] = Seconds(summary.longest);
  json["outside_seconds"] = Seconds(summary.outside);
  json["events_left_out"] = summary.events_left_out;
  json["limits"] = {{"bytes_per_second", limits.bytes_per_second},
                    {"bytes_per_second_of", limits.bytes_origin},
                    {"flops_per_second", limits.flops_per_second},
                    {"flops_per_second_of", limits.flops_origin}};
  json["kinds"] = Json::array();
  for (const KindRow& row : summary.kinds) {
    Json& kind = json["kinds"].emplace_back();
    kind["kind"] = row.kind;
    FillSum(row.sum, kind);
    kind["share_of_limit"] = nullptr;
    if (row.share_of_limit) kind["share_of_limit"] = *row.share_of_limit;
  }
  json["thunks"] = Json::array();
  for (const ThunkRow& row : summary.thunks) {
    json["thunks"].push_back(ThunkJson(row, profile.thunks()[row.thunk]));
  }
  return json;
}

}  // namespace

std::string ProfileJson(const LaunchProfile& profile,
                        const LaunchLimits& limits) {
  absl::Time first = absl::InfiniteFuture();
  for (const DeviceProfile& device : profile.devices) {
    first = std::min(first, device.begin);
  }
  Json events = Json::array();
  AppendNames(profile, events);
  const std::vector<std::vector<absl::Duration>> waiting =
      WaitingTimes(profile);
  for (size_t i = 0; i < profile.devices.size(); ++i) {
    const DeviceProfile& device = profile.devices[i];
    for (size_t k = 0; k < device.events.size(); ++k) {
      events.push_back(EventJson(device.events[k], device, waiting[i][k],
                                 device.begin - first));
    }
  }
  Json json;
  json["displayTimeUnit"] = "ns";
  json["lockstep"] = SummaryJson(profile, limits);
  json["traceEvents"] = std::move(events);
  // Names and locations may be of any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::internal
