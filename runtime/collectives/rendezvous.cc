#include "runtime/collectives/rendezvous.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/cancellation.h"
#include "runtime/base/check.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {

Rendezvous::Rendezvous(Options options) : options_(std::move(options)) {
  LOCKSTEP_CHECK(!options_.local_ranks.empty());
}

int Rendezvous::SlotOf(int rank) const {
  auto it = std::lower_bound(options_.local_ranks.begin(),
                             options_.local_ranks.end(), rank);
  LOCKSTEP_CHECK(it != options_.local_ranks.end() && *it == rank);
  return static_cast<int>(it - options_.local_ranks.begin());
}

absl::Status Rendezvous::CheckMatches(const Arrival& first,
                                      const Arrival& arrival) const {
  const CliqueMember& a = options_.key.members()[first.rank];
  const CliqueMember& b = options_.key.members()[arrival.rank];
  absl::Status status =
      CheckSameCall(a, *first.call, b, *arrival.call, options_.names);
  if (!status.ok()) return status;
  if (first.kind == arrival.kind && first.root == arrival.root &&
      first.operand.size() == arrival.operand.size()) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      Describe(*first.call),
      ": arguments differ within one collective: device ", a.device.value(),
      " calls ", CollectiveKindName(first.kind), " with ", first.operand.size(),
      " bytes, root ", first.root, "; device ", b.device.value(), " calls ",
      CollectiveKindName(arrival.kind), " with ", arrival.operand.size(),
      " bytes, root ", arrival.root));
}

absl::Status Rendezvous::Join(const Arrival& arrival,
                              std::shared_ptr<Gathering>* meeting,
                              bool* is_last, std::unique_ptr<LaunchId>* clash) {
  LaunchId launch = LaunchOf(*arrival.call);
  // Under the lock: a failure that is recorded after this look finds the
  // meeting that is joined below.
  absl::Status failure = options_.failures->Find(launch);
  if (!failure.ok()) return failure;
  if (gathering_ == nullptr) {
    gathering_ = std::make_shared<Gathering>();
    gathering_->launch = launch;
    gathering_->arrivals.resize(options_.local_ranks.size());
    gathering_->since.resize(options_.local_ranks.size());
    gathering_->first = &arrival;
  } else {
    absl::Status match = CheckMatches(*gathering_->first, arrival);
    if (!match.ok()) {
      *clash = std::make_unique<LaunchId>(gathering_->launch);
      return AsSharedCause(std::move(match));
    }
  }
  int slot = SlotOf(arrival.rank);
  LOCKSTEP_CHECK(gathering_->arrivals[slot] == nullptr);
  gathering_->arrivals[slot] = &arrival;
  gathering_->since[slot] = options_.clock->Now();
  *meeting = gathering_;
  *is_last =
      ++gathering_->count == static_cast<int>(options_.local_ranks.size());
  if (*is_last) executing_ = std::move(gathering_);
  return absl::OkStatus();
}

absl::Status Rendezvous::Meet(absl::Span<const Arrival> arrivals) {
  const LaunchId launch = LaunchOf(*arrivals[0].call);
  // Before joining, and without the lock, which a cancellation that has come
  // already would take at once: one that comes from here on is either recorded
  // before Join looks for it, or finds the meeting.
  CancellationToken* token = arrivals[0].call->cancellation;
  CancellationToken::Registration cancellation = token->OnCancel(
      [this, launch, token] { options_.fail_launch(launch, token->status()); });
  std::shared_ptr<Gathering> meeting;
  bool is_last = false;
  std::unique_ptr<LaunchId> clash;
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    for (const Arrival& arrival : arrivals) {
      status = Join(arrival, &meeting, &is_last, &clash);
      if (!status.ok()) break;
    }
    if (status.ok() && !is_last) return AwaitOutcome(*meeting);
  }
  if (clash != nullptr) {
    // Those who wait first: ours has nobody waiting in this meeting.
    options_.fail_launch(*clash, status);
    options_.fail_launch(launch, status);
  }
  if (status.ok()) return Lead(*meeting);
  if (meeting == nullptr) return status;
  // The launch has failed, which ends the meeting that the first of several
  // ranks have joined; it must not outlive their arrivals.
  absl::MutexLock lock(&mutex_);
  return AwaitOutcome(*meeting);
}

absl::Status Rendezvous::AwaitOutcome(const Gathering& meeting) {
  while (!meeting.is_done) meeting.done.Wait(&mutex_);
  return meeting.outcome;
}

absl::Status Rendezvous::Lead(Gathering& meeting) {
  absl::Status status = options_.execute(meeting.arrivals);
  if (!status.ok()) {
    // Recorded and then read back: another rank or host may have failed the
    // launch before, and all ranks here end with the one cause.
    options_.fail_launch(meeting.launch, status);
    absl::Status first_cause = options_.failures->Find(meeting.launch);
    if (!first_cause.ok()) status = first_cause;
  }
  // Together, under one lock: the arrivals that AppendWaits reads through
  // `executing_` end with the calls that Finish releases.
  absl::MutexLock lock(&mutex_);
  executing_ = nullptr;
  Finish(meeting, status);
  return status;
}

void Rendezvous::Finish(Gathering& meeting, const absl::Status& outcome) {
  meeting.outcome = outcome;
  meeting.is_done = true;
  meeting.done.SignalAll();
}

void Rendezvous::OnLaunchFailed(const LaunchId& launch,
                                const absl::Status& cause) {
  absl::MutexLock lock(&mutex_);
  if (gathering_ == nullptr || !(gathering_->launch == launch)) return;
  std::shared_ptr<Gathering> meeting = std::move(gathering_);
  Finish(*meeting, cause);
}

void Rendezvous::AppendMeetingWaits(const Gathering& meeting,
                                    std::vector<CollectiveWait>* waits) const {
  const std::vector<CliqueMember>& members = options_.key.members();
  std::vector<CliqueMember> missing;
  // Of other hosts nothing is awaited, nor known whether anything will be,
  // before all ranks are here.
  if (&meeting == executing_.get() && options_.remote_missing) {
    missing = options_.remote_missing();
  }
  for (size_t slot = 0; slot < meeting.arrivals.size(); ++slot) {
    if (meeting.arrivals[slot] == nullptr) {
      missing.push_back(members[options_.local_ranks[slot]]);
    }
  }
  for (size_t slot = 0; slot < meeting.arrivals.size(); ++slot) {
    if (meeting.arrivals[slot] == nullptr) continue;
    const CollectiveCall& call = *meeting.arrivals[slot]->call;
    waits->push_back({members[options_.local_ranks[slot]].device,
                      meeting.launch, call.number, Describe(call),
                      meeting.since[slot], missing});
  }
}

void Rendezvous::AppendWaits(std::vector<CollectiveWait>* waits) const {
  absl::MutexLock lock(&mutex_);
  if (gathering_ != nullptr) AppendMeetingWaits(*gathering_, waits);
  if (executing_ != nullptr) AppendMeetingWaits(*executing_, waits);
}

}  // namespace lockstep::internal
