#include "coordinator/health/liveness.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

constexpr double kDecayPerReport = 0.95;
constexpr double kReportsToJudge = 8;
constexpr double kSlowShare = 0.5;
constexpr double kSlowMultiple = 4;
// Of one host at a time; more say nothing to anybody.
constexpr size_t kMostAnnouncements = 64;

// Seconds with one digit.
std::string Seconds(absl::Duration duration) {
  return absl::FormatDuration(absl::Floor(duration, absl::Milliseconds(100)));
}

bool IsLess(absl::Duration limit, absl::Duration duration) {
  return limit > absl::ZeroDuration() && duration >= limit;
}

// A launch may have a limit of its own.
absl::Duration LimitOf(absl::Duration own, absl::Duration otherwise) {
  return own > absl::ZeroDuration() ? own : otherwise;
}

std::string NameOfLaunch(const LaunchWait& wait) {
  return absl::StrCat("launch ", wait.where.launch.sequence, " ",
                      wait.where.launch.number.value());
}

// "in" of a launch that has not ended.
bool IsInProgress(const LaunchProgress& progress) {
  return progress.phase != LaunchPhase::kDone &&
         progress.phase != LaunchPhase::kFailed;
}

}  // namespace

const char* ToString(HostCondition condition) {
  switch (condition) {
    case HostCondition::kAlive:
      return "alive";
    case HostCondition::kSuspect:
      return "suspect";
    case HostCondition::kLate:
      return "late";
    case HostCondition::kStuck:
      return "stuck";
    case HostCondition::kSlow:
      return "slow";
    case HostCondition::kSilent:
      return "silent";
    case HostCondition::kExited:
      return "exited";
    case HostCondition::kLeft:
      return "left";
  }
  return "unknown";
}

void Liveness::Add(const HostRef& host, const WorkerInfo& info,
                   absl::Time now) {
  Record record;
  record.host = host;
  record.info = info;
  record.connection_changed_at = now;
  record.last_report = now;
  record.progress.host = host;
  hosts_[host.id] = std::move(record);
}

bool Liveness::IsAlive(const Record& record) const {
  return record.condition < HostCondition::kSilent;
}

void Liveness::Report(HostId host, ProgressReport report, absl::Time now) {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return;
  Record& record = it->second;
  // What moved did so at some time since the report before.
  const absl::Time moved =
      now - std::min(now - record.last_report, options_.report_interval) / 2;
  record.last_report = now;
  record.activity = std::move(report.activity);
  std::vector<TrackedLaunch> launches;
  for (LaunchProgress& progress : report.launches) {
    absl::Time since = std::min(moved, now - progress.unchanged_for);
    for (const TrackedLaunch& before : record.progress.launches) {
      if (IsSamePlace(before.progress, progress)) {
        since = std::min(since, before.unchanged_since);
      }
    }
    launches.push_back({std::move(progress), since});
  }
  record.progress.launches = std::move(launches);
  CountHoldUps(host);
}

void Liveness::SetConnected(HostId host, bool is_connected, absl::Time now) {
  auto it = hosts_.find(host);
  if (it == hosts_.end() || it->second.is_connected == is_connected) return;
  it->second.is_connected = is_connected;
  it->second.connection_changed_at = now;
}

void Liveness::Busy(HostId host, std::string what, absl::Duration at_most,
                    absl::Time now) {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return;
  std::map<std::string, absl::Time>& busy = it->second.busy;
  std::erase_if(busy, [&](const auto& entry) { return entry.second <= now; });
  busy.erase(what);
  if (at_most <= absl::ZeroDuration()) return;
  if (busy.size() < kMostAnnouncements) {
    busy.emplace(std::move(what), now + at_most);
  }
}

absl::Time Liveness::BusyUntil(const Record& record) {
  absl::Time until = absl::InfinitePast();
  for (const auto& [what, end] : record.busy) until = std::max(until, end);
  return until;
}

void Liveness::End(HostId host, HostCondition condition) {
  auto it = hosts_.find(host);
  if (it != hosts_.end()) it->second.condition = condition;
}

void Liveness::Excuse(absl::Duration pause, absl::Time now) {
  // What came since the coordinator runs again came just now.
  const auto excuse = [&](absl::Time& time) {
    time = std::min(time + pause, now);
  };
  for (auto& [id, record] : hosts_) {
    excuse(record.last_report);
    excuse(record.connection_changed_at);
    for (TrackedLaunch& launch : record.progress.launches) {
      excuse(launch.unchanged_since);
    }
  }
}

