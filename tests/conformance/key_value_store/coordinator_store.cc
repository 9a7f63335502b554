// The coordinator's core, called directly: no network.
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "coordinator/coordinator.h"
#include "runtime/base/clock.h"
#include "tests/conformance/key_value_store/test_store.h"

namespace lockstep::internal {
namespace {

// A worker that hears nothing.
class SilentLink : public WorkerLink {
 public:
  void PushRoster(const std::shared_ptr<const Roster>& roster) override {}
  void PushFailure(const Failure& failure) override {}
  void PushNotice(absl::string_view line,
                  const std::optional<HostRef>& host) override {}
  void PushCutLinks(const std::vector<CutLink>&) override {}
  void PushCommands(const std::vector<Command>& commands) override {}
  void PushPreemption(int64_t agreement) override {}
  void PushPreemptionOutcome(const PreemptionOutcome& outcome) override {}
  void PushShutdown(absl::string_view reason) override {}
  void Close(const absl::Status& why) override {}
};

// Waits for the answer of one call.
template <typename T, typename Call>
absl::StatusOr<T> Await(Call call) {
  absl::Notification answered;
  absl::StatusOr<T> answer;
  call(Done<T>([&](absl::StatusOr<T> result) {
    answer = std::move(result);
    answered.Notify();
  }));
  answered.WaitForNotification();
  return answer;
}

class DirectStore : public KeyValueStore {
 public:
  DirectStore(Coordinator* coordinator, Incarnation me)
      : coordinator_(*coordinator), me_(me) {}

  absl::StatusOr<int64_t> Put(absl::string_view key, absl::string_view value,
                              const PutOptions& options) override {
    return Await<int64_t>([&](Done<int64_t> done) {
      coordinator_.Put(me_, std::string(key), std::string(value), options,
                       std::move(done));
    });
  }
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override {
    return Await<std::string>([&](Done<std::string> done) {
      coordinator_.Get(me_, std::string(key), timeout, std::move(done));
    });
  }
  absl::StatusOr<std::string> TryGet(absl::string_view key) override {
    return Await<std::string>([&](Done<std::string> done) {
      coordinator_.TryGet(me_, std::string(key), std::move(done));
    });
  }
  absl::StatusOr<int64_t> Increment(absl::string_view key,
                                    int64_t delta) override {
    return Await<int64_t>([&](Done<int64_t> done) {
      coordinator_.Increment(me_, std::string(key), delta, std::move(done));
    });
  }
  absl::StatusOr<std::vector<KeyValue>> List(
      absl::string_view prefix) override {
    return Await<std::vector<KeyValue>>([&](auto done) {
      coordinator_.List(me_, std::string(prefix), std::move(done));
    });
  }
  absl::Status Delete(absl::string_view key) override {
    return Await<Nothing>([&](Done<Nothing> done) {
             coordinator_.Delete(me_, std::string(key), std::move(done));
           })
        .status();
  }
  absl::StatusOr<std::vector<KeyChange>> Watch(
      absl::string_view prefix, int64_t revision,
      absl::Duration timeout) override {
    return Await<std::vector<KeyChange>>([&](auto done) {
      coordinator_.Watch(me_, std::string(prefix), revision, timeout,
                         std::move(done));
    });
  }

 private:
  Coordinator& coordinator_;
  const Incarnation me_;
};

CoordinatorOptions TwoHosts() {
  CoordinatorOptions options;
  options.expected_hosts = 2;
  options.silence = absl::InfiniteDuration();
  return options;
}

class CoordinatorTestStore : public TestStore {
 public:
  CoordinatorTestStore()
      : coordinator_(TwoHosts(), Clock::Real()),
        first_(&coordinator_, Incarnation(1)),
        second_(&coordinator_, Incarnation(2)),
        ticker_([this] {
          while (!stop_.WaitForNotificationWithTimeout(absl::Milliseconds(5))) {
            coordinator_.Tick();
          }
        }) {
    for (uint64_t i : {1, 2}) {
      WorkerInfo info;
      info.name = std::string(1, static_cast<char>('a' + i));
      info.incarnation = Incarnation(i);
      info.devices.resize(1);
      coordinator_.Join(info, "peer", std::make_shared<SilentLink>(),
                        [](absl::StatusOr<Membership>) {});
    }
  }
  ~CoordinatorTestStore() override {
    stop_.Notify();
    ticker_.join();
  }
  KeyValueStore& first() override { return first_; }
  KeyValueStore& second() override { return second_; }

 private:
  Coordinator coordinator_;
  DirectStore first_;
  DirectStore second_;
  absl::Notification stop_;
  std::thread ticker_;
};

}  // namespace

std::unique_ptr<TestStore> MakeTestStore() {
  return std::make_unique<CoordinatorTestStore>();
}

}  // namespace lockstep::internal
