#include "tests/multihost/fault_injector.h"

#include <signal.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using Kind = Fault::Kind;

constexpr char kCoordinator[] = "coordinator";
constexpr char kClient[] = "test";
constexpr absl::Duration kWhole = absl::Seconds(60);
constexpr absl::Duration kLook = absl::Milliseconds(50);

std::string Machine(int host) { return absl::StrCat("host", host); }

const char* NameOf(Kind kind) {
  switch (kind) {
    case Kind::kKilled:
      return "killed";
    case Kind::kStopped:
      return "stopped";
    case Kind::kCoordinatorStopped:
      return "the coordinator stopped";
    case Kind::kCutBetweenHosts:
      return "cut between hosts";
    case Kind::kResetBetweenHosts:
      return "reset between hosts";
    case Kind::kCutFromCoordinator:
      return "cut from the coordinator";
    case Kind::kLinkDown:
      return "link down";
    case Kind::kCutFromClient:
      return "cut from the client";
  }
  return "";
}

std::vector<Kind> KindsOf(bool has_network, bool has_client) {
  std::vector<Kind> kinds = {Kind::kKilled, Kind::kStopped,
                             Kind::kCoordinatorStopped};
  if (!has_network) return kinds;
  kinds.insert(kinds.end(), {Kind::kCutBetweenHosts, Kind::kResetBetweenHosts,
                             Kind::kCutFromCoordinator, Kind::kLinkDown});
  if (has_client) kinds.push_back(Kind::kCutFromClient);
  return kinds;
}

bool IsDead(const StatusReport::Host& host) {
  return host.state == "silent" || host.state == "exited";
}

// A link that is cut now; what it ended is told as "ended by ..".
bool IsCutLink(const std::string& notice) {
  return absl::StartsWith(notice, "host ") &&
         absl::StrContains(notice, "cannot reach each other");
}

bool IsPair(const std::string& notice, int a, int b) {
  return IsCutLink(notice) &&
         absl::StartsWith(notice,
                          absl::StrCat("host ", std::min(a, b), " (")) &&
         absl::StrContains(notice,
                           absl::StrCat(" and host ", std::max(a, b), " ("));
}

}  // namespace

bool Fault::is_noticed() const {
  return lasts == absl::InfiniteDuration() && kind != Kind::kCutFromClient;
}

bool Fault::isolates_host() const {
  return kind == Kind::kStopped || kind == Kind::kCutFromCoordinator ||
         kind == Kind::kLinkDown;
}

std::string Fault::ToString() const {
  std::string text =
      host < 0 ? NameOf(kind) : absl::StrCat("host ", host, " ", NameOf(kind));
  if (other >= 0) absl::StrAppend(&text, ", with host ", other);
  if (is_cut_there || is_cut_back) {
    absl::StrAppend(&text, is_cut_there ? " there" : "",
                    is_cut_back ? " back" : "");
  }
  if (lasts < absl::InfiniteDuration()) {
    absl::StrAppend(&text, " for ", absl::FormatDuration(lasts));
  }
  return text;
}

FaultInjector::FaultInjector(SoakRun* run, ProcessCluster* cluster, int hosts,
                             TestNetwork* network, bool has_client,
                             std::function<void(int host)> expect_refused)
    : run_(*run),
      cluster_(*cluster),
      hosts_(hosts),
      network_(network),
      kinds_(KindsOf(network != nullptr, has_client)),
      expect_refused_(std::move(expect_refused)) {}

FaultInjector::~FaultInjector() { EndActive(); }

void FaultInjector::Begin() {
  Fault fault = Choose();
  fault.since = absl::Now();
  Apply(fault);
  ++counts_[fault.kind];
  std::cerr << absl::FormatTime("%H:%M:%E3S ", fault.since,
                                absl::LocalTimeZone())
            << fault.ToString() << "\n";
  faults_.push_back(fault);
  if (fault.lasts == absl::InfiniteDuration()) return;
  Timer* timer = timers_.emplace_back(std::make_unique<Timer>()).get();
  timer->thread = std::thread([this, timer, fault] {
    if (timer->cancel.WaitForNotificationWithTimeout(fault.lasts)) return;
    EndFault(fault);
  });
}

