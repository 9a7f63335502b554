// Random programs of the host view, one process per host, that are killed,
// stopped, cut off, started again, and now and then make different calls: no
// wait without end, no wrong value, no error without a name, no cluster that
// stays broken. For how long, and which run: SoakRun.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/multihost/host_log.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/soak_fixture.h"

namespace lockstep::internal {
namespace {

constexpr char kProgram[] = "tests/multihost/host_soak_program";
// Until hosts that are all there make progress: they are to agree, which takes
// a few calls, each within the limit of errors.
constexpr absl::Duration kRecovery = absl::Seconds(45);

class HostSoak : public SoakFixture {
 protected:
  void Adapt(ProcessCluster::Options& options) override {
    options.start_worker = [this](int rank, const std::string& address,
                                  std::vector<std::string> prefix) {
      HostLog& log = logs_.emplace_back(
          rank,
          absl::StrCat(scratch_.path(), "/host", rank, ".", logs_.size()));
      current_[rank] = &log;
      ChildProcess::Options host;
      host.name = HostName(rank);
      host.arguments = std::move(prefix);
      host.arguments.push_back(kProgram);
      host.environment = {
          {"LOCKSTEP_TEST_MARK", absl::StrCat(getpid())},
          {"LOCKSTEP_COORDINATOR", address},
          {"LOCKSTEP_RANK", absl::StrCat(rank)},
          {"LOCKSTEP_HOST_NAME", host.name},
          {"LOCKSTEP_CPU_DEVICES", absl::StrCat(kDevices / kHosts)},
          {"LOCKSTEP_SOAK_SEED", absl::StrCat(run_.seed())}};
      host.stdout_path = log.path();
      host.stderr_path = log.path() + ".err";
      auto child = ChildProcess::Spawn(host);
      EXPECT_TRUE(child.ok()) << child.status();
      return *std::move(child);
    };
  }

  // It goes on with what it can, so it fails.
  void ExpectRefused(int host) override {
    const HostLog& log = *current_.at(host);
    const size_t before = log.events().size();
    const absl::Time start = absl::Now();
    AwaitOnHosts(absl::StrCat("failures of host ", host, ", declared dead"),
                 absl::Seconds(30), [&](int rank, const HostLog&) {
                   return rank != host || (log.events().size() > before &&
                                           log.events().back().time > start &&
                                           log.events().back().kind != "ok");
                 });
  }

  // Reads what all hosts have said, and fails the test for what they must not.
  void Judge() {
    for (HostLog& log : logs_) {
      for (const HostLog::Event& event : log.Read()) Judge(log.rank(), event);
    }
  }

  void Judge(int rank, const HostLog::Event& event) {
    ++counts_[event.kind];
    if (event.kind == "ok") batches_ = std::max(batches_, event.batch);
    if (event.kind == "ok" || event.kind == "agreed") return;
    const std::string where = absl::StrCat(
        "host ", rank, ", ",
        absl::FormatTime("%H:%M:%E3S", event.time, absl::LocalTimeZone()), ": ",
        event.text);
    if (event.kind != "failed" && event.kind != "differ") {
      ADD_FAILURE() << where;
      return;
    }
    if (absl::StrContains(event.text, "hosts make different calls")) {
      ++counts_["different calls"];
    }
    if (WasIsolated(rank, event)) return;
    longest_ = std::max(longest_, event.took);
    EXPECT_LT(event.took, kAnswer) << where;
    EXPECT_FALSE(absl::StrContains(event.text, "DEADLINE_EXCEEDED")) << where;
    // The one that differs need not be told who it is.
    EXPECT_TRUE(event.kind == "differ" ||
                absl::StrContains(event.text, "host "))
        << where;
  }

  // A host that cannot be reached has its errors later, and without a name.
  bool WasIsolated(int rank, const HostLog::Event& event) const {
    return std::any_of(faults_->faults().begin(), faults_->faults().end(),
                       [&](const Fault& fault) {
                         return fault.host == rank && fault.isolates_host() &&
                                event.time > fault.since &&
                                event.time - event.took < fault.until + kAnswer;
                       });
  }

  static bool IsNamed(const std::vector<Fault>& faults,
                      const HostLog::Event& event) {
    if (event.kind != "failed" && event.kind != "differ") return false;
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return event.time > fault.since &&
             (absl::StrContains(event.text,
                                absl::StrCat("host ", fault.host, " (")) ||
              absl::StrContains(event.text,
                                absl::StrCat("host ", fault.other, " (")));
    });
  }