Liveness::Findings Liveness::Check(const std::vector<PendingWait>& meetings,
                                   absl::Time now) {
  Findings findings;
  for (auto& [id, record] : hosts_) {
    if (!IsAlive(record)) continue;
    record.condition =
        record.is_connected ? HostCondition::kAlive : HostCondition::kSuspect;
  }
  MarkSlow();
  still_named_.clear();
  CheckMeetings(meetings, now, findings);
  CheckLaunches(meetings, now, findings);
  named_ = still_named_;
  FindDead(now, findings);
  return findings;
}

void Liveness::FindDead(absl::Time now, Findings& findings) const {
  for (const auto& [id, record] : hosts_) {
    if (!IsAlive(record)) continue;
    const absl::Duration quiet = now - record.last_report;
    // The end of a connection may be heard late, or never.
    const bool may_be_gone =
        quiet >= options_.silence ||
        (!record.is_connected &&
         now - record.connection_changed_at >= options_.exited_after);
    if (may_be_gone && options_.process_is_gone != nullptr &&
        options_.process_is_gone(record.info)) {
      findings.deaths.push_back(
          {id, HostCondition::kExited,
           absl::UnavailableError(
               absl::StrCat(ToString(record.host), " exited: its process (pid ",
                            record.info.pid, ") is gone; last report ",
                            Seconds(quiet), " ago"))});
    } else if (quiet >= options_.silence) {
      findings.deaths.push_back(
          {id, HostCondition::kSilent,
           absl::UnavailableError(absl::StrCat(
               ToString(record.host), " is silent: no report for ",
               Seconds(quiet),
               record.is_connected ? "" : ", its connection is broken",
               "; last seen at ",
               record.info.service_address.empty()
                   ? record.info.name
                   : record.info.service_address,
               ", pid ", record.info.pid))});
    }
  }
}

void Liveness::Name(const Record& record, const std::string& wait,
                    const std::string& line, Findings& findings) {
  const auto key = std::make_pair(record.host.id, wait);
  still_named_.insert(key);
  if (!named_.contains(key)) findings.namings.push_back({record.host, line});
}

void Liveness::CheckMeetings(const std::vector<PendingWait>& meetings,
                             absl::Time now, Findings& findings) {
  for (const PendingWait& wait : meetings) {
    if (now - wait.since < options_.named_after) continue;
    for (HostId host : wait.missing) {
      auto it = hosts_.find(host);
      if (it == hosts_.end() || !IsAlive(it->second)) continue;
      Record& record = it->second;
      const std::string activity = Activity(host);
      record.condition = HostCondition::kLate;
      Name(record, wait.what,
           absl::StrCat(ToString(record.host), " has not come to ", wait.what,
                        "; ", wait.arrived.size(), " of ",
                        wait.arrived.size() + wait.missing.size(),
                        " hosts are waiting since ", Seconds(now - wait.since),
                        activity.empty() ? "" : "; it is ", activity),
           findings);
    }
  }
}

std::vector<HostProgress> Liveness::AllProgress() const {
  std::vector<HostProgress> progress;
  for (const auto& [id, record] : hosts_) {
    // What a dead host said last says nothing about whom it waits for.
    if (IsAlive(record) || record.condition == HostCondition::kLeft) {
      progress.push_back(record.progress);
    }
  }
  return progress;
}

bool Liveness::IsWaiting(const Record& record) {
  return std::any_of(record.progress.launches.begin(),
                     record.progress.launches.end(),
                     [](const TrackedLaunch& launch) {
                       return launch.progress.phase == LaunchPhase::kWaiting;
                     });
}

bool Liveness::AnyLaunchWaits() const {
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [](const auto& entry) { return IsWaiting(entry.second); });
}

void Liveness::CheckLaunches(const std::vector<PendingWait>& meetings,
                             absl::Time now, Findings& findings) {
  if (meetings.empty() && !AnyLaunchWaits()) return;
  const std::vector<HostProgress> hosts = AllProgress();
  std::vector<LaunchWait> waits = FindLaunchWaits(hosts);
  for (const LaunchWait& wait : waits) {
    for (const LaunchCulprit& culprit : wait.culprits) {
      CheckCulprit(wait, culprit, now, findings);
    }
    if (wait.culprits.empty()) CheckUnfounded(wait, now, findings);
  }
  for (const PendingWait& meeting : meetings) {
    waits.push_back(WaitAt(meeting));
  }
  CheckCircles(waits, hosts, now, findings);
}

