#include "coordinator/members.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/host_assignment.h"
#include "coordinator/join_checks.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

// A worker may hear of several epochs at once, while others connect with the
// secret of one of them.
constexpr size_t kMaxSecrets = 8;

std::vector<WorkerInfo> InfosOf(const std::vector<MemberRecord>& records) {
  std::vector<WorkerInfo> infos;
  for (const MemberRecord& record : records) infos.push_back(record.info);
  return infos;
}

}  // namespace

int32_t Members::expected_hosts() const {
  if (options_.expected_hosts.has_value()) return *options_.expected_hosts;
  return launcher_hosts_.value_or(1);
}

void Members::Refuse(MemberRecord& joiner, const absl::Status& status) {
  LogInfo(absl::StrCat("refused '", joiner.info.name, "': ", status.message()));
  joiner.done(status);
  joiner.link->Close(status);
}

void Members::Join(MemberRecord joiner, absl::Time now) {
  joiner.connection_changed_at = now;
  if (joiner.info.protocol != kProtocolVersion) {
    return Refuse(joiner, absl::FailedPreconditionError(absl::StrCat(
                              "'", joiner.info.name, "' speaks protocol ",
                              joiner.info.protocol, ", the coordinator ",
                              kProtocolVersion)));
  }
  if (!joiner.info.cluster_id.empty() &&
      joiner.info.cluster_id != cluster_id_) {
    return Refuse(joiner,
                  absl::FailedPreconditionError(absl::StrCat(
                      "'", joiner.info.name, "' belongs to cluster ",
                      joiner.info.cluster_id,
                      ", this coordinator serves cluster ", cluster_id_)));
  }
  const absl::Status not_ended = CheckNotEnded(joiner.info.incarnation);
  if (!not_ended.ok()) return Refuse(joiner, not_ended);
  if (is_formed_ && !AnyAlive()) StartAnew();
  if (is_formed_) {
    JoinFormed(std::move(joiner), now);
  } else {
    JoinForming(std::move(joiner), now);
  }
}

void Members::RefuseWaiting(const absl::Status& status) {
  for (auto* waiting : {&joiners_, &held_}) {
    for (MemberRecord& each : std::exchange(*waiting, {})) Refuse(each, status);
  }
}

void Members::StartAnew() {
  is_formed_ = false;
  members_.clear();
  world_ = World();
  launcher_hosts_.reset();
  gone_joiners_.clear();
}

absl::Status Members::CheckAgainstJoiners(const MemberRecord& joiner) const {
  for (const MemberRecord& other : joiners_) {
    if (other.info.name == joiner.info.name && other.is_connected) {
      return NameInUse(joiner.info, other.info);
    }
    const absl::Status status = CheckDistinct(joiner.info, other.info);
    if (!status.ok() && other.info.name != joiner.info.name) return status;
  }
  return absl::OkStatus();
}

void Members::JoinForming(MemberRecord joiner, absl::Time now) {
  if (joiners_.empty()) {
    forming_since_ = now;
    launcher_hosts_ = joiner.info.expected_hosts;
  }
  absl::Status status = CheckWorkerInfo(joiner.info, expected_hosts());
  if (status.ok()) status = CheckAgainstJoiners(joiner);
  if (!status.ok()) return Refuse(joiner, status);
  // Its earlier life, whose connection broke while it waited.
  std::erase_if(joiners_, [&](MemberRecord& other) {
    if (other.info.name != joiner.info.name) return false;
    Refuse(other, absl::FailedPreconditionError("replaced by a new start"));
    return true;
  });
  joiners_.push_back(std::move(joiner));
  gone_joiners_.erase(joiners_.back().info.name);
  status = CheckNetworkGroups(joiners_.back().info, joiners_.front().info);
  if (!status.ok()) {
    for (MemberRecord& each : std::exchange(joiners_, {})) Refuse(each, status);
    return;
  }
  FormIfComplete(now);
  TellJoiners(now);
}

