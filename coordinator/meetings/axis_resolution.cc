#include "coordinator/meetings/axis_resolution.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/shared_cause.h"
#include "runtime/mesh/axis_resolution.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep::internal {
namespace {

std::string NameOf(const AxisQuery& query) {
  return absl::StrCat("pmap ",
                      query.function.empty() ? query.key : query.function,
                      " over axis '", query.axis_name, "'");
}

using HostArrival = MeetingTable<AxisQuery, SharedAxis>::HostArrival;

// The calls that brought the hosts here must be the same.
absl::Status CheckSameCall(const HostArrival& arrival,
                           const HostArrival& first) {
  if (arrival.value.description.digest == first.value.description.digest) {
    return absl::OkStatus();
  }
  return AsSharedCause(absl::FailedPreconditionError(absl::StrCat(
      "hosts make different calls: ", ToString(first.host), " makes ",
      CallText(first.value.call.number, first.value.description.text), "; ",
      ToString(arrival.host), " makes ",
      CallText(arrival.value.call.number, arrival.value.description.text))));
}

AxisReport ReportOf(const HostArrival& arrival) {
  AxisReport report;
  report.host = arrival.host.id;
  report.host_name = arrival.host.name;
  report.axis_size = arrival.value.axis_size;
  report.body_replicas.reset();
  report.devices = arrival.value.devices;
  return report;
}

}  // namespace

void AxisResolutions::Arrive(const HostRef& host, AxisQuery query,
                             const WorldIndex& world, absl::Duration timeout,
                             absl::Time now, Done<SharedAxis> done) {
  const std::string name = NameOf(query);
  absl::Status status =
      GlobalAxisSize(query.axis_size, query.devices, world, host.id).status();
  const bool is_empty_list =
      query.devices.has_value() && query.devices->empty();
  if (!is_empty_list) {
    status = ValidateDeviceList(query.devices, world);
    if (status.ok()) status = CheckTakesPart(query.devices, world, host.id);
  }
  if (!status.ok()) return done(Annotate(status, name));
  const HostSet participants = ParticipantsOf(query, world);
  Meetings::Meeting* meeting = meetings_.Find(query.key, host.id, participants);
  if (meeting == nullptr) {
    meeting = &meetings_.Open(query.key, participants, now + timeout);
  }
  const bool was_open = !meeting->outcome.has_value();
  if (was_open && meeting->HasArrived(host.id)) {
    return done(absl::FailedPreconditionError(
        absl::StrCat(NameOf(query), ": another thread of ", ToString(host),
                     " waits in it")));
  }
  // Before the checks that end the meeting: the caller gets the outcome, too.
  // With an outcome the meeting may be gone afterwards.
  meetings_.Arrive(*meeting, {host, std::move(query), now, std::move(done)});
  if (!was_open) return;
  if (meeting->arrivals.size() == 1) {  // who ends later is lost to the meeting
    if (const auto ended = FirstEnded(directory_, participants)) {
      meeting->uncollected.erase(*ended);
      return meetings_.Conclude(
          *meeting,
          AbortedBy(directory_.Ref(*ended), directory_.StateOf(*ended), name));
    }
  }
  if (meeting->IsComplete()) {
    return meetings_.Conclude(*meeting, Verdict(*meeting, world));
  }
  if (meeting->close_at != absl::InfiniteFuture()) return;
  // Those that differ do not end it yet: with all reports the verdict names the
  // minority, so the rest has `patience_` to come.
  const HostArrival& first = meeting->arrivals.front();
  const HostArrival& latest = meeting->arrivals.back();
  if (!CheckSameCall(latest, first).ok() ||
      !CheckReport(ReportOf(latest), ReportOf(first), world).ok()) {
    meeting->close_at = now + patience_;
  }
}

HostSet AxisResolutions::ParticipantsOf(const AxisQuery& query,
                                        const WorldIndex& world) const {
  if (!query.devices.has_value()) return directory_.AllHosts();
  return HostSet(ParticipatingHosts(query.devices, world));
}

absl::StatusOr<SharedAxis> AxisResolutions::Verdict(
    const Meetings::Meeting& meeting, const WorldIndex& world) {
  std::vector<AxisReport> reports;
  for (const HostArrival& arrival : meeting.arrivals) {
    RETURN_IF_ERROR(CheckSameCall(arrival, meeting.arrivals.front()));
    reports.push_back(ReportOf(arrival));
  }
  absl::StatusOr<ResolvedAxis> axis = ResolveAxis(reports, world);
  if (!axis.ok()) {
    return Annotate(axis.status(), NameOf(meeting.arrivals.front().value));
  }
  return std::make_shared<const AxisResolution>(
      AxisResolution{axis->global_axis_size, std::move(axis->assignment)});
}

void AxisResolutions::Cancel(const HostRef& host, const std::string& key) {
  const absl::Status cancelled = absl::CancelledError(
      absl::StrCat("pmap ", key, " was cancelled by the caller"));
  meetings_.Cancel(key, host.id, cancelled,
                   AbortedBy(host, cancelled, "axis resolution"));
}

void AxisResolutions::Lose(const HostRef& host, const absl::Status& cause) {
  meetings_.Lose(host.id, [&](const Meetings::Meeting& meeting) {
    return AbortedBy(host, cause, NameOf(meeting.arrivals.front().value));
  });
}

void AxisResolutions::Tick(const WorldIndex& world, absl::Time now) {
  for (Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (now >= meeting->close_at) {
      meetings_.Conclude(*meeting, Verdict(*meeting, world));
    } else if (now >= LatestArrival(directory_, meeting->Missing(),
                                    meeting->deadline)) {
      meetings_.Conclude(
          *meeting,
          LateStatus(directory_, NameOf(meeting->arrivals.front().value),
                     meeting->Arrived(), meeting->Missing(),
                     now - meeting->arrivals.front().at));
    }
  }
}

std::vector<PendingWait> AxisResolutions::Waits(absl::Time begun_by) const {
  std::vector<PendingWait> waits;
  for (const Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (meeting->arrivals.front().at > begun_by) continue;
    waits.push_back({NameOf(meeting->arrivals.front().value),
                     meeting->arrivals.front().value.call,
                     meeting->arrivals.front().value.description.text,
                     meeting->Arrived(), meeting->Missing(),
                     meeting->arrivals.front().at,
                     meeting->arrivals.back().at});
  }
  return waits;
}

}  // namespace lockstep::internal
