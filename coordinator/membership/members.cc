#include "coordinator/membership/members.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/membership/host_assignment.h"
#include "coordinator/membership/join_checks.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Of lines about who is missing: grows with the number of those who get them,
// so that joining takes a number of messages in proportion to the hosts.
constexpr absl::Duration kTellingPause = absl::Milliseconds(100);
constexpr absl::Duration kTellingPausePerJoiner = absl::Milliseconds(1);
constexpr size_t kAlwaysTold = 8;

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
  IndexJoiners();
}

void Members::StartAnew() {
  is_formed_ = false;
  members_.clear();
  lives_.clear();
  changed_.clear();
  SetWorld(World());
  launcher_hosts_.reset();
  gone_joiners_.clear();
}

void Members::SetWorld(World world) {
  world_ = std::move(world);
  world_index_ = WorldIndex(world_);
}

std::vector<std::string> Members::ClaimsOf(const WorkerInfo& info) {
  std::vector<std::string> claims;
  if (info.requested_rank.has_value()) {
    claims.push_back(absl::StrCat("rank ", *info.requested_rank));
  }
  for (const DeviceInfo& device : info.devices) {
    if (device.physical_id.empty()) continue;
    claims.push_back(absl::StrCat(info.machine, " ", device.physical_id));
  }
  return claims;
}

void Members::IndexJoiner(size_t place) {
  const WorkerInfo& info = joiners_[place].info;
  joiners_by_name_[info.name] = place;
  joiners_by_life_[info.incarnation] = place;
  for (std::string& claim : ClaimsOf(info)) {
    joiners_by_claim_[std::move(claim)] = place;
  }
  if (!info.network.empty()) joiners_by_network_[info.network] = place;
}

void Members::IndexJoiners() {
  joiners_by_name_.clear();
  joiners_by_life_.clear();
  joiners_by_claim_.clear();
  joiners_by_network_.clear();
  for (size_t i = 0; i < joiners_.size(); ++i) IndexJoiner(i);
}

absl::Status Members::CheckAgainstJoiners(const MemberRecord& joiner) const {
  const auto named = joiners_by_name_.find(joiner.info.name);
  if (named != joiners_by_name_.end() && joiners_[named->second].is_connected) {
    return NameInUse(joiner.info, joiners_[named->second].info);
  }
  for (const std::string& claim : ClaimsOf(joiner.info)) {
    const auto owner = joiners_by_claim_.find(claim);
    if (owner == joiners_by_claim_.end()) continue;
    const WorkerInfo& other = joiners_[owner->second].info;
    if (other.name != joiner.info.name) {
      RETURN_IF_ERROR(CheckDistinct(joiner.info, other));
    }
  }
  for (const auto& [network, place] : joiners_by_network_) {
    if (network == joiner.info.network) continue;
    return CheckReachable(joiner.info, joiners_[place].info);
  }
  return absl::OkStatus();
}

void Members::RefuseUnreachable() {
  if (joiners_by_network_.size() < 2) return;
  const WorkerInfo latest = joiners_.back().info;
  std::vector<MemberRecord> left;
  for (MemberRecord& joiner : std::exchange(joiners_, {})) {
    const absl::Status reachable = CheckReachable(joiner.info, latest);
    if (reachable.ok()) {
      left.push_back(std::move(joiner));
    } else {
      Refuse(joiner, reachable);
    }
  }
  joiners_ = std::move(left);
  IndexJoiners();
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
  if (const auto old = joiners_by_name_.find(joiner.info.name);
      old != joiners_by_name_.end()) {
    const size_t place = old->second;
    Refuse(joiners_[place],
           absl::FailedPreconditionError("replaced by a new start"));
    joiners_.erase(joiners_.begin() + static_cast<ptrdiff_t>(place));
    IndexJoiners();
  }
  joiners_.push_back(std::move(joiner));
  IndexJoiner(joiners_.size() - 1);
  gone_joiners_.erase(joiners_.back().info.name);
  status = CheckNetworkGroups(joiners_.back().info, joiners_.front().info);
  if (!status.ok()) {
    for (MemberRecord& each : std::exchange(joiners_, {})) Refuse(each, status);
    return IndexJoiners();
  }
  RefuseUnreachable();
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
    return IndexJoiners();
  }
  for (int joiner : AssignHostIds(infos)) {
    MemberRecord& record = joiners_[joiner];
    record.id = HostId(static_cast<int32_t>(members_.size()));
    AddMember(std::move(record));
  }
  joiners_.clear();
  IndexJoiners();
  SetWorld(BuildWorld(InfosOf(members_)));
  is_formed_ = true;
  ++formation_;
  NextEpoch(static_cast<int64_t>(members_.size()));
  LogInfo(absl::StrCat("all ", members_.size(), " hosts joined"));
  for (MemberRecord& member : members_) {
    std::exchange(member.done, nullptr)(Membership{member.id, roster()});
  }
}