  template <typename IsSo>
  void AwaitOnHosts(const std::string& what, absl::Duration limit, IsSo is_so) {
    const absl::Time deadline = absl::Now() + limit;
    while (!HasFailure()) {
      Judge();
      std::string missing;
      for (const auto& [rank, log] : current_) {
        if (!is_so(rank, *log)) absl::StrAppend(&missing, " ", rank);
      }
      if (missing.empty()) return;
      if (absl::Now() > deadline) {
        ADD_FAILURE() << what << ": not on hosts" << missing << Tails();
        return;
      }
      absl::SleepFor(absl::Milliseconds(20));
    }
  }

  std::string Tails() const {
    std::string text;
    for (const auto& [rank, log] : current_) {
      const auto& events = log->events();
      for (size_t i = events.size() - std::min<size_t>(events.size(), 6);
           i < events.size(); ++i) {
        absl::StrAppend(&text, "\nhost ", rank, " ",
                        absl::FormatTime("%H:%M:%E3S", events[i].time,
                                         absl::LocalTimeZone()),
                        ": ", events[i].text);
      }
      std::ifstream errors(log->path() + ".err");
      const std::string said((std::istreambuf_iterator<char>(errors)), {});
      absl::StrAppend(
          &text, "\n",
          said.substr(said.size() - std::min<size_t>(said.size(), 2000)));
    }
    return text;
  }

  // Every host has finished batches that began after now.
  void ExpectProgress() {
    const absl::Time start = absl::Now();
    absl::Time looked = start;
    AwaitOnHosts("progress", kRecovery, [&](int, const HostLog& log) {
      // Silence of before the links were healed may be declared only now.
      if (absl::Now() - looked > absl::Seconds(1)) {
        faults_->Mend();
        looked = absl::Now();
      }
      int count = 0;
      for (auto event = log.events().rbegin();
           event != log.events().rend() && event->time > start; ++event) {
        if (event->kind == "ok" && ++count > 1) return true;
      }
      return false;
    });
  }

  // Everybody who has no fault of its own is told who it was; of several, one.
  void ExpectNamed() {
    std::vector<Fault> active, lasting;
    for (const Fault& fault : faults_->faults()) {
      if (fault.until != absl::InfiniteFuture()) continue;
      active.push_back(fault);
      if (fault.is_noticed()) lasting.push_back(fault);
    }
    if (lasting.empty()) return;
    AwaitOnHosts(
        lasting[0].ToString(), kAnswer - (absl::Now() - lasting[0].since),
        [&](int rank, const HostLog& log) {
          return std::any_of(
                     active.begin(), active.end(),
                     [&](const Fault& fault) { return fault.host == rank; }) ||
                 std::any_of(
                     log.events().begin(), log.events().end(),
                     [&](const auto& event) { return IsNamed(active, event); });
        });
  }

  void Disturb() {
    faults_->Begin();
    if (run_.Pick(4) == 0) faults_->Begin();
    ++disturbances_;
    if (run_.Pick(2) == 0) {
      absl::SleepFor(run_.PickUpTo(absl::Seconds(4)));
    } else {
      faults_->AwaitNoticed();
      ExpectNamed();
    }
    faults_->Mend();
    ExpectProgress();
  }

  std::list<HostLog> logs_;
  std::map<int, HostLog*> current_;  // of the hosts' present lives
  std::map<std::string, int> counts_;
  int disturbances_ = 0;
  int64_t batches_ = 0;
  absl::Duration longest_;  // until an error
};

INSTANTIATE_TEST_SUITE_P(On, HostSoak,
                         ::testing::Values(Place::kLoopback,
                                           Place::kNamespaces),
                         NameOf);

TEST_P(HostSoak, NothingHangsNothingIsWrongNothingStaysBroken) {
  ExpectProgress();
  while (!run_.is_over() && !HasFailure()) {
    absl::SleepFor(run_.PickUpTo(absl::Seconds(2)));
    Disturb();
  }
  Report(absl::StrCat("host view: ", batches_, " batches, ", disturbances_,
                      " disturbances, ", counts_["failed"], " failures, ",
                      counts_["differ"], " in batches that differ, ",
                      counts_["different calls"], " with both calls, ",
                      counts_["agreed"], " recoveries, errors within ",
                      absl::FormatDuration(longest_)));
}

}  // namespace
}  // namespace lockstep::internal
