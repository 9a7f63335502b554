#ifndef LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_
#define LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/coordinator.pb.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/roster.h"
#include "runtime/cluster/worker_info.h"
#include "tests/benchmark/http2_calls.h"

namespace lockstep::internal {

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
  Count connected, joined, ready, met, called, failures, rosters, left;
  std::atomic<int64_t> messages = 0;  // to and from the coordinator
  std::atomic<int64_t> bytes_to_hosts = 0;
  std::atomic<int64_t> bytes_from_hosts = 0;
  // The first error of any host.
  void Fail(const absl::Status& status);
  absl::Status error() const;
  // Everybody must have got the same whole roster; the first is kept.
  void TakeRoster(const proto::RosterUpdate& whole);
  void TakeFetchedRoster(absl::string_view bytes);
  std::shared_ptr<const Roster> roster() const;

 private:
  mutable absl::Mutex mutex_;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  size_t body_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t fetched_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const Roster> roster_ ABSL_GUARDED_BY(mutex_);
};

// What a coordinator sees of a worker: a stream, reports, the calls of a host's
// life. No devices, no transport. Of the thread of the connection.
class SimulatedHost : private Http2Call {
 public:
  // `connection` and `tally` outlive this. Says hello.
  SimulatedHost(Http2Connection* connection, WorkerInfo info, Tally* tally);

  void Join();
  void SetReady();
  void Meet(const std::string& barrier);
  // The first call of a function over all devices: its axis, then its program.
  void CallFunction(LaunchNumber number);
  void Report();
  void Leave();
  // As if its machine had lost its power: nothing is said any more, and
  // nothing is closed.
  void FallSilent() { is_silent_ = true; }

 private:
  enum Request : uint64_t {
    kJoin = 1,
    kReady,
    kLeave,
    kBarrier,
    kAxis,
    kAgree,
  };
  // The call that brings the roster.
  class Fetch : public Http2Call {
   public:
    explicit Fetch(SimulatedHost* host) : host_(*host) {}
    void OnMessage(absl::string_view message) override;
    void OnEnd(const absl::Status& status) override;

   private:
    SimulatedHost& host_;
  };

  void Send(proto::WorkerMessage message);
  void SendRequest(Request id, proto::WorkerMessage message);
  void OnMessage(absl::string_view bytes) override;
  void OnEnd(const absl::Status& status) override;
  void Handle(const proto::CoordinatorMessage& message);
  void TakeAxis(const AxisResolution& axis);
  void TakeRoster(const proto::RosterUpdate& update);
  void TellJoinedWhenComplete();

  const WorkerInfo info_;
  Tally& tally_;
  Http2Connection& connection_;
  const int32_t stream_;
  Fetch fetch_{this};
  LaunchKey call_;  // the latest
  bool is_silent_ = false;
  bool has_left_ = false;
  uint64_t received_ = 0;
  bool has_hello_ = false;
  bool is_member_ = false, has_roster_ = false, has_joined_ = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_SIMULATED_HOST_H_
