#ifndef LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_
#define LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "proto/channel.h"
#include "proto/generic_stub.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "runtime/cluster/roster.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep {

// Counts up to what somebody waits for. Thread-safe.
class Count {
 public:
  void Add() {
    absl::MutexLock lock(&mutex_);
    ++count_;
  }
  // False: not in time.
  bool Await(int64_t count, absl::Duration limit) const {
    const auto is_there = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return count_ >= count;
    };
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(absl::Condition(&is_there), limit);
  }
  int64_t get() const {
    absl::MutexLock lock(&mutex_);
    return count_;
  }
  void Reset() {
    absl::MutexLock lock(&mutex_);
    count_ = 0;
  }

 private:
  mutable absl::Mutex mutex_;
  int64_t count_ ABSL_GUARDED_BY(mutex_) = 0;
};

// What all simulated hosts have seen together.
struct Tally {
  Count connected, joined, ready, met, failures, rosters, left;
  std::atomic<int64_t> messages = 0;  // to and from the coordinator
  std::atomic<int64_t> bytes_to_hosts = 0;
  std::atomic<int64_t> bytes_from_hosts = 0;
  // The first error of any host.
  void Fail(const absl::Status& status);
  absl::Status error() const;
  // Everybody must have got the same whole roster; the first is kept.
  void TakeRoster(const proto::RosterUpdate& whole);
  void TakeFetchedRoster(const grpc::ByteBuffer& bytes);
  std::shared_ptr<const Roster> roster() const;

 private:
  mutable absl::Mutex mutex_;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  size_t body_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t fetched_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const Roster> roster_ ABSL_GUARDED_BY(mutex_);
};

// A connection to a coordinator. One that simulated hosts share asks for no
// signs of life: they would wait behind the rosters of all of them.
class CoordinatorConnection {
 public:
  CoordinatorConnection(const std::string& address, bool is_shared);

  proto::Coordinator::Stub& stub() { return *stub_; }
  // Brings a roster as bytes, which are looked at once for all hosts.
  void FetchRoster(grpc::ClientContext* context, grpc::ByteBuffer* reply,
                   std::function<void(const grpc::Status&)> done);

 private:
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<proto::Coordinator::Stub> stub_;
  grpc::GenericStub generic_;
  const grpc::Slice empty_;
  const grpc::ByteBuffer request_{&empty_, 1};
};

// What a coordinator sees of a worker: a stream, reports, the calls of a host's
// life. No devices, no transport. Thread-safe.
class SimulatedHost
    : private grpc::ClientBidiReactor<proto::WorkerMessage,
                                      proto::CoordinatorMessage> {
 public:
  // `tally` outlives this. Says hello.
  SimulatedHost(std::shared_ptr<CoordinatorConnection> connection,
                WorkerInfo info, Tally* tally);
  // Waits for the end of the stream.
  ~SimulatedHost() override;

  void Join();
  void SetReady();
  void Meet(const std::string& barrier);
  void Report();
  void Leave();
  // As if its machine had lost its power: nothing is said any more, and
  // nothing is closed.
  void FallSilent() { is_silent_ = true; }

 private:
  enum Request : uint64_t { kJoin = 1, kReady, kLeave, kBarrier };

  void Send(proto::WorkerMessage message);
  void SendRequest(Request id, proto::WorkerMessage message);
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;
  void Handle(const proto::CoordinatorMessage& message);
  void TakeRoster(const proto::RosterUpdate& update);
  void TellJoinedWhenComplete();

  const WorkerInfo info_;
  Tally& tally_;
  const std::shared_ptr<CoordinatorConnection> connection_;
  grpc::ClientContext context_;
  proto::CoordinatorMessage message_;  // being read
  std::atomic<bool> is_silent_ = false;
  std::atomic<uint64_t> received_ = 0;
  // Of the thread that reads, and of that which fetches.
  bool has_hello_ = false;
  std::atomic<bool> is_member_ = false, has_roster_ = false,
                    has_joined_ = false;
  // A fetch in progress.
  grpc::ClientContext fetch_context_;
  grpc::ByteBuffer fetched_;

  absl::Mutex mutex_;
  std::deque<proto::WorkerMessage> queue_ ABSL_GUARDED_BY(mutex_);
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_done_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_fetching_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace lockstep

#endif  // LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_