void Members::AddMember(MemberRecord record) {
  lives_[record.info.incarnation] = record.id;
  changed_.push_back(record.id);
  ++alive_count_;
  members_.push_back(std::move(record));
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
  for (const MemberRecord& other : members_) {
    if (!status.ok()) break;
    if (other.id != member->id)
      status = CheckReachable(joiner.info, other.info);
  }
  if (status.ok() && !OddVersions({member->info, joiner.info}).empty()) {
    std::vector<WorkerInfo> infos = InfosOf(members_);
    infos.push_back(joiner.info);
    status = VersionMismatch(infos);
  }
  if (!status.ok()) return Refuse(joiner, status);
  joiner.id = member->id;
  lives_.erase(member->info.incarnation);
  *member = std::move(joiner);
  lives_[member->info.incarnation] = member->id;
  changed_.push_back(member->id);
  ++alive_count_;
  NextEpoch(1);
  LogInfo(absl::StrCat(ToString(member->ref()), " is back"));
  std::exchange(member->done, nullptr)(Membership{member->id, roster()});
}

void Members::ForLife(Incarnation incarnation,
                      const std::function<void(MemberRecord&)>& change) {
  if (const auto life = lives_.find(incarnation); life != lives_.end()) {
    change(members_[life->second.value()]);
  }
  if (const auto place = joiners_by_life_.find(incarnation);
      place != joiners_by_life_.end()) {
    change(joiners_[place->second]);
  }
  for (MemberRecord& record : held_) {
    if (record.info.incarnation == incarnation) change(record);
  }
}

void Members::SetConnected(Incarnation incarnation, bool is_connected,
                           absl::Time now) {
  ForLife(incarnation, [&](MemberRecord& record) {
    if (record.is_connected == is_connected) return;
    record.is_connected = is_connected;
    record.connection_changed_at = now;
  });
  if (is_connected && !held_.empty()) Tick(now);
}

void Members::End(HostId host, MemberState state, std::string reason,
                  absl::Time now) {
  const MemberRecord* found = Find(host);
  if (found != nullptr && found->is_alive()) {
    MemberRecord& member = members_[host.value()];
    member.state = state;
    member.state_reason = reason;
    ended_[member.info.incarnation] = {member.ref(), reason};
    changed_.push_back(host);
    --alive_count_;
    NextEpoch(1);
  }
  if (!held_.empty()) Tick(now);
}

void Members::Tick(absl::Time now) {
  for (MemberRecord& joiner : std::exchange(held_, {})) {
    if (joiner.is_connected) Join(std::move(joiner), now);
  }
  if (joiners_.empty()) return;
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
  if (joiners_.size() != before) {
    IndexJoiners();
    is_telling_due_ = true;
  }
  if (is_telling_due_) TellJoiners(now);
  if (!joiners_.empty() && now - forming_since_ >= options_.join_deadline) {
    const absl::Status status = absl::DeadlineExceededError(
        absl::StrCat("join: ", WaitingLine(now), ", after ",
                     absl::FormatDuration(now - forming_since_)));
    for (MemberRecord& each : std::exchange(joiners_, {})) Refuse(each, status);
    IndexJoiners();
  }
}

void Members::TellJoiners(absl::Time now) {
  is_telling_due_ = false;
  if (joiners_.empty()) return;
  const absl::Duration pause =
      kTellingPause + kTellingPausePerJoiner * joiners_.size();
  if (now - told_at_ < pause && joiners_.size() > kAlwaysTold) {
    is_telling_due_ = true;
    return;
  }
  told_at_ = now;
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

std::shared_ptr<const Roster> Members::roster() const {
  if (roster_ != nullptr && roster_->epoch == epoch_) return roster_;
  auto roster = std::make_shared<Roster>();
  roster->cluster_id = cluster_id_;
  roster->epoch = epoch_;
  roster->world = world_;
  roster->limits = options_.limits();
  roster->secrets = secrets_;
  roster->members.reserve(members_.size());
  for (const MemberRecord& record : members_) {
    Member member;
    member.host = record.ref();
    member.state = record.state;
    member.pid = record.info.pid;
    member.machine = record.info.machine;
    member.service_address = record.info.service_address;
    member.transport_address = record.info.transport_address;
    roster->members.push_back(std::move(member));
  }
  roster_ = std::move(roster);
  return roster_;
}

const MemberRecord* Members::Find(HostId host) const {
  if (host.value() < 0 ||
      host.value() >= static_cast<int32_t>(members_.size())) {
    return nullptr;
  }
  return &members_[host.value()];
}

const MemberRecord* Members::FindLife(Incarnation incarnation) const {
  const auto life = lives_.find(incarnation);
  return life == lives_.end() ? nullptr : Find(life->second);
}

absl::StatusOr<const MemberRecord*> Members::FindAlive(
    Incarnation incarnation) const {
  const MemberRecord* member = FindLife(incarnation);
  if (member != nullptr && member->is_alive()) return member;
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

std::vector<HostRef> Members::Refs(const std::vector<HostId>& hosts) const {
  std::vector<HostRef> refs;
  for (HostId host : hosts) {
    const MemberRecord* member = Find(host);
    refs.push_back(member != nullptr ? member->ref()
                                     : HostRef{host, "unknown", Incarnation()});
  }
  return refs;
}

}  // namespace lockstep::internal
