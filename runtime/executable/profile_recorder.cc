#include "runtime/executable/profile_recorder.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/executable/collective_start_thunk.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/thunk.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {
namespace {

int64_t BytesOf(const Thunk& thunk) {
  if (thunk.work().bytes.has_value()) return *thunk.work().bytes;
  if (!thunk.nested().empty()) return 0;
  int64_t bytes = 0;
  for (const BufferUse& use : thunk.buffer_uses()) bytes += use.slice.size;
  return bytes;
}

ProfiledThunk Describe(const Thunk& thunk, int32_t parent, bool is_beside) {
  ProfiledThunk described;
  described.kind = thunk.kind();
  described.ops = thunk.work().ops;
  described.location = thunk.location();
  described.parent = parent;
  described.bytes = BytesOf(thunk);
  described.flops = thunk.work().flops;
  described.is_beside = is_beside;
  const auto* collective = dynamic_cast<const CollectiveThunk*>(&thunk);
  if (collective != nullptr) described.groups = collective->groups();
  return described;
}

}  // namespace

ProfileRecorder::ProfileRecorder(const ThunkSequence& thunks, Options options)
    : options_(std::move(options)) {
  AddRows(thunks, -1);
  rows_.resize(profile_.thunks.size());
}

void ProfileRecorder::AddRow(const Thunk& thunk, int32_t parent,
                             bool is_beside) {
  positions_[&thunk] = static_cast<int32_t>(profile_.thunks.size());
  profile_.thunks.push_back(Describe(thunk, parent, is_beside));
}

void ProfileRecorder::AddRows(const ThunkSequence& thunks, int32_t parent) {
  for (const std::unique_ptr<Thunk>& thunk : thunks.thunks()) {
    const auto position = static_cast<int32_t>(profile_.thunks.size());
    AddRow(*thunk, parent, /*is_beside=*/false);
    const auto* start = dynamic_cast<const CollectiveStartThunk*>(thunk.get());
    if (start != nullptr) {
      AddRow(start->collective(), parent, /*is_beside=*/true);
    }
    for (const Thunk* called : thunk->called()) {
      AddRow(*called, position, /*is_beside=*/false);
    }
    for (const ThunkSequence* nested : thunk->nested()) {
      AddRows(*nested, position);
    }
  }
}

int64_t ProfileRecorder::Now() const {
  if (options_.now) return options_.now();
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void ProfileRecorder::BeginLaunch(absl::Time now) {
  profile_.begin = now;
  begin_ = Now();
}

void ProfileRecorder::EndLaunch() {
  profile_.duration = absl::Nanoseconds(Now() - begin_);
}

ProfileRecorder::Open ProfileRecorder::OpenRow(int32_t row, int64_t iteration,
                                               Track& track) {
  Open open;
  open.row = row;
  if (static_cast<int64_t>(track.events.size()) < options_.most_events) {
    open.event = static_cast<int64_t>(track.events.size());
    ThunkEvent& event = track.events.emplace_back();
    event.thunk = row;
    event.iteration = iteration;
  } else {
    ++track.left_out;
  }
  open.start = Now();
  return open;
}

int64_t ProfileRecorder::CloseRow(const Open& open, Track& track) {
  const int64_t duration = Now() - open.start;
  Row& row = rows_[open.row];
  ++row.count;
  row.total += duration;
  row.nested += open.nested;
  row.longest = std::max(row.longest, duration);
  row.sample.Add(duration);
  if (open.event >= 0) {
    ThunkEvent& event = track.events[open.event];
    event.start = absl::Nanoseconds(open.start - begin_);
    event.duration = absl::Nanoseconds(duration);
  }
  return duration;
}

void ProfileRecorder::Begin(const Thunk& thunk) {
  const int32_t position = positions_.at(&thunk);
  const int64_t run = open_.empty() ? 0 : rows_[open_.back().row].count;
  Row& row = rows_[position];
  if (row.loop_run != run) {
    row.loop_run = run;
    row.begun_in_loop_run = 0;
  }
  open_.push_back(OpenRow(position, row.begun_in_loop_run++, track_));
}

void ProfileRecorder::End() {
  LOCKSTEP_CHECK(!open_.empty());
  const int64_t duration = CloseRow(open_.back(), track_);
  open_.pop_back();
  if (!open_.empty()) open_.back().nested += duration;
}

void ProfileRecorder::QueueBeside(int64_t number, const Thunk& collective) {
  absl::MutexLock lock(&mutex_);
  beside_[number].row = positions_.at(&collective);
}

void ProfileRecorder::BeginBeside(int64_t number) {
  absl::MutexLock lock(&mutex_);
  const auto open = beside_.find(number);
  if (open == beside_.end()) return;
  Row& row = rows_[open->second.row];
  open->second =
      OpenRow(open->second.row, row.begun_in_loop_run++, beside_track_);
}

void ProfileRecorder::EndBeside(int64_t number) {
  absl::MutexLock lock(&mutex_);
  const auto open = beside_.find(number);
  if (open != beside_.end()) CloseRow(open->second, beside_track_);
}

DeviceProfile ProfileRecorder::Take() {
  LOCKSTEP_CHECK(open_.empty());
  for (const Row& row : rows_) {
    ThunkTimes& times = profile_.times.emplace_back();
    times.count = row.count;
    times.total = absl::Nanoseconds(row.total);
    times.nested = absl::Nanoseconds(row.nested);
    times.median = absl::Nanoseconds(row.sample.Median());
    times.longest = absl::Nanoseconds(row.longest);
  }
  profile_.events = std::move(track_.events);
  profile_.events_left_out = track_.left_out;
  absl::MutexLock lock(&mutex_);
  profile_.events.insert(profile_.events.end(), beside_track_.events.begin(),
                         beside_track_.events.end());
  profile_.events_left_out += beside_track_.left_out;
  return std::move(profile_);
}

}  // namespace lockstep::internal
