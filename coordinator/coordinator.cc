#include "coordinator/coordinator.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator_turn.h"
#include "coordinator/membership/join_checks.h"
#include "runtime/base/logging.h"
#include "runtime/cluster/failure.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep::internal {
namespace {

// Between rosters that follow each other, so that the leaving of n hosts costs
// a number of messages in proportion to n.
constexpr absl::Duration kRosterPausePerHost = absl::Microseconds(100);

std::string ClusterIdOr(const std::string& id) {
  if (!id.empty()) return id;
  std::random_device random;
  return absl::StrCat(absl::Hex(
      (static_cast<uint64_t>(random()) << 32) | random(), absl::kZeroPad16));
}

}  // namespace

Coordinator::Coordinator(CoordinatorOptions options, const Clock* clock)
    : options_(std::move(options)),
      cluster_id_(ClusterIdOr(options_.cluster_id)),
      clock_(*clock),
      members_(&options_, cluster_id_),
      liveness_(&options_),
      calls_(options_.mismatch_patience),
      links_(&options_),
      barriers_(this),
      agreements_(this, options_.mismatch_patience),
      axes_(this, options_.mismatch_patience),
      rolls_(this),
      preemption_(this),
      launch_order_(options_.max_commands_in_flight) {}

void Coordinator::Flush() {
  std::function<void()> effect;
  {
    absl::MutexLock lock(&mutex_);
    // One thread at a time, or effects would overtake each other. Whoever comes
    // meanwhile leaves its own to that one, which looks once more before it
    // stops.
    if (is_flushing_) return;
    is_flushing_ = true;
  }
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      if (effects_.empty()) {
        is_flushing_ = false;
        return;
      }
      effect = std::move(effects_.front());
      effects_.pop_front();
    }
    // Without the lock: an answer may call the coordinator again, and a link
    // that an effect holds the last reference to may end with it.
    effect();
    effect = nullptr;
  }
}

absl::Duration Coordinator::Or(absl::Duration timeout,
                               absl::Duration otherwise) {
  return timeout > absl::ZeroDuration() ? timeout : otherwise;
}

bool Coordinator::Knows(HostId host) const {
  return members_.Find(host) != nullptr;
}

HostRef Coordinator::Ref(HostId host) const {
  const MemberRecord* member = members_.Find(host);
  return member != nullptr ? member->ref() : members_.Refs({host}).front();
}

HostSet Coordinator::AllHosts() const { return all_hosts_; }

absl::Status Coordinator::StateOf(HostId host) const {
  const MemberRecord* member = members_.Find(host);
  if (member == nullptr || member->is_alive()) return absl::OkStatus();
  if (member->state == MemberState::kLeft) {
    return absl::FailedPreconditionError(member->state_reason);
  }
  return absl::UnavailableError(member->state_reason);
}

std::string Coordinator::Describe(HostId host) const {
  return liveness_.Describe(host);
}

absl::Time Coordinator::BusyUntil(HostId host) const {
  return liveness_.BusyUntil(host);
}

void Coordinator::Join(const WorkerInfo& info, const std::string& peer,
                       std::shared_ptr<WorkerLink> link,
                       Done<Membership> done) {
  Turn turn(this);
  MemberRecord joiner;
  joiner.info = info;
  joiner.peer = peer;
  joiner.link = std::make_shared<DeferredLink>(&effects_, std::move(link));
  joiner.done = Later(std::move(done));
  // Answered through the effects as well: the answer before the link's end.
  if (shutdown_reason_.has_value()) {
    const absl::Status status = ShuttingDown(*shutdown_reason_);
    joiner.done(status);
    return joiner.link->Close(status);
  }
  members_.Join(std::move(joiner), Now());
  FollowMembers();
}

void Coordinator::SetConnected(Incarnation caller, bool is_connected) {
  Turn turn(this);
  members_.SetConnected(caller, is_connected, Now());
  if (const MemberRecord* member = members_.FindLife(caller)) {
    liveness_.SetConnected(member->id, is_connected, Now());
  }
  FollowMembers();
}

void Coordinator::FollowMembers() {
  if (members_.epoch() == followed_epoch_) return;
  followed_epoch_ = members_.epoch();
  // Before the changes below: a formation's first members count as new, and
  // nothing of the hosts that had their ids before may speak of them.
  if (members_.formation() != followed_formation_) {
    followed_formation_ = members_.formation();
    followed_.clear();
    liveness_.Clear();
    calls_.Clear();
    links_.Clear();
    readiness_.Clear();
    barriers_.ForgetOutcomes();
    agreements_.ForgetOutcomes();
    axes_.ForgetOutcomes();
    rolls_.ForgetOutcomes();
    preemption_.Clear();
    named_arrays_.Clear();
    key_values_.Clear();
    failures_.CloseAll();
    std::vector<HostId> hosts;
    for (const MemberRecord& member : members_.members()) {
      hosts.push_back(member.id);
    }
    all_hosts_ = HostSet(std::move(hosts));
    // Each has it from its join.
    pushed_epoch_ = members_.epoch();
  }
  for (HostId host : members_.TakeChanged()) {
    if (const MemberRecord* member = members_.Find(host)) FollowMember(*member);
  }
  PushRosterSoon();
  if (const std::vector<CutLink> cut = links_.cut(); !cut.empty()) {
    PushToMembers([&](WorkerLink& link) { link.PushCutLinks(cut); });
  }
  ShowWhenReady();
  Dispatch();
}

