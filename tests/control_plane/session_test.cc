// The whole control plane over loopback: a real server, real sessions.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "coordinator/server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"
#include "runtime/worker/session/coordinator_session.h"
#include "runtime/worker/session/coordinator_stream.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

// Keeps what was pushed; lets a test wait for it.
class RecordingObserver : public ControlPlaneObserver {
 public:
  void OnFailure(const Failure& failure) override {
    absl::MutexLock lock(&mutex_);
    failures_.push_back(failure);
  }
  void OnNotice(const Notice& notice) override {
    absl::MutexLock lock(&mutex_);
    notices_.push_back(notice);
  }
  int64_t OnPreemption(int64_t agreement) override {
    absl::MutexLock lock(&mutex_);
    return last_step_;
  }
  void OnPreemptionOutcome(const PreemptionOutcome& outcome) override {
    absl::MutexLock lock(&mutex_);
    outcomes_.push_back(outcome);
  }
  void OnCoordinatorLost(const absl::Status& status) override {
    lost_.Notify();
  }
  void SetLastStep(int64_t step) {
    absl::MutexLock lock(&mutex_);
    last_step_ = step;
  }
  PreemptionOutcome AwaitOutcome() {
    auto has_outcome = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return !outcomes_.empty();
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_outcome));
    return outcomes_.front();
  }
  Failure AwaitFailure() {
    auto has_failure = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return !failures_.empty();
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_failure));
    return failures_.front();
  }
  void AwaitNotice(absl::string_view part) {
    auto has_notice = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      for (const Notice& notice : notices_) {
        if (notice.message.find(std::string(part)) != std::string::npos) {
          return true;
        }
      }
      return false;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_notice));
  }
  void AwaitLost() { lost_.WaitForNotification(); }

 private:
  absl::Mutex mutex_;
  std::vector<Failure> failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<Notice> notices_ ABSL_GUARDED_BY(mutex_);
  int64_t last_step_ ABSL_GUARDED_BY(mutex_) = kNoStep;
  std::vector<PreemptionOutcome> outcomes_ ABSL_GUARDED_BY(mutex_);
  absl::Notification lost_;
};

// A stream that a test can break.
class BreakableStream : public CoordinatorStream {
 public:
  BreakableStream(const std::string& address,
                  std::atomic<CoordinatorStream*>* current)
      : stream_(CoordinatorStream::Open(address, {})), current_(*current) {
    current_ = this;
  }
  ~BreakableStream() override { current_ = nullptr; }
  bool Write(const proto::WorkerMessage& message) override {
    return stream_->Write(message);
  }
  bool Read(proto::CoordinatorMessage* message) override {
    return stream_->Read(message);
  }
  void Deliver(OnMessage on_message) override {
    stream_->Deliver(std::move(on_message));
  }
  absl::Status Finish() override { return stream_->Finish(); }
  absl::StatusOr<proto::RosterUpdate> FetchRoster(
      absl::Time deadline) override {
    return stream_->FetchRoster(deadline);
  }
  void Cancel() override { stream_->Cancel(); }

 private:
  std::unique_ptr<CoordinatorStream> stream_;
  std::atomic<CoordinatorStream*>& current_;
};

struct Host {
  explicit Host(const std::string& address) {
    SessionOptions options;
    options.address = address;
    options.report_interval = absl::Milliseconds(50);
    options.coordinator_grace = absl::Milliseconds(200);
    options.open_stream = [this, address] {
      return std::make_unique<BreakableStream>(address, &stream);
    };
    session = MakeCoordinatorSession(options);
  }
  absl::StatusOr<Membership> Join(const std::string& name,
                                  uint64_t incarnation) {
    WorkerInfo info;
    info.name = name;
    info.incarnation = Incarnation(incarnation);
    info.platform = "cpu";
    info.build = "test";
    info.devices.resize(2);
    return session->Join(info, &observer);
  }

  RecordingObserver observer;
  std::atomic<CoordinatorStream*> stream = nullptr;
  std::unique_ptr<ControlPlane> session;
};