void Members::FormIfComplete(absl::Time now) {
  if (static_cast<int32_t>(joiners_.size()) < expected_hosts()) return;
  const std::vector<WorkerInfo> infos = InfosOf(joiners_);
  const std::vector<int> odd = OddVersions(infos);
  if (!odd.empty()) {
    const absl::Status status = VersionMismatch(infos);
    for (auto i = odd.rbegin(); i != odd.rend(); ++i) {
      Refuse(joiners_[*i], status);
      joiners_.erase(joiners_.begin() + *i);
    }
    return;
  }
  for (int joiner : AssignHostIds(infos)) {
    MemberRecord& record = joiners_[joiner];
    record.id = HostId(static_cast<int32_t>(members_.size()));
    members_.push_back(std::move(record));
  }
  joiners_.clear();
  world_ = BuildWorld(InfosOf(members_));
  is_formed_ = true;
  ++formation_;
  NextEpoch(static_cast<int64_t>(members_.size()));
  LogInfo(absl::StrCat("all ", members_.size(), " hosts joined"));
  for (MemberRecord& member : members_) {
    std::exchange(member.done, nullptr)(Membership{member.id, roster()});
  }
}

void Members::NextEpoch(int64_t step) {
  epoch_ = Epoch(epoch_.value() + step);
  if (!options_.make_secret) return;
  secrets_.insert(secrets_.begin(), options_.make_secret());
  if (secrets_.size() > kMaxSecrets) secrets_.resize(kMaxSecrets);
}

void Members::JoinFormed(MemberRecord joiner, absl::Time now) {
  auto member = std::find_if(members_.begin(), members_.end(),
                             [&](const MemberRecord& member) {
                               return member.info.name == joiner.info.name;
                             });
  if (member == members_.end()) {
    return Refuse(joiner, absl::FailedPreconditionError(absl::StrCat(
                              "the cluster expects ", members_.size(),
                              " hosts and has them; '", joiner.info.name,
                              "' is one more")));
  }
  if (member->is_alive()) {
    if (member->is_connected) {
      return Refuse(joiner, NameInUse(joiner.info, member->info));
    }
    // Either the old life reconnects, or it is declared dead soon.
    held_.push_back(std::move(joiner));
    return;
  }
  absl::Status status = CheckReplacement(joiner.info, member->info);
  if (status.ok() && !OddVersions({member->info, joiner.info}).empty()) {
    std::vector<WorkerInfo> infos = InfosOf(members_);
    infos.push_back(joiner.info);
    status = VersionMismatch(infos);
  }
  if (!status.ok()) return Refuse(joiner, status);
  joiner.id = member->id;
  *member = std::move(joiner);
  NextEpoch(1);
  LogInfo(absl::StrCat(ToString(member->ref()), " is back"));
  std::exchange(member->done, nullptr)(Membership{member->id, roster()});
}

void Members::SetConnected(Incarnation incarnation, bool is_connected,
                           absl::Time now) {
  for (auto* records : {&members_, &joiners_, &held_}) {
    for (MemberRecord& record : *records) {
      if (record.info.incarnation != incarnation ||
          record.is_connected == is_connected) {
        continue;
      }
      record.is_connected = is_connected;
      record.connection_changed_at = now;
    }
  }
  if (is_connected) Tick(now);
}

void Members::End(HostId host, MemberState state, std::string reason,
                  absl::Time now) {
  for (MemberRecord& member : members_) {
    if (member.id != host || !member.is_alive()) continue;
    member.state = state;
    member.state_reason = reason;
    ended_[member.info.incarnation] = {member.ref(), reason};
    NextEpoch(1);
  }
  Tick(now);
}

void Members::Tick(absl::Time now) {
  for (MemberRecord& joiner : std::exchange(held_, {})) {
    if (joiner.is_connected) Join(std::move(joiner), now);
  }
  const size_t before = joiners_.size();
  std::erase_if(joiners_, [&](const MemberRecord& joiner) {
    const bool is_gone = !joiner.is_connected &&
                         now - joiner.connection_changed_at >= options_.silence;
    if (is_gone) {
      gone_joiners_[joiner.info.name] = {joiner.connection_changed_at,
                                         "its connection broke"};
      joiner.link->Close(absl::UnavailableError("its connection broke"));
    }
    return is_gone;
  });
  if (joiners_.size() != before) TellJoiners(now);
  if (!joiners_.empty() && now - forming_since_ >= options_.join_deadline) {
    const absl::Status status = absl::DeadlineExceededError(
        absl::StrCat("join: ", WaitingLine(now), ", after ",
                     absl::FormatDuration(now - forming_since_)));
    for (MemberRecord& each : std::exchange(joiners_, {})) Refuse(each, status);
  }
}

