#include "client/profile/profile_summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/match.h"

namespace lockstep::internal {
namespace {

// By thunk: the positions of its events; of collectives only.
using EventLists = std::vector<std::vector<size_t>>;

EventLists CollectiveEvents(const DeviceProfile& device) {
  EventLists lists(device.thunks.size());
  for (size_t i = 0; i < device.events.size(); ++i) {
    const int32_t thunk = device.events[i].thunk;
    if (!device.thunks[thunk].groups.empty()) lists[thunk].push_back(i);
  }
  return lists;
}

bool Contains(const std::vector<int32_t>& group, int32_t id) {
  return std::find(group.begin(), group.end(), id) != group.end();
}

double Ratio(double amount, absl::Duration time) {
  const double seconds = absl::ToDoubleSeconds(time);
  return seconds > 0 ? amount / seconds : 0;
}

std::optional<double> ShareOfLimit(const ProfileSum& sum,
                                   const LaunchLimits& limits) {
  double seconds = 0;
  if (limits.bytes_per_second > 0) {
    seconds = sum.bytes / limits.bytes_per_second;
  }
  if (limits.flops_per_second > 0) {
    seconds = std::max(seconds, sum.flops / limits.flops_per_second);
  }
  if (seconds <= 0 || sum.self <= absl::ZeroDuration()) return std::nullopt;
  return seconds / absl::ToDoubleSeconds(sum.self);
}

ThunkRow RowOf(const LaunchProfile& profile, int32_t thunk) {
  ThunkRow row;
  row.thunk = thunk;
  std::vector<absl::Duration> medians;
  for (const DeviceProfile& device : profile.devices) {
    const ThunkTimes& times = device.times[thunk];
    if (times.count == 0) continue;
    row.sum.count += times.count;
    row.sum.self += times.total - times.nested;
    row.total += times.total;
    row.longest = std::max(row.longest, times.longest);
    medians.push_back(times.median);
  }
  std::sort(medians.begin(), medians.end());
  if (!medians.empty()) row.median = medians[medians.size() / 2];
  const ProfiledThunk& described = profile.thunks()[thunk];
  const auto count = static_cast<double>(row.sum.count);
  row.sum.bytes = static_cast<double>(described.bytes) * count;
  row.sum.flops = described.flops * count;
  return row;
}

// By time; those of equal time as they were.
template <typename Row>
void SortByTime(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.sum.self > b.sum.self;
  });
}

// "fusion" of "fusion of 12".
std::string GroupOf(const std::string& kind) {
  return absl::StartsWith(kind, "fusion of ") ? "fusion" : kind;
}

void Add(const ProfileSum& sum, ProfileSum& to) {
  to.count += sum.count;
  to.self += sum.self;
  to.waiting += sum.waiting;
  to.bytes += sum.bytes;
  to.flops += sum.flops;
  to.share += sum.share;
}

// Executions that are no events any more waited as long as those that are, on
// average.
std::vector<absl::Duration> WaitingByThunk(const LaunchProfile& profile) {
  const std::vector<std::vector<absl::Duration>> of_events =
      WaitingTimes(profile);
  const size_t thunks = profile.thunks().size();
  std::vector<absl::Duration> waiting(thunks);
  for (size_t i = 0; i < profile.devices.size(); ++i) {
    const DeviceProfile& device = profile.devices[i];
    std::vector<absl::Duration> waited(thunks);
    std::vector<int64_t> kept(thunks);
    for (size_t k = 0; k < device.events.size(); ++k) {
      waited[device.events[k].thunk] += of_events[i][k];
      ++kept[device.events[k].thunk];
    }
    for (size_t thunk = 0; thunk < thunks; ++thunk) {
      if (kept[thunk] == 0) continue;
      waiting[thunk] +=
          waited[thunk] * (static_cast<double>(device.times[thunk].count) /
                           static_cast<double>(kept[thunk]));
    }
  }
  return waiting;
}

