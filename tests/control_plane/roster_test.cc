// Rosters that are too large to be pushed: real sessions and clients fetch
// them.
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "client/cluster/connection.h"
#include "coordinator/server.h"
#include "gtest/gtest.h"
#include "runtime/worker/session/coordinator_session.h"

namespace lockstep::internal {
namespace {

constexpr int kHosts = 3;

// Incompressible, and larger than what is pushed.
std::string LargeAddress(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string address;
  while (address.size() < (100 << 10)) {
    address.push_back(static_cast<char>(random()));
  }
  return address;
}

WorkerInfo InfoOf(int host, uint64_t life) {
  WorkerInfo info;
  info.name = absl::StrCat("host", host);
  info.incarnation = Incarnation(life);
  info.platform = "cpu";
  info.build = "test";
  info.devices.resize(2);
  info.transport_address = LargeAddress(life);
  return info;
}

class Host : public ControlPlaneObserver {
 public:
  Host(const std::string& address, WorkerInfo info) : info_(std::move(info)) {
    SessionOptions options;
    options.address = address;
    options.report_interval = absl::Milliseconds(50);
    session_ = MakeCoordinatorSession(options);
  }
  void Join() {
    auto membership = session_->Join(info_, this);
    ASSERT_TRUE(membership.ok()) << membership.status();
    absl::MutexLock lock(&mutex_);
    if (roster_.epoch < membership->roster->epoch) {
      roster_ = *membership->roster;
    }
  }
  void OnRoster(const Roster& roster) override {
    absl::MutexLock lock(&mutex_);
    roster_ = roster;
  }
  // Waits until it knows that life of a host.
  Roster AwaitLife(HostId host, Incarnation life) {
    const auto is_known = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      const Member* member = roster_.Find(host);
      return member != nullptr && member->host.incarnation == life;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_known));
    return roster_;
  }
  ControlPlane& session() { return *session_; }
  void End() { session_.reset(); }

 private:
  const WorkerInfo info_;
  absl::Mutex mutex_;
  Roster roster_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<ControlPlane> session_;
};

void ExpectAddresses(const Roster& roster, const std::vector<uint64_t>& lives) {
  ASSERT_EQ(roster.members.size(), lives.size());
  for (size_t i = 0; i < lives.size(); ++i) {
    EXPECT_EQ(roster.members[i].host.incarnation, Incarnation(lives[i]));
    EXPECT_EQ(roster.members[i].transport_address, LargeAddress(lives[i]));
  }
  EXPECT_EQ(roster.world.device_count(), 2 * kHosts);
}

TEST(Roster, IsFetchedWhenItIsLarge) {
  CoordinatorServer::Options options;
  options.tick = absl::Milliseconds(20);
  options.coordinator.expected_hosts = kHosts;
  options.coordinator.report_interval = absl::Milliseconds(50);
  options.coordinator.silence = absl::Milliseconds(500);
  const auto server = CoordinatorServer::Start(options);
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string address = (*server)->address();

  std::vector<std::unique_ptr<Host>> hosts;
  std::vector<std::thread> threads;
  for (int i = 0; i < kHosts; ++i) {
    hosts.push_back(std::make_unique<Host>(address, InfoOf(i, i + 1)));
    threads.emplace_back([&host = *hosts.back()] {
      host.Join();
      EXPECT_TRUE(host.session().Ready({}).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& host : hosts) {
    const Roster roster = host->AwaitLife(HostId(2), Incarnation(3));
    ExpectAddresses(roster, {1, 2, 3});
    EXPECT_EQ(roster.secrets,
              hosts[0]->AwaitLife(HostId(2), Incarnation(3)).secrets);
    EXPECT_FALSE(roster.secrets.empty());
  }
  ClusterConnection::Options to;
  to.address = address;
  const auto client = ClusterConnection::Open(to);
  ASSERT_TRUE(client.ok()) << client.status();
  ExpectAddresses(*(*client)->roster(), {1, 2, 3});
  EXPECT_TRUE((*client)->roster()->secrets.empty());

  // A host goes without a word and comes back elsewhere.
  const auto life = (*client)->WatchHost(Incarnation(2));
  absl::Notification is_lost;
  const auto on_lost = life->OnCancel([&] { is_lost.Notify(); });
  hosts[1]->End();
  is_lost.WaitForNotification();
  hosts[1] = std::make_unique<Host>(address, InfoOf(1, 22));
  hosts[1]->Join();
  EXPECT_TRUE(hosts[1]->session().Ready({}).ok());
  for (const auto& host : hosts) {
    ExpectAddresses(host->AwaitLife(HostId(1), Incarnation(22)), {1, 22, 3});
  }
  const auto again = ClusterConnection::Open(to);
  ASSERT_TRUE(again.ok()) << again.status();
  ExpectAddresses(*(*again)->roster(), {1, 22, 3});
}

}  // namespace
}  // namespace lockstep::internal