void Liveness::CheckUnfounded(const LaunchWait& wait, absl::Time now,
                              Findings& findings) {
  const absl::Duration waited = now - wait.since;
  if (waited < options_.named_after) return;
  std::vector<std::string> names;
  for (HostId host : wait.waiting) {
    names.push_back(ToString(hosts_.at(host).host));
  }
  const std::string line =
      absl::StrCat(absl::StrJoin(names, ", "), " waits in ",
                   PlaceText(wait.where), " since ", Seconds(waited),
                   ", but nobody is behind: ", wait.waiting.size(), " of ",
                   wait.where.participants.size(), " participants wait");
  for (HostId host : wait.waiting) {
    Record& record = hosts_.at(host);
    if (!IsAlive(record)) continue;
    record.condition = HostCondition::kStuck;
    Name(record, NameOfLaunch(wait), line, findings);
  }
  if (!IsLess(LimitOf(wait.where.stall_abort, options_.stall_abort), waited)) {
    return;
  }
  findings.launch_ends.push_back({wait.where,
                                  hosts_.at(wait.waiting.front()).host,
                                  absl::DeadlineExceededError(line)});
}

void Liveness::CheckCulprit(const LaunchWait& wait,
                            const LaunchCulprit& culprit, absl::Time now,
                            Findings& findings) {
  auto it = hosts_.find(culprit.host);
  if (it == hosts_.end()) return;
  Record& record = it->second;
  const std::string place = PlaceText(wait.where);
  const absl::Duration waited = now - wait.since;
  if (record.condition == HostCondition::kLeft) {
    if (waited < options_.exited_after) return;
    findings.launch_ends.push_back(
        {wait.where, record.host,
         absl::FailedPreconditionError(absl::StrCat(
             ToString(record.host), " has left the cluster after ",
             culprit.place.empty() ? "no launch" : culprit.place, "; ",
             wait.waiting.size(), " of ", wait.where.participants.size(),
             " hosts are in ", place))});
    return;
  }
  if (!IsAlive(record)) return;
  const absl::Duration still =
      culprit.has_entered ? now - culprit.unchanged_since : waited;
  if (std::min(waited, still) < options_.named_after) return;
  record.condition =
      culprit.has_entered ? HostCondition::kStuck : HostCondition::kLate;
  std::string activity;
  const std::string doing = Doing(record);
  if (!doing.empty()) activity = absl::StrCat("; it is ", doing);
  if (culprit.place.empty()) {
    absl::StrAppend(&activity, "; it has launched nothing so far");
  } else {
    absl::StrAppend(&activity,
                    culprit.has_entered ? "; it is at " : "; its last was ",
                    culprit.place);
  }
  const std::string line =
      absl::StrCat(ToString(record.host), " has not entered ", place, "; ",
                   wait.waiting.size(), " of ", wait.where.participants.size(),
                   " hosts are waiting since ", Seconds(waited), activity);
  Name(record, NameOfLaunch(wait), line, findings);
  const absl::Duration limit =
      culprit.has_entered
          ? LimitOf(wait.where.stall_abort, options_.stall_abort)
          : LimitOf(wait.where.late_abort, options_.late_abort);
  if (!IsLess(limit, std::min(waited, still))) return;
  if (!culprit.has_entered && BusyUntil(record) > now) return;
  findings.launch_ends.push_back(
      {wait.where, record.host, absl::DeadlineExceededError(line)});
}

void Liveness::CheckCircles(const std::vector<LaunchWait>& waits,
                            const std::vector<HostProgress>& hosts,
                            absl::Time now, Findings& findings) {
  for (const LaunchCircle& circle : FindCircles(waits, hosts)) {
    if (now - circle.since < options_.named_after) continue;
    std::vector<std::string> links;
    bool is_busy = false;
    for (size_t i = 0; i < circle.hosts.size(); ++i) {
      const Record& waiter = hosts_.at(circle.hosts[i]);
      const Record& next =
          hosts_.at(circle.hosts[(i + 1) % circle.hosts.size()]);
      is_busy = is_busy || BusyUntil(waiter) > now || !IsAlive(waiter);
      links.push_back(absl::StrCat(ToString(waiter.host), " waits in ",
                                   circle.waits[i]->PlaceText(), " for ",
                                   ToString(next.host)));
    }
    if (is_busy) continue;
    const absl::Status cause = absl::FailedPreconditionError(absl::StrCat(
        "hosts wait for each other in a circle: ", absl::StrJoin(links, "; ")));
    for (size_t i = 0; i < circle.hosts.size(); ++i) {
      const LaunchProgress& launch = circle.waits[i]->where;
      if (launch.launch.number == LaunchNumber()) continue;  // of no call
      findings.launch_ends.push_back({launch, hosts_.at(circle.hosts[i]).host,
                                      cause, true, circle.waits[i]->waiting});
    }
  }
}

