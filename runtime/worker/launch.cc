#include "runtime/worker/launch.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/notification.h"
#include "runtime/base/status.h"
#include "runtime/devices/following_event.h"

namespace lockstep::internal {
namespace {

using Phase = ProgressCell::Phase;

// Waits until the argument is placed or the launch has ended.
absl::Status AwaitArgument(BufferStorage& storage, CancellationToken& token) {
  struct Wait {
    absl::Mutex mutex;
    bool is_over ABSL_GUARDED_BY(mutex) = false;
    void End() {
      absl::MutexLock lock(&mutex);
      is_over = true;
    }
  };
  if (!storage.is_placed()) {
    auto wait = std::make_shared<Wait>();
    storage.OnPlaced([wait](const absl::Status&) { wait->End(); });
    auto registration = token.OnCancel([wait] { wait->End(); });
    absl::MutexLock lock(&wait->mutex);
    wait->mutex.Await(absl::Condition(&wait->is_over));
  }
  return token.status();
}

// The same status, telling which donated arguments are gone with the launch.
absl::Status WithLostDonations(const absl::Status& status,
                               const CompiledProgram& program) {
  if (program.donated_arguments().empty()) return status;
  absl::Status result(
      status.code(),
      absl::StrCat(status.message(), "; lost with it: donated arguments ",
                   absl::StrJoin(program.donated_arguments(), ", "), " of ",
                   program.name()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    result.SetPayload(url, payload);
  });
  return result;
}

LaunchPhase PhaseOf(const std::vector<ProgressCell::Snapshot>& devices) {
  auto any = [&](Phase phase) {
    return std::any_of(devices.begin(), devices.end(),
                       [&](const auto& s) { return s.phase == phase; });
  };
  if (any(Phase::kFailed)) return LaunchPhase::kFailed;
  if (any(Phase::kRunning)) return LaunchPhase::kRunning;
  if (any(Phase::kWaiting)) return LaunchPhase::kWaiting;
  if (any(Phase::kQueued) || any(Phase::kArguments) || any(Phase::kPreparing)) {
    return LaunchPhase::kPreparing;
  }
  return LaunchPhase::kDone;
}

}  // namespace

Launch::Launch(Options options)
    : options_(std::move(options)),
      group_({static_cast<int>(options_.program->local_devices().size()),
              [this](const absl::Status& cause) {
                if (options_.on_failure) options_.on_failure(*this, cause);
              },
              options_.verdict_grace}),
      unfinished_(static_cast<int>(options_.program->local_devices().size())) {
  for (int i = 0; i < unfinished_; ++i) {
    cells_.push_back(std::make_unique<ProgressCell>());
    if (options_.profile.on_done == nullptr) continue;
    recorders_.push_back(std::make_unique<ProfileRecorder>(
        program().executable().thunks(),
        ProfileRecorder::Options{.most_events = options_.profile.most_events}));
  }
}

std::string Launch::ToString() const {
  return absl::StrCat("launch ", info().number.value(), " of ",
                      program().name());
}

void Launch::Abort(const absl::Status& cause) {
  if (options_.on_abort) options_.on_abort(*this, cause);
  group_.Abort(cause);
}

bool Launch::Involves(HostId host, Incarnation incarnation) const {
  return std::any_of(options_.members.begin(), options_.members.end(),
                     [&](const CliqueMember& member) {
                       return member.host == host &&
                              member.incarnation == incarnation;
                     });
}

void Launch::RunOnLocalDevice(size_t local_device, LocalPart part) {
  absl::StatusOr<LaunchResults> values = Run(local_device, part);
  const std::shared_ptr<DeviceEvent> done =
      values.ok() ? values->done : nullptr;
  Place(part.results, std::move(values));
  if (done == nullptr) return CountDone();
  done->OnReady(
      [self = shared_from_this()](const absl::Status&) { self->CountDone(); });
}

void Launch::CountDone() {
  if (--unfinished_ == 0) End();
}

void Launch::End() {
  if (!recorders_.empty()) {
    const absl::Status status = group_.status();
    std::vector<DeviceProfile> profiles;
    for (size_t i = 0; status.ok() && i < recorders_.size(); ++i) {
      profiles.push_back(recorders_[i]->Take());
      profiles[i].device = program().local_devices()[i];
      profiles[i].flattened_id = program().local_places()[i];
    }
    if (status.ok()) {
      options_.profile.on_done(std::move(profiles));
    } else {
      options_.profile.on_done(status);
    }
  }
  if (options_.on_done) options_.on_done(*this);
}

void Launch::Place(const std::vector<std::shared_ptr<Buffer>>& results,
                   absl::StatusOr<LaunchResults> values) {
  if (!values.ok()) {
    const absl::Status status = WithLostDonations(values.status(), program());
    for (const auto& result : results) result->SetError(status);
    return;
  }
  std::shared_ptr<DeviceEvent> ready;
  if (values->done != nullptr) {
    ready = std::make_shared<FollowingEvent>(values->done);
    values->done->OnReady([self = shared_from_this(),
                           ready](const absl::Status& status) {
      ready->Finish(status.ok() ? status
                                : WithLostDonations(status, self->program()));
    });
  }
  for (size_t i = 0; i < results.size(); ++i) {
    results[i]->SetMemory({std::move(values->memory[i]), ready});
  }
}

void Launch::RunTogether(std::vector<LocalPart> parts) {
  absl::StatusOr<std::vector<LaunchResults>> values = RunAll(parts);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (values.ok()) {
      Place(parts[i].results, std::move((*values)[i]));
    } else {
      Place(parts[i].results, values.status());
    }
  }
  unfinished_ = 0;
  End();
}