std::vector<KindRow> KindRows(const LaunchProfile& profile,
                              const std::vector<ThunkRow>& thunks,
                              const LaunchLimits& limits) {
  std::map<std::string, KindRow> by_kind;
  for (const ThunkRow& row : thunks) {
    const ProfiledThunk& thunk = profile.thunks()[row.thunk];
    if (thunk.is_beside) continue;
    KindRow& kind = by_kind[GroupOf(thunk.kind)];
    Add(row.sum, kind.sum);
    if (thunk.groups.empty()) {
      kind.share_of_limit = ShareOfLimit(kind.sum, limits);
    }
  }
  std::vector<KindRow> rows;
  for (auto& [kind, row] : by_kind) {
    row.kind = kind;
    rows.push_back(std::move(row));
  }
  SortByTime(rows);
  return rows;
}

}  // namespace

double ProfileSum::bytes_per_second() const { return Ratio(bytes, self); }
double ProfileSum::flops_per_second() const { return Ratio(flops, self); }

std::vector<std::vector<absl::Duration>> WaitingTimes(
    const LaunchProfile& profile) {
  std::vector<std::vector<absl::Duration>> waiting;
  std::vector<EventLists> lists;
  for (const DeviceProfile& device : profile.devices) {
    waiting.emplace_back(device.events.size());
    lists.push_back(CollectiveEvents(device));
  }
  // Calls back with each event of `thunk` in a group, its order, and where its
  // waiting goes.
  const auto for_each = [&](size_t thunk, const std::vector<int32_t>& group,
                            const auto& visit) {
    for (size_t i = 0; i < profile.devices.size(); ++i) {
      const DeviceProfile& device = profile.devices[i];
      if (!Contains(group, device.flattened_id)) continue;
      const std::vector<size_t>& events = lists[i][thunk];
      for (size_t k = 0; k < events.size(); ++k) {
        const ThunkEvent& event = device.events[events[k]];
        visit(k, event, device.begin + event.start, waiting[i][events[k]]);
      }
    }
  };
  for (size_t thunk = 0; thunk < profile.thunks().size(); ++thunk) {
    for (const std::vector<int32_t>& group : profile.thunks()[thunk].groups) {
      std::vector<absl::Time> last;  // to come
      for_each(
          thunk, group,
          [&](size_t k, const ThunkEvent&, absl::Time start, absl::Duration&) {
            if (last.size() <= k) last.resize(k + 1, start);
            last[k] = std::max(last[k], start);
          });
      for_each(thunk, group,
               [&](size_t k, const ThunkEvent& event, absl::Time start,
                   absl::Duration& waiting) {
                 waiting = std::min(event.duration, last[k] - start);
               });
    }
  }
  return waiting;
}

ProfileSummary Summarize(const LaunchProfile& profile,
                         const LaunchLimits& limits) {
  ProfileSummary summary;
  absl::Duration sum;  // of the launch, over all devices
  for (const DeviceProfile& device : profile.devices) {
    sum += device.duration;
    summary.longest = std::max(summary.longest, device.duration);
    summary.events += static_cast<int64_t>(device.events.size());
    summary.events_left_out += device.events_left_out;
  }
  const std::vector<absl::Duration> waiting = WaitingByThunk(profile);
  absl::Duration inside;  // thunks
  for (size_t i = 0; i < profile.thunks().size(); ++i) {
    ThunkRow row = RowOf(profile, static_cast<int32_t>(i));
    if (row.sum.count == 0) continue;
    row.sum.waiting = waiting[i];
    row.sum.share =
        absl::FDivDuration(row.sum.self, std::max(sum, absl::Nanoseconds(1)));
    row.share_of_limit = ShareOfLimit(row.sum, limits);
    const ProfiledThunk& thunk = profile.thunks()[i];
    // What others send decides the time of collectives.
    if (!thunk.groups.empty()) row.share_of_limit = std::nullopt;
    if (!thunk.is_beside) inside += row.sum.self;
    summary.thunks.push_back(row);
  }
  SortByTime(summary.thunks);
  summary.kinds = KindRows(profile, summary.thunks, limits);
  const auto devices = static_cast<int64_t>(profile.devices.size());
  summary.launch = sum / devices;
  summary.outside = (sum - inside) / devices;
  return summary;
}

}  // namespace lockstep::internal
