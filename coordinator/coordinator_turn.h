#ifndef LOCKSTEP_COORDINATOR_COORDINATOR_TURN_H_
#define LOCKSTEP_COORDINATOR_COORDINATOR_TURN_H_

// Private to the sources of Coordinator.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/coordinator.h"

namespace lockstep::internal {

// Holds the lock for one call of the coordinator, and makes the answers and
// pushes that the call decided after releasing it.
class ABSL_SCOPED_LOCKABLE Coordinator::Turn {
 public:
  explicit Turn(Coordinator* coordinator)
      ABSL_EXCLUSIVE_LOCK_FUNCTION(coordinator->mutex_)
      : coordinator_(coordinator) {
    coordinator_->mutex_.Lock();
  }
  ~Turn() ABSL_UNLOCK_FUNCTION() {
    coordinator_->mutex_.Unlock();
    coordinator_->Flush();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Coordinator* const coordinator_;
};

// Puts what is pushed among the effects.
class Coordinator::DeferredLink : public WorkerLink {
 public:
  DeferredLink(std::deque<std::function<void()>>* effects,
               std::shared_ptr<WorkerLink> link)
      : effects_(*effects), link_(std::move(link)) {}

  void PushRoster(const std::shared_ptr<const Roster>& roster) override {
    Defer([roster](WorkerLink& link) { link.PushRoster(roster); });
  }
  void PushFailure(const Failure& failure) override {
    Defer([failure](WorkerLink& link) { link.PushFailure(failure); });
  }
  void PushNotice(absl::string_view line,
                  const std::optional<HostRef>& host) override {
    Defer([line = std::string(line), host](WorkerLink& link) {
      link.PushNotice(line, host);
    });
  }
  void PushCommands(const std::vector<Command>& commands) override {
    Defer([commands](WorkerLink& link) { link.PushCommands(commands); });
  }
  void PushCutLinks(const std::vector<CutLink>& links) override {
    Defer([links](WorkerLink& link) { link.PushCutLinks(links); });
  }
  void PushPreemption(int64_t agreement) override {
    Defer([agreement](WorkerLink& link) { link.PushPreemption(agreement); });
  }
  void PushPreemptionOutcome(const PreemptionOutcome& outcome) override {
    Defer([outcome](WorkerLink& link) { link.PushPreemptionOutcome(outcome); });
  }
  void PushShutdown(absl::string_view reason) override {
    Defer([reason = std::string(reason)](WorkerLink& link) {
      link.PushShutdown(reason);
    });
  }
  void Close(const absl::Status& why) override {
    Defer([why](WorkerLink& link) { link.Close(why); });
  }

 private:
  void Defer(std::function<void(WorkerLink&)> push) {
    effects_.push_back([push = std::move(push), link = link_] { push(*link); });
  }

  std::deque<std::function<void()>>& effects_;
  const std::shared_ptr<WorkerLink> link_;
};

template <typename T>
Done<T> Coordinator::Later(Done<T> done) {
  return [this, done = std::move(done)](absl::StatusOr<T> result) {
    mutex_.AssertHeld();
    effects_.push_back([done, result = std::move(result)] { done(result); });
  };
}

template <typename T>
const MemberRecord* Coordinator::Caller(Incarnation caller,
                                        const Done<T>& done) {
  absl::StatusOr<const MemberRecord*> member = members_.FindAlive(caller);
  if (member.ok()) return *member;
  done(member.status());
  return nullptr;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_COORDINATOR_TURN_H_
