#include "tests/conformance/communicator/test_world.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

Incarnation IncarnationOf(HostId host) {
  return Incarnation(0x1000 + host.value());
}

namespace {

// LOCKSTEP_TEST_PLATFORM, which tests/conformance/fake_platform and
// cuda_platform set.
std::string TestedPlatform() {
  const char* const platform = std::getenv("LOCKSTEP_TEST_PLATFORM");
  return platform == nullptr ? "cpu" : platform;
}

}  // namespace

TestWorld::TestWorld(std::vector<int> host_of_device)
    : hosts_(std::move(host_of_device)),
      platform_(*MakePlatform(
          TestedPlatform(), {.device_count = static_cast<int>(hosts_.size())})),
      cluster_(MakeCommunicatorCluster(
          *std::max_element(hosts_.begin(), hosts_.end()) + 1)) {}
TestWorld::~TestWorld() = default;

CliqueKey TestWorld::Key(const std::vector<int>& devices) const {
  std::vector<CliqueMember> members;
  for (int device : devices) {
    members.push_back({GlobalDeviceId(device), HostOf(device),
                       IncarnationOf(HostOf(device))});
  }
  return CliqueKey(std::move(members));
}

LaunchId TestWorld::current_launch() const {
  return LaunchId{Epoch(1), /*sequence=*/42, LaunchNumber(launches_)};
}

std::vector<absl::Status> TestWorld::Launch(
    const std::vector<std::vector<int>>& groups, const Body& body) {
  ++launches_;
  std::map<HostId, CancellationToken> tokens;
  std::vector<absl::Status> results(hosts_.size());
  std::vector<std::thread> threads;
  for (const std::vector<int>& group : groups) {
    CliqueKey key = Key(group);
    for (int id : group) {
      HostId host = HostOf(id);
      CancellationToken* token = &tokens[host];
      threads.emplace_back([this, key, id, host, token, &results, &body] {
        auto run = [&]() -> absl::Status {
          ASSIGN_OR_RETURN(
              std::shared_ptr<Communicator> communicator,
              cluster_->provider(host).Acquire(key, GlobalDeviceId(id)));
          WaitingCommunicator waiting(*communicator, local_device(id),
                                      QueueOf(id));
          Device device{id, &waiting, {}, token, [&communicator] {
                          communicator.reset();
                        }};
          device.call.epoch = current_launch().epoch;
          device.call.launch_sequence = current_launch().sequence;
          device.call.launch = current_launch().launch;
          device.call.recent_programs[0] = 0xa;
          device.call.cancellation = token;
          device.call.description =
              absl::StrCat("the start of launch ", device.call.launch.value());
          // Calls that differ are found where programs do not promise that
          // they agree.
          device.call.is_conditional = true;
          RETURN_IF_ERROR(communicator->Prepare(QueueOf(id), device.call));
          return body(device);
        };
        results[id] = run();
        if (results[id].ok()) return;
        cluster_->AbortLaunch(host, current_launch(), results[id]);
        token->Cancel(results[id]);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

std::vector<absl::Status> TestWorld::Launch(const Body& body) {
  std::vector<int> everybody(hosts_.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  return Launch({everybody}, body);
}

CollectiveCall At(const TestWorld::Device& device, int64_t number,
                  absl::string_view operation) {
  CollectiveCall call = device.call;
  call.number = number;
  call.digest = absl::Hash<absl::string_view>()(operation);
  call.description = absl::StrCat(operation, " #", number, " of launch ",
                                  call.launch.value(), " (jit_step)");
  return call;
}

std::vector<std::vector<int>> HostLayouts(int n) {
  std::set<std::vector<int>> layouts;
  std::vector<int> layout(n);
  for (int hosts : {1, 2, 3, n}) {
    if (hosts > n) continue;
    for (int i = 0; i < n; ++i) layout[i] = i % hosts;
    layouts.insert(layout);
    for (int i = 0; i < n; ++i) layout[i] = i * hosts / n;
    layouts.insert(layout);
  }
  for (int i = 0; i < n; ++i) layout[i] = i < n / 2 ? 0 : i < 3 * n / 4 ? 1 : 2;
  layouts.insert(layout);
  return {layouts.begin(), layouts.end()};
}

}  // namespace lockstep::internal