absl::StatusOr<std::vector<LaunchResults>> Launch::RunAll(
    std::vector<LocalPart>& parts) {
  std::vector<DeviceLaunch> devices;
  std::vector<std::vector<LaunchArgument>> arguments;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto taken = TakeArguments(std::move(parts[i].arguments), *cells_[i]);
    if (!taken.ok()) {
      for (const auto& cell : cells_) cell->SetPhase(Phase::kFailed);
      group_.Fail(taken.status());
      return group_.status();
    }
    devices.push_back(LaunchOf(i, *parts[i].arena));
    arguments.push_back(*std::move(taken));
  }
  return lockstep::internal::RunTogether(devices, std::move(arguments));
}

DeviceLaunch Launch::LaunchOf(size_t local_device, LaunchArena& arena) {
  DeviceLaunch launch;
  launch.executable = &program().executable();
  launch.info = &options_.info;
  launch.flattened_id = program().local_places()[local_device];
  launch.members = options_.members;
  launch.clique_provider = options_.clique_provider;
  launch.constants = &program().constants(local_device);
  launch.arena = &arena;
  launch.group = &group_;
  launch.progress = cells_[local_device].get();
  if (!recorders_.empty()) launch.profile = recorders_[local_device].get();
  return launch;
}

absl::StatusOr<LaunchResults> Launch::Run(size_t local_device,
                                          LocalPart& part) {
  ProgressCell& cell = *cells_[local_device];
  absl::StatusOr<std::vector<LaunchArgument>> taken =
      TakeArguments(std::move(part.arguments), cell);
  if (!taken.ok()) {
    cell.SetPhase(Phase::kFailed);
    group_.Fail(taken.status());
    return group_.status();
  }
  return RunOnDevice(LaunchOf(local_device, *part.arena), *std::move(taken));
}

absl::StatusOr<std::vector<LaunchArgument>> Launch::TakeArguments(
    std::vector<Argument> arguments, ProgressCell& cell) {
  cell.SetPhase(Phase::kArguments);
  for (const Argument& argument : arguments) {
    RETURN_IF_ERROR(AwaitArgument(*argument.storage, group_.cancellation()));
  }
  std::vector<LaunchArgument> taken;
  for (const Argument& argument : arguments) {
    LaunchArgument& next = taken.emplace_back();
    next.is_donated = argument.is_donated;
    ASSIGN_OR_RETURN(next.value, argument.is_donated
                                     ? argument.buffer->Take()
                                     : argument.storage->Memory());
  }
  return taken;
}

LaunchProgress Launch::Progress() const {
  LaunchProgress progress;
  progress.launch = key();
  progress.program = program().name();
  progress.participants = program().participants();
  progress.stall_abort = options_.stall_abort;
  progress.late_abort = options_.late_abort;
  std::vector<ProgressCell::Snapshot> devices;
  for (const auto& cell : cells_) devices.push_back(cell->Read());
  progress.phase = PhaseOf(devices);
  const auto least = std::min_element(
      devices.begin(), devices.end(),
      [](const auto& a, const auto& b) { return a.collective < b.collective; });
  progress.collective = least->collective;
  progress.collective_name = least->collective_name;
  for (const ProgressCell::Snapshot& device : devices) {
    progress.thunk_count += device.thunk_count;
  }
  return progress;
}

std::string Launch::RunningCollective() const {
  for (const auto& cell : cells_) {
    const ProgressCell::Snapshot snapshot = cell->Read();
    if (snapshot.phase == Phase::kWaiting) return snapshot.collective_name;
  }
  return "";
}

}  // namespace lockstep::internal