bool FaultInjector::IsTaken(int host) const {
  return std::any_of(faults_.begin() + mended_, faults_.end(),
                     [&](const Fault& fault) {
                       return fault.host == host || fault.other == host;
                     });
}

Fault FaultInjector::Choose() {
  Fault fault;
  do {
    fault.host = run_.Pick(hosts_);
  } while (IsTaken(fault.host));
  bool is_possible = false;
  while (!is_possible) {
    fault.kind = kinds_[run_.Pick(static_cast<int>(kinds_.size()))];
    // Cuts at a machine that is no host are healed all at once, and there is
    // one coordinator.
    is_possible = (fault.kind != Kind::kCutFromCoordinator &&
                   fault.kind != Kind::kCutFromClient &&
                   fault.kind != Kind::kCoordinatorStopped) ||
                  std::none_of(faults_.begin() + mended_, faults_.end(),
                               [&](const Fault& each) {
                                 return each.kind == fault.kind;
                               });
  }
  if (fault.kind == Kind::kCoordinatorStopped) fault.host = -1;
  if (fault.kind == Kind::kCutBetweenHosts ||
      fault.kind == Kind::kResetBetweenHosts) {
    do {
      fault.other = run_.Pick(hosts_);
    } while (fault.other == fault.host || IsTaken(fault.other));
  }
  if (fault.kind == Kind::kCutBetweenHosts ||
      fault.kind == Kind::kCutFromCoordinator ||
      fault.kind == Kind::kCutFromClient) {
    const int ways = 1 + run_.Pick(3);
    fault.is_cut_there = (ways & 1) != 0;
    fault.is_cut_back = (ways & 2) != 0;
  }
  fault.lasts = ChooseLength(fault.kind);
  return fault;
}

absl::Duration FaultInjector::ChooseLength(Kind kind) {
  if (kind == Kind::kKilled) return absl::InfiniteDuration();
  if (kind == Kind::kCoordinatorStopped) {
    return run_.PickUpTo(absl::Seconds(5));
  }
  // Less than what is named, around it, or until it is mended.
  switch (run_.Pick(4)) {
    case 0:
      return run_.PickUpTo(absl::Seconds(1));
    case 1:
      return absl::Seconds(1) + run_.PickUpTo(absl::Seconds(4));
    default:
      return absl::InfiniteDuration();
  }
}

void FaultInjector::Apply(const Fault& fault) {
  const std::string self = Machine(fault.host);
  const std::string other = fault.kind == Kind::kCutFromClient ? kClient
                            : fault.other < 0                  ? kCoordinator
                                              : Machine(fault.other);
  switch (fault.kind) {
    case Kind::kKilled:
      return cluster_.worker(fault.host).Signal(SIGKILL);
    case Kind::kStopped:
      return cluster_.worker(fault.host).Signal(SIGSTOP);
    case Kind::kCoordinatorStopped:
      return cluster_.coordinator().Signal(SIGSTOP);
    case Kind::kCutBetweenHosts:
    case Kind::kCutFromCoordinator:
    case Kind::kCutFromClient:
      if (fault.is_cut_there) network_->Cut(self, other);
      if (fault.is_cut_back) network_->Cut(other, self);
      return;
    case Kind::kResetBetweenHosts:
      network_->Reset(self, other);
      return network_->Reset(other, self);
    case Kind::kLinkDown:
      return network_->SetLink(self, false);
  }
}