class SessionTest : public ::testing::Test {
 protected:
  void Start(int hosts) {
    CoordinatorServer::Options options;
    options.tick = absl::Milliseconds(20);
    options.coordinator.expected_hosts = hosts;
    options.coordinator.report_interval = absl::Milliseconds(50);
    auto server = CoordinatorServer::Start(options);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // Hosts 0 .. n-1 named a, b, ..; joined.
  void JoinAll(int n) {
    Start(n);
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i) {
      hosts_.push_back(std::make_unique<Host>(server_->address()));
      threads.emplace_back([this, i] {
        auto membership =
            hosts_[i]->Join(std::string(1, static_cast<char>('a' + i)), i + 1);
        ASSERT_TRUE(membership.ok()) << membership.status();
        EXPECT_EQ(membership->host, HostId(i));
        EXPECT_EQ(membership->roster->world.device_count(), 2 * n_hosts_);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  // Runs `call` on all hosts at a time.
  std::vector<absl::Status> OnAll(
      const std::function<absl::Status(ControlPlane&, int)>& call) {
    std::vector<absl::Status> statuses(hosts_.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < hosts_.size(); ++i) {
      threads.emplace_back([&, i] {
        statuses[i] = call(*hosts_[i]->session, static_cast<int>(i));
      });
    }
    for (std::thread& thread : threads) thread.join();
    return statuses;
  }

  int n_hosts_ = 2;
  std::unique_ptr<CoordinatorServer> server_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

// M-21, M-22, M-25.
TEST_F(SessionTest, JoinBarrierKeysAndLeave) {
  JoinAll(2);
  for (const absl::Status& status : OnAll([](ControlPlane& plane, int) {
         return plane.Barrier("start", {}, {});
       })) {
    EXPECT_TRUE(status.ok()) << status;
  }
  KeyValueStore& store = hosts_[0]->session->key_value_store();
  ASSERT_TRUE(store.Put("a/b", "1").ok());
  EXPECT_EQ(
      *hosts_[1]->session->key_value_store().Get("a/b", absl::Seconds(60)),
      "1");
  EXPECT_EQ(store.TryGet("a/c").status().code(), absl::StatusCode::kNotFound);
  for (const absl::Status& status :
       OnAll([](ControlPlane& plane, int) { return plane.Leave({}); })) {
    EXPECT_TRUE(status.ok()) << status;
  }
}

// M-18.
TEST_F(SessionTest, DifferentProgramsAreRefusedOnEveryHost) {
  JoinAll(2);
  auto statuses = OnAll([](ControlPlane& plane, int host) {
    AgreementRecord record;
    record.key = "program 0";
    record.program = "step";
    record.participants = {HostId(0), HostId(1)};
    record.fields = {{"program text", absl::StrCat("line\nx = ", host)}};
    return plane.Agree(record, {});
  });
  for (const absl::Status& status : statuses) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("host 0 (a)"));
    EXPECT_THAT(status.message(), HasSubstr("x = 1"));
  }
}

// M-17.
TEST_F(SessionTest, ANameThatIsAliveIsRefused) {
  Start(2);
  Host first(server_->address()), second(server_->address());
  std::thread thread([&] { (void)first.Join("a", 1); });
  first.observer.AwaitNotice("1 of 2");
  auto membership = second.Join("a", 2);
  EXPECT_EQ(membership.status().code(), absl::StatusCode::kAlreadyExists)
      << membership.status();
  Host third(server_->address());
  EXPECT_TRUE(third.Join("b", 3).ok());
  thread.join();
}

TEST_F(SessionTest, ABrokenStreamIsContinuedWithoutLoss) {
  JoinAll(2);
  std::thread waiter([&] {
    absl::Status status = hosts_[0]->session->Barrier("late", {}, {});
    EXPECT_TRUE(status.ok()) << status;
  });
  for (int i = 0; i < 3; ++i) {
    if (CoordinatorStream* stream = hosts_[0]->stream) stream->Cancel();
    auto sum = hosts_[0]->session->key_value_store().Increment("n", 1);
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_EQ(*sum, i + 1);
  }
  EXPECT_TRUE(hosts_[1]->session->Barrier("late", {}, {}).ok());
  waiter.join();
}

// M-27.
TEST_F(SessionTest, ALostHostIsNotInTheRollOfTheOthers) {
  JoinAll(2);
  std::thread waiter([&] {
    const auto roll = hosts_[0]->session->CallRoll({"r", {}}, {});
    ASSERT_TRUE(roll.ok()) << roll.status();
    ASSERT_EQ(roll->hosts.size(), 1u);
    EXPECT_EQ(roll->hosts[0].name, "a");
  });
  // Its destructor closes the stream without a goodbye.
  hosts_[1]->session.reset();
  waiter.join();
}

// M-28.
TEST_F(SessionTest, ANoticeOfOneHostGivesAllTheSameStep) {
  JoinAll(2);
  hosts_[0]->observer.SetLastStep(5);
  hosts_[1]->observer.SetLastStep(7);
  ASSERT_TRUE(hosts_[0]->session->NoticePreemption().ok());
  for (const auto& host : hosts_) {
    const PreemptionOutcome outcome = host->observer.AwaitOutcome();
    EXPECT_EQ(outcome.agreement, 1);
    ASSERT_TRUE(outcome.sync_step.ok()) << outcome.sync_step.status();
    EXPECT_EQ(*outcome.sync_step, 8);
  }
}

// M-21, M-24.
TEST_F(SessionTest, ALostHostEndsTheWaitsOfTheOthers) {
  JoinAll(2);
  std::thread waiter([&] {
    absl::Status status = hosts_[0]->session->Barrier("never", {}, {});
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << status;
    auto origin = OriginOf(status);
    ASSERT_TRUE(origin.has_value());
    EXPECT_EQ(origin->name, "b");
  });
  // Its destructor closes the stream without a goodbye.
  hosts_[1]->session.reset();
  waiter.join();
  EXPECT_EQ(hosts_[0]->observer.AwaitFailure().origin.name, "b");
}

// M-24.
TEST_F(SessionTest, ALostCoordinatorEndsWaitsAfterItsGrace) {
  JoinAll(2);
  std::string address = server_->address();
  std::thread waiter([&] {
    absl::Status status = hosts_[0]->session->Barrier("never", {}, {});
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    EXPECT_THAT(status.message(), HasSubstr(address));
  });
  server_.reset();
  waiter.join();
  const absl::Status notice = hosts_[0]->session->NoticePreemption();
  EXPECT_EQ(notice.code(), absl::StatusCode::kUnavailable) << notice;
  hosts_[0]->observer.AwaitLost();
  hosts_[1]->observer.AwaitLost();
}

TEST_F(SessionTest, AnUnreachableCoordinatorIsNamed) {
  Start(1);
  std::string address = server_->address();
  server_.reset();
  SessionOptions options;
  options.address = address;
  options.join_deadline = absl::Milliseconds(100);
  auto session = MakeCoordinatorSession(options);
  WorkerInfo info;
  info.name = "a";
  info.incarnation = Incarnation(1);
  RecordingObserver observer;
  absl::Status status = session->Join(info, &observer).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr(address));
}

}  // namespace
}  // namespace lockstep::internal
