#include "runtime/worker/cluster_view.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

void ClusterView::Update(const Roster& roster) {
  const bool is_newer = roster_.epoch < roster.epoch;
  if (is_newer) roster_ = roster;
  for (const Member& member : roster.members) {
    Life& life = lives_[member.host.id];
    if (life.incarnation == member.host.incarnation) {
      life.since = std::min(life.since, roster.epoch);
      continue;
    }
    if (!is_newer) continue;
    life = Life{member.host.incarnation, roster.epoch, absl::OkStatus()};
  }
}

void ClusterView::MarkLost(const HostRef& host, const absl::Status& status) {
  auto it = lives_.find(host.id);
  if (it == lives_.end() || it->second.incarnation != host.incarnation) return;
  if (it->second.lost.ok()) it->second.lost = status;
}

std::string ClusterView::Name(HostId host) const {
  const Member* member = roster_.Find(host);
  return member == nullptr ? absl::StrCat("host ", host.value())
                           : ToString(member->host);
}

absl::StatusOr<std::vector<HostId>> ClusterView::Participants(
    const DeviceAssignment& assignment) const {
  std::set<HostId> hosts;
  for (GlobalDeviceId id : assignment.devices()) {
    const Device* device = roster_.world.Find(id);
    if (device == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the device assignment ", assignment.ToString(), " has device ",
          id.value(), ", the cluster has devices 0 to ",
          roster_.world.device_count() - 1));
    }
    hosts.insert(device->host);
  }
  return std::vector<HostId>(hosts.begin(), hosts.end());
}

absl::StatusOr<std::vector<HostRef>> ClusterView::Hosts(
    const std::optional<std::vector<GlobalDeviceId>>& devices) const {
  std::set<HostId> ids;
  if (devices.has_value()) {
    for (GlobalDeviceId id : *devices) {
      const Device* device = roster_.world.Find(id);
      if (device == nullptr) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the cluster has no device ", id.value(), "; it has devices 0 to ",
            roster_.world.device_count() - 1));
      }
      ids.insert(device->host);
    }
  }
  std::vector<HostRef> hosts;
  for (const Member& member : roster_.members) {
    if (devices.has_value() && !ids.contains(member.host.id)) continue;
    if (member.state != MemberState::kLeft) {
      RETURN_IF_ERROR(CheckAlive(member));
    }
    hosts.push_back(member.host);
  }
  return hosts;
}

bool ClusterView::IsCurrent(const HostRef& host) const {
  const auto life = lives_.find(host.id);
  return life == lives_.end() || life->second.incarnation == host.incarnation;
}

absl::Status ClusterView::CheckAlive(const Member& member) const {
  const Life& life = lives_.at(member.host.id);
  if (!life.lost.ok()) return life.lost;
  switch (member.state) {
    case MemberState::kAlive:
      return absl::OkStatus();
    case MemberState::kLeft:
      return absl::FailedPreconditionError(
          absl::StrCat(ToString(member.host), " has left the cluster"));
    case MemberState::kDead:
      return AbortedBy(member.host, absl::UnavailableError("the host is dead"),
                       "");
  }
  return absl::OkStatus();
}

absl::Status ClusterView::CheckLinks(const std::vector<HostId>& hosts) const {
  const auto takes_part = [&](const HostRef& host) {
    return std::find(hosts.begin(), hosts.end(), host.id) != hosts.end();
  };
  for (const CutLink& link : cut_) {
    if (takes_part(link.first) && takes_part(link.second)) {
      return link.ToStatus();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<CliqueMember>> ClusterView::Members(
    const DeviceAssignment& assignment, bool may_have_left) const {
  std::vector<CliqueMember> members;
  for (GlobalDeviceId id : assignment.devices()) {
    const Device* device = roster_.world.Find(id);
    const Member* member =
        device == nullptr ? nullptr : roster_.Find(device->host);
    if (member == nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat("the cluster has no device ", id.value()));
    }
    if (!may_have_left || member->state != MemberState::kLeft) {
      RETURN_IF_ERROR(CheckAlive(*member));
    }
    members.push_back({id, device->host, member->host.incarnation});
  }
  return members;
}

Epoch ClusterView::EpochOf(const std::vector<HostId>& participants) const {
  Epoch epoch;
  for (HostId host : participants) {
    auto it = lives_.find(host);
    if (it != lives_.end()) epoch = std::max(epoch, it->second.since);
  }
  return epoch;
}

}  // namespace lockstep::internal
