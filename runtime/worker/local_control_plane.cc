#include "runtime/worker/local_control_plane.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/axis_resolution.h"

namespace lockstep::internal {
namespace {

constexpr HostId kMe{0};

Roster RosterOfOne(const WorkerInfo& self) {
  Roster roster;
  roster.cluster_id = absl::StrCat("local ", ToString(self.incarnation));
  roster.epoch = Epoch(1);
  Member member;
  member.host = {kMe, self.name, self.incarnation};
  member.pid = self.pid;
  member.machine = self.machine;
  member.service_address = self.service_address;
  member.transport_address = self.transport_address;
  roster.members.push_back(std::move(member));
  std::vector<Device> devices;
  for (const DeviceInfo& info : self.devices) {
    Device device;
    const auto index = static_cast<int32_t>(devices.size());
    device.id = GlobalDeviceId(index);
    device.host = kMe;
    device.local_id = LocalDeviceId(index);
    device.platform = self.platform;
    device.kind = info.kind;
    device.memory_bytes = info.memory_bytes;
    device.numa_node = info.numa_node;
    device.network_group = self.NetworkGroup();
    devices.push_back(std::move(device));
  }
  roster.world = World(std::move(devices));
  return roster;
}

}  // namespace

absl::Status LocalControlPlane::CheckJoined() const {
  absl::MutexLock lock(&mutex_);
  switch (state_) {
    case State::kNew:
      return absl::FailedPreconditionError("this host has not joined");
    case State::kJoined:
      return absl::OkStatus();
    case State::kLeft:
      return absl::FailedPreconditionError("this host has left the cluster");
  }
  return absl::OkStatus();
}

absl::StatusOr<Membership> LocalControlPlane::Join(
    const WorkerInfo& self, ControlPlaneObserver* observer) {
  if (self.devices.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker '", self.name, "' joins without devices"));
  }
  if (self.expected_hosts.value_or(1) != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat("worker '", self.name, "' expects ", *self.expected_hosts,
                     " hosts, but there is no coordinator: this is a cluster "
                     "of one"));
  }
  if (self.requested_rank.value_or(0) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker '", self.name, "' requests rank ",
                     *self.requested_rank, ", but the cluster has 1 host"));
  }
  absl::MutexLock lock(&mutex_);
  if (state_ != State::kNew) {
    return absl::FailedPreconditionError(
        absl::StrCat("worker '", self.name, "' has joined already"));
  }
  state_ = State::kJoined;
  observer_ = observer;
  roster_ = RosterOfOne(self);
  return Membership{kMe, std::make_shared<const Roster>(roster_)};
}

absl::StatusOr<AxisResolution> LocalControlPlane::ResolveAxis(
    const AxisQuery& query, const WaitOptions& options) {
  RETURN_IF_ERROR(CheckJoined());
  absl::MutexLock lock(&mutex_);
  AxisReport report;
  report.host = kMe;
  report.host_name = roster_.members[0].host.name;
  report.axis_size = query.axis_size;
  report.body_replicas.reset();
  report.devices = query.devices;
  absl::StatusOr<ResolvedAxis> axis =
      internal::ResolveAxis({&report, 1}, roster_.world);
  if (!axis.ok()) return axis.status();
  return AxisResolution{axis->global_axis_size, std::move(axis->assignment)};
}

absl::Status LocalControlPlane::Agree(const AgreementRecord& record,
                                      const WaitOptions& options) {
  RETURN_IF_ERROR(CheckJoined());
  return record.error;
}

absl::Status LocalControlPlane::Barrier(absl::string_view name,
                                        absl::Span<const HostId> participants,
                                        const WaitOptions& options) {
  RETURN_IF_ERROR(CheckJoined());
  for (HostId host : participants) {
    if (host == kMe) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("barrier '", name, "': no host ", host.value(),
                     " in the cluster of 1 host"));
  }
  return absl::OkStatus();
}

absl::StatusOr<RollCallAnswer> LocalControlPlane::CallRoll(const RollCall& call,
                                                           const WaitOptions&) {
  RETURN_IF_ERROR(CheckJoined());
  for (HostId host : call.hosts) {
    if (host == kMe) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("live_hosts '", call.name, "': no host ", host.value(),
                     " in the cluster of 1 host"));
  }
  absl::MutexLock lock(&mutex_);
  return RollCallAnswer{++last_roll_, roster_.epoch, {roster_.members[0].host}};
}

// On the thread of the notice: there is none of this object.
absl::Status LocalControlPlane::NoticePreemption() {
  RETURN_IF_ERROR(CheckJoined());
  ControlPlaneObserver* observer = nullptr;
  PreemptionOutcome outcome;
  {
    absl::MutexLock lock(&mutex_);
    if (observer_ == nullptr) return absl::OkStatus();
    observer = observer_;
    outcome.agreement = ++last_preemption_;
  }
  const int64_t last_step = observer->OnPreemption(outcome.agreement);
  {
    absl::MutexLock lock(&mutex_);
    sync_step_ = SyncStepAfter(last_step, sync_step_);
    outcome.sync_step = sync_step_;
  }
  observer->OnPreemptionOutcome(outcome);
  return absl::OkStatus();
}

absl::Status LocalControlPlane::Leave(const WaitOptions& options) {
  {
    absl::MutexLock lock(&mutex_);
    state_ = State::kLeft;
  }
  key_values_.Close(
      absl::FailedPreconditionError("this host has left the cluster"));
  return absl::OkStatus();
}

}  // namespace lockstep::internal