// When a host reports that it waits for one other host alone, that host has
// held it up once more.
void Liveness::CountHoldUps(HostId reporter) {
  Record& record = hosts_.at(reporter);
  record.held_up *= kDecayPerReport;
  record.reports = record.reports * kDecayPerReport + 1;
  for (const TrackedLaunch& launch : record.progress.launches) {
    if (launch.progress.phase != LaunchPhase::kWaiting ||
        launch.progress.waiting_for.size() != 1) {
      continue;
    }
    auto culprit = hosts_.find(launch.progress.waiting_for.front());
    // Who passes something on, and waits for it, is not the one.
    if (culprit != hosts_.end() && !IsWaiting(culprit->second)) {
      culprit->second.held_up += 1;
    }
  }
}

void Liveness::MarkSlow() {
  std::vector<double> shares;
  bool may_be_slow = false;
  for (const auto& [id, record] : hosts_) {
    shares.push_back(record.held_up / std::max(record.reports, 1.0));
    may_be_slow = may_be_slow || shares.back() > kSlowShare;
  }
  if (!may_be_slow || shares.size() < 2) return;
  std::vector<double> sorted = shares;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[(sorted.size() - 1) / 2];
  size_t i = 0;
  for (auto& [id, record] : hosts_) {
    const double share = shares[i++];
    if (record.condition == HostCondition::kAlive &&
        record.reports >= kReportsToJudge && share > kSlowShare &&
        share > kSlowMultiple * median) {
      record.condition = HostCondition::kSlow;
    }
  }
}

HostCondition Liveness::ConditionOf(HostId host) const {
  auto it = hosts_.find(host);
  return it == hosts_.end() ? HostCondition::kExited : it->second.condition;
}

std::string Liveness::Doing(const Record& record) {
  std::vector<absl::string_view> busy;
  for (const auto& [what, end] : record.busy) {
    if (end > record.last_report) busy.push_back(what);
  }
  if (busy.empty()) return record.activity;
  return absl::StrCat("busy with ", absl::StrJoin(busy, ", "));
}

std::string Liveness::Activity(HostId host) const {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return "";
  const std::string doing = Doing(it->second);
  if (!doing.empty()) return doing;
  const LaunchProgress* launch = LatestLaunch(host);
  if (launch == nullptr) return "";
  return absl::StrCat(IsInProgress(*launch) ? "in " : "after ",
                      PlaceText(*launch));
}

std::string Liveness::Describe(HostId host) const {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return absl::StrCat("host ", host.value());
  const std::string activity = Activity(host);
  return absl::StrCat(ToString(it->second.host), ", ",
                      ToString(it->second.condition),
                      activity.empty() ? "" : ", ", activity);
}

absl::Time Liveness::BusyUntil(HostId host) const {
  auto it = hosts_.find(host);
  return it == hosts_.end() ? absl::InfinitePast() : BusyUntil(it->second);
}

absl::Time Liveness::LastReport(HostId host) const {
  auto it = hosts_.find(host);
  return it == hosts_.end() ? absl::InfinitePast() : it->second.last_report;
}

const LaunchProgress* Liveness::LatestLaunch(HostId host) const {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return nullptr;
  const LaunchProgress* latest = nullptr;
  for (const TrackedLaunch& launch : it->second.progress.launches) {
    if (latest == nullptr || IsInProgress(launch.progress)) {
      latest = &launch.progress;
    }
  }
  return latest;
}

std::vector<LaunchProgress> Liveness::WaitsBetween(HostId a, HostId b) const {
  std::vector<LaunchProgress> waits;
  for (const auto& [waiter, other] : {std::pair(a, b), std::pair(b, a)}) {
    auto it = hosts_.find(waiter);
    if (it == hosts_.end() || !IsAlive(it->second)) continue;
    for (const TrackedLaunch& launch : it->second.progress.launches) {
      const auto& awaited = launch.progress.waiting_for;
      if (launch.progress.phase == LaunchPhase::kWaiting &&
          std::count(awaited.begin(), awaited.end(), other) > 0) {
        waits.push_back(launch.progress);
      }
    }
  }
  return waits;
}

std::string Liveness::RunningWith(HostId host) const {
  std::map<std::string, int> places;
  for (const auto& [id, record] : hosts_) {
    if (!IsAlive(record) && id != host) continue;
    for (const TrackedLaunch& launch : record.progress.launches) {
      const auto& participants = launch.progress.participants;
      if (IsInProgress(launch.progress) &&
          std::count(participants.begin(), participants.end(), host) > 0) {
        ++places[PlaceText(launch.progress)];
      }
    }
  }
  std::vector<std::string> texts;
  for (const auto& [place, count] : places) {
    texts.push_back(
        absl::StrCat(place, " (", count, count == 1 ? " host)" : " hosts)"));
  }
  return CutList(texts);
}

}  // namespace lockstep::internal