void Coordinator::FollowMember(const MemberRecord& member) {
  if (!member.is_alive()) return readiness_.Remove(member.id);
  Followed& followed = followed_[member.id];
  if (followed.incarnation == member.info.incarnation) return;
  // Another life under this id. What the former one has not collected goes
  // before this one is added: it would be the answer to its first call.
  if (followed.incarnation != Incarnation()) {
    barriers_.ForgetOutcomes();
    agreements_.ForgetOutcomes();
    axes_.ForgetOutcomes();
    rolls_.ForgetOutcomes();
    failures_.CloseAll();
    calls_.Forget(member.id);
  }
  followed = {member.info.incarnation, members_.epoch(), followed.incarnation};
  liveness_.Add(member.ref(), member.info, Now());
  links_.Add(member.ref(), Now());
  readiness_.Add(member.ref());
  // It may have broken since it joined; liveness has not heard of it till now.
  liveness_.SetConnected(member.id, member.is_connected, Now());
  TellOfPreemption(member);
}

void Coordinator::PushRosterSoon() {
  if (pushed_epoch_ == members_.epoch()) return;
  const absl::Duration pause =
      kRosterPausePerHost * static_cast<double>(members_.members().size());
  if (Now() - pushed_at_ >= pause) PushRoster();
}

void Coordinator::PushRoster() {
  if (pushed_epoch_ == members_.epoch()) return;
  pushed_epoch_ = members_.epoch();
  pushed_at_ = Now();
  PushToMembers([roster = members_.roster()](WorkerLink& link) {
    link.PushRoster(roster);
  });
}

std::shared_ptr<const Roster> Coordinator::roster() {
  Turn turn(this);
  return members_.is_formed() ? members_.roster() : nullptr;
}

void Coordinator::PushToMembers(const std::function<void(WorkerLink&)>& push) {
  for (const MemberRecord& member : members_.members()) {
    if (member.is_alive()) push(*member.link);
  }
}

void Coordinator::PushToClients(const std::function<void(ClientLink&)>& push) {
  for (const auto& [id, client] : clients_) {
    effects_.push_back([push, link = client.link] { push(*link); });
  }
}

bool Coordinator::KnowsAllLives(Epoch epoch) const {
  return epoch == Epoch() || std::none_of(followed_.begin(), followed_.end(),
                                          [&](const auto& entry) {
                                            return epoch < entry.second.since;
                                          });
}

absl::Status Coordinator::CheckTogether(const std::vector<HostId>& hosts,
                                        Epoch epoch) const {
  for (HostId host : hosts) {
    const auto followed = followed_.find(host);
    if (followed == followed_.end() || !(epoch < followed->second.since)) {
      continue;
    }
    HostRef ended = Ref(host);
    ended.incarnation = followed->second.before;
    return AbortedBy(
        ended,
        absl::UnavailableError(absl::StrCat(
            ToString(ended), " has ended; since epoch ",
            followed->second.since.value(), " it is there in another life")),
        "");
  }
  return absl::OkStatus();
}

void Coordinator::ResolveAxis(Incarnation caller, AxisQuery query,
                              absl::Duration timeout, Done<SharedAxis> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  if (const Failure* failure = failures_.Find(query.call)) {
    return done(failure->ToStatus());
  }
  const WorldIndex& world = members_.world_index();
  if (!KnowsAllLives(query.epoch) &&
      ValidateDeviceList(query.devices, world).ok()) {
    const absl::Status together =
        CheckTogether(ParticipatingHosts(query.devices, world), query.epoch);
    if (!together.ok()) return done(together);
  }
  axes_.Arrive(member->ref(), std::move(query), world, Or(timeout, LateAbort()),
               Now(), std::move(done));
}

void Coordinator::Agree(Incarnation caller, AgreementRecord record,
                        absl::Duration timeout, Done<AgreementAnswer> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  if (const Failure* failure = failures_.Find(record.call)) {
    return done(failure->ToStatus());
  }
  if (!KnowsAllLives(record.epoch)) {
    const absl::Status together =
        CheckTogether(record.participants, record.epoch);
    if (!together.ok()) return done(together);
  }
  agreements_.Arrive(member->ref(), std::move(record), Or(timeout, LateAbort()),
                     Now(), std::move(done));
}

void Coordinator::Barrier(Incarnation caller, BarrierCall call,
                          Done<Nothing> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  call.host = member->ref();
  call.timeout = Or(call.timeout, options_.wait_deadline);
  barriers_.Arrive(call, Now(), std::move(done));
}

void Coordinator::CallRoll(Incarnation caller, RollCall call,
                           absl::Duration timeout, Done<SharedRoll> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  rolls_.Arrive(member->ref(), call,
                Now() + Or(timeout, options_.wait_deadline), Now(),
                members_.epoch(), std::move(done));
}