void Members::TellJoiners(absl::Time now) {
  if (joiners_.empty()) return;
  const std::string line = WaitingLine(now);
  LogInfo(line);
  for (MemberRecord& joiner : joiners_) {
    joiner.link->PushNotice(line, std::nullopt);
  }
}

std::vector<std::string> Members::MissingNames(absl::Time now) const {
  std::set<std::string> joined;
  for (const MemberRecord& joiner : joiners_) joined.insert(joiner.info.name);
  std::vector<std::string> missing;
  for (const auto& [name, when_and_why] : gone_joiners_) {
    missing.push_back(
        absl::StrCat(name, " (gone since ",
                     absl::FormatDuration(absl::Floor(now - when_and_why.first,
                                                      absl::Milliseconds(100))),
                     ": ", when_and_why.second, ")"));
    joined.insert(name);
  }
  for (const std::string& name : options_.expected_names) {
    if (!joined.contains(name)) missing.push_back(name + " (never seen)");
  }
  const int unknown = expected_hosts() - static_cast<int>(joiners_.size()) -
                      static_cast<int>(missing.size());
  if (unknown > 0) {
    missing.push_back(absl::StrCat(unknown, unknown == 1 ? " host" : " hosts",
                                   " never seen"));
  }
  return missing;
}

std::string Members::WaitingLine(absl::Time now) const {
  if (is_formed_) return absl::StrCat("all ", members_.size(), " hosts joined");
  return absl::StrCat(joiners_.size(), " of ", expected_hosts(),
                      " hosts joined; missing: ", CutList(MissingNames(now)));
}

Roster Members::roster() const {
  Roster roster;
  roster.cluster_id = cluster_id_;
  roster.epoch = epoch_;
  roster.world = world_;
  roster.limits = options_.limits();
  roster.secrets = secrets_;
  for (const MemberRecord& record : members_) {
    Member member;
    member.host = record.ref();
    member.state = record.state;
    member.pid = record.info.pid;
    member.machine = record.info.machine;
    member.service_address = record.info.service_address;
    member.transport_address = record.info.transport_address;
    roster.members.push_back(std::move(member));
  }
  return roster;
}

const MemberRecord* Members::Find(HostId host) const {
  if (host.value() < 0 ||
      host.value() >= static_cast<int32_t>(members_.size())) {
    return nullptr;
  }
  return &members_[host.value()];
}

absl::StatusOr<const MemberRecord*> Members::FindAlive(
    Incarnation incarnation) const {
  for (const MemberRecord& member : members_) {
    if (member.info.incarnation == incarnation && member.is_alive()) {
      return &member;
    }
  }
  RETURN_IF_ERROR(CheckNotEnded(incarnation));
  return absl::FailedPreconditionError(
      absl::StrCat("incarnation ", ToString(incarnation),
                   " is not of this cluster (", cluster_id_, ")"));
}

absl::Status Members::CheckNotEnded(Incarnation incarnation) const {
  auto ended = ended_.find(incarnation);
  if (ended == ended_.end()) return absl::OkStatus();
  const auto& [host, reason] = ended->second;
  std::string message = absl::StrCat("incarnation ", ToString(incarnation),
                                     " of ", ToString(host), " has ended (",
                                     reason, "); the worker must start anew");
  const MemberRecord* successor = Find(host.id);
  if (successor != nullptr && successor->info.incarnation != incarnation) {
    absl::StrAppend(&message, "; its place has incarnation ",
                    ToString(successor->info.incarnation));
  }
  return absl::FailedPreconditionError(message);
}

bool Members::AnyAlive() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const MemberRecord& m) { return m.is_alive(); });
}

std::vector<HostRef> Members::Refs(const std::vector<HostId>& hosts) const {
  std::vector<HostRef> refs;
  for (HostId host : hosts) {
    const MemberRecord* member = Find(host);
    refs.push_back(member != nullptr ? member->ref()
                                     : HostRef{host, "unknown", Incarnation()});
  }
  return refs;
}

}  // namespace lockstep