void FaultInjector::EndFault(const Fault& fault) {
  switch (fault.kind) {
    case Kind::kKilled:
      return;
    case Kind::kStopped:
      return cluster_.worker(fault.host).Signal(SIGCONT);
    case Kind::kCoordinatorStopped:
      return cluster_.coordinator().Signal(SIGCONT);
    case Kind::kCutBetweenHosts:
    case Kind::kResetBetweenHosts:
      network_->Heal(Machine(fault.other));
      return network_->Heal(Machine(fault.host));
    case Kind::kCutFromCoordinator:
      network_->Heal(kCoordinator);
      return network_->Heal(Machine(fault.host));
    case Kind::kCutFromClient:
      network_->Heal(kClient);
      return network_->Heal(Machine(fault.host));
    case Kind::kLinkDown:
      return network_->SetLink(Machine(fault.host), true);
  }
}

void FaultInjector::EndActive() {
  for (const auto& timer : timers_) timer->cancel.Notify();
  for (const auto& timer : timers_) timer->thread.join();
  timers_.clear();
  for (; mended_ < faults_.size(); ++mended_) {
    EndFault(faults_[mended_]);
    faults_[mended_].until = absl::Now();
  }
}

bool FaultInjector::IsNoticed(const Fault& fault,
                              const StatusReport& report) const {
  if (static_cast<int>(report.hosts.size()) != hosts_) return false;
  if (!fault.is_noticed() || IsDead(report.hosts[fault.host])) return true;
  if (fault.other < 0) return false;
  // Of a pair of which one is dead nothing can be said.
  return IsDead(report.hosts[fault.other]) ||
         std::any_of(report.notices.begin(), report.notices.end(),
                     [&](const std::string& notice) {
                       return IsPair(notice, fault.host, fault.other);
                     });
}

void FaultInjector::AwaitNoticed() {
  for (size_t i = mended_; i < faults_.size(); ++i) {
    const Fault& fault = faults_[i];
    cluster_.AwaitStatus(fault.ToString(), [&](const StatusReport& report) {
      return IsNoticed(fault, report);
    });
  }
}

void FaultInjector::Mend() {
  EndActive();
  const absl::Time start = absl::Now();
  while (true) {
    const StatusReport report =
        cluster_.AwaitStatus("all hosts", [&](const StatusReport& each) {
          return static_cast<int>(each.hosts.size()) == hosts_;
        });
    if (::testing::Test::HasFailure()) return;
    const bool was_whole = !ReplaceTheDead(report);
    const bool is_cut =
        std::any_of(report.notices.begin(), report.notices.end(), IsCutLink);
    const bool is_alive = std::all_of(
        report.hosts.begin(), report.hosts.end(), [&](const auto& host) {
          return host.state != "joining" && host.state != "suspect" &&
                 cluster_.worker(host.host_id).is_running();
        });
    if (was_whole && is_alive && !is_cut) return;
    if (absl::Now() - start > kWhole) {
      ADD_FAILURE() << "the cluster stays broken: " << StatusJson(report);
      return;
    }
    absl::SleepFor(kLook);
  }
}

void FaultInjector::ExpectNoCrash(int host) {
  ChildProcess& worker = cluster_.worker(host);
  if (worker.is_running()) return;
  const int signal = worker.exit_status()->signal;
  EXPECT_TRUE(signal == 0 || signal == SIGKILL)
      << worker.name() << ": " << worker.exit_status()->ToString();
}

bool FaultInjector::ReplaceTheDead(const StatusReport& report) {
  std::vector<int> dead;
  for (const StatusReport::Host& host : report.hosts) {
    if (IsDead(host)) dead.push_back(host.host_id);
  }
  for (int host : dead) {
    ExpectNoCrash(host);
    if (run_.Pick(2) == 0 && cluster_.worker(host).is_running()) {
      expect_refused_(host);
      ExpectNoCrash(host);
    }
    cluster_.worker(host).Signal(SIGKILL);
    cluster_.StartWorker(host);
    ++replacements_;
  }
  for (int host : dead) cluster_.AwaitJoined(host);
  return !dead.empty();
}

std::string FaultInjector::Counts() const {
  return absl::StrJoin(counts_, ", ", [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.second, " ", NameOf(entry.first));
  });
}

}  // namespace lockstep::internal