absl::Duration Coordinator::LateAbort() const {
  return options_.late_abort > absl::ZeroDuration() ? options_.late_abort
                                                    : absl::InfiniteDuration();
}

void Coordinator::CancelAxis(Incarnation caller, const std::string& key) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (member.ok()) axes_.Cancel((*member)->ref(), key);
}

void Coordinator::CancelAgreement(Incarnation caller, const std::string& key) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (member.ok()) agreements_.Cancel((*member)->ref(), key);
}

void Coordinator::CancelBarrier(Incarnation caller, const std::string& name) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (member.ok()) barriers_.Cancel((*member)->ref(), name);
}

void Coordinator::CancelRoll(Incarnation caller, const RollCall& call) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (member.ok()) rolls_.Cancel((*member)->ref(), call);
}

void Coordinator::Report(Incarnation caller, ProgressReport report) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (!member.ok()) return;
  for (const SequenceProgress& sequence : report.sequences) {
    calls_.Report((*member)->ref(), sequence, Now());
  }
  links_.Report((*member)->id, std::move(report.silent_peers), Now());
  liveness_.Report((*member)->id, std::move(report), Now());
}

void Coordinator::Busy(Incarnation caller, std::string what,
                       absl::Duration at_most) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (member.ok()) {
    liveness_.Busy((*member)->id, std::move(what), at_most, Now());
  }
}

void Coordinator::ReceivedCommands(Incarnation caller, int64_t sequence) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (!member.ok()) return;
  launch_order_.Received((*member)->id, sequence);
  // What has room now is placed first, and told with the same message.
  Dispatch();
  TellPlaced();
}

void Coordinator::Ready(Incarnation caller, absl::Duration timeout,
                        Done<Nothing> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  readiness_.Arrive(member->ref(), Now() + Or(timeout, options_.link_deadline),
                    std::move(done));
  ShowWhenReady();
}

void Coordinator::ShowWhenReady() {
  if (!readiness_.is_ready() || !members_.is_formed()) return;
  if (shown_epoch_ == members_.epoch()) return;
  if (!clients_.empty()) {
    PushToClients([roster = members_.roster()](ClientLink& link) {
      link.PushRoster(roster);
    });
  }
  shown_epoch_ = members_.epoch();
}

void Coordinator::Leave(Incarnation caller, absl::Duration timeout,
                        Done<Nothing> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (is_closed_) return done(ServerEnds());
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  const HostRef host = member->ref();
  leavers_.push_back({ToString(host), host.id, Now(),
                      Now() + Or(timeout, options_.shutdown_deadline),
                      std::move(done), member->link});
  // Its last report came before; what it shows is told while somebody hears it,
  // and before the ledger is cleared with the last one's end.
  EndDifferentCalls();
  EndPassedMeetings(host.id, absl::ZeroDuration());
  if (members_.alive_count() == 1) EndUnequalCounts();
  EndHost(host.id, HostCondition::kLeft,
          absl::FailedPreconditionError(
              absl::StrCat(ToString(host), " has left the cluster")));
  if (!members_.AnyAlive()) AnswerLeavers();
}

void Coordinator::Put(Incarnation caller, const std::string& key,
                      const std::string& value, const PutOptions& options,
                      Done<int64_t> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  if (options.lease != Incarnation()) {
    const absl::Status alive = members_.FindAlive(options.lease).status();
    if (!alive.ok()) return done(alive);
  }
  key_values_.Put(key, value, options, ToString(member->ref()),
                  std::move(done));
}

void Coordinator::Get(Incarnation caller, const std::string& key,
                      absl::Duration timeout, Done<std::string> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (Caller(caller, done) == nullptr) return;
  key_values_.Get(key, Or(timeout, options_.key_wait), Now(), std::move(done));
}

void Coordinator::TryGet(Incarnation caller, const std::string& key,
                         Done<std::string> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (Caller(caller, done) == nullptr) return;
  key_values_.TryGet(key, std::move(done));
}

void Coordinator::Increment(Incarnation caller, const std::string& key,
                            int64_t delta, Done<int64_t> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const MemberRecord* member = Caller(caller, done);
  if (member == nullptr) return;
  key_values_.Increment(key, delta, ToString(member->ref()), std::move(done));
}

void Coordinator::List(Incarnation caller, const std::string& prefix,
                       Done<std::vector<KeyValue>> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (Caller(caller, done) == nullptr) return;
  key_values_.List(prefix, std::move(done));
}

void Coordinator::Delete(Incarnation caller, const std::string& key,
                         Done<Nothing> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (Caller(caller, done) == nullptr) return;
  key_values_.Delete(key, std::move(done));
}

void Coordinator::Watch(Incarnation caller, const std::string& prefix,
                        int64_t revision, absl::Duration timeout,
                        Done<std::vector<KeyChange>> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (Caller(caller, done) == nullptr) return;
  key_values_.Watch(prefix, revision, Or(timeout, options_.key_wait), Now(),
                    std::move(done));
}

}  // namespace lockstep::internal
