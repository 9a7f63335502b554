#ifndef LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_TEST_WORLD_H_
#define LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_TEST_WORLD_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/base/cancellation.h"
#include "runtime/collectives/communicator.h"
#include "runtime/devices/platform.h"
#include "tests/conformance/communicator/communicator_cluster.h"
#include "tests/conformance/communicator/waiting_communicator.h"

namespace lockstep::internal {

using Bytes = std::vector<std::byte>;

template <typename T>
Bytes ToBytes(const std::vector<T>& values) {
  const std::byte* data = reinterpret_cast<const std::byte*>(values.data());
  return Bytes(data, data + values.size() * sizeof(T));
}

// Devices 0 .. N-1, device d on host `host_of_device[d]`, which launch
// programs of collectives. The devices are those of the platform that
// LOCKSTEP_TEST_PLATFORM names, else of "cpu". One launch at a time; the
// launches are numbered from 1.
class TestWorld {
 public:
  explicit TestWorld(std::vector<int> host_of_device);
  ~TestWorld();

  int device_count() const { return static_cast<int>(hosts_.size()); }
  HostId HostOf(int device) const { return HostId(hosts_[device]); }
  CommunicatorCluster& cluster() { return *cluster_; }
  LocalDevice& local_device(int device) {
    return *platform_->devices()[device];
  }
  // Where the device's collectives run: every other device has them on the
  // queue of its computations.
  DeviceQueue& QueueOf(int device) {
    return device % 2 == 0 ? local_device(device).compute_queue()
                           : local_device(device).collective_queue();
  }
  CliqueKey Key(const std::vector<int>& devices) const;

  // What one device does in one launch.
  struct Device {
    int device = 0;
    WaitingCommunicator* communicator = nullptr;  // of the device's group
    CollectiveCall call;                          // number 0
    // Of this device's host.
    CancellationToken* cancellation = nullptr;
    // Gives the communicator back before the body ends.
    std::function<void()> release;
  };
  using Body = std::function<absl::Status(Device&)>;

  // Runs `body` on a thread per device of `groups` (which are disjoint) as one
  // launch; the result by device, OK for devices in no group. A failure on a
  // host cancels the launch there and aborts it, as a worker does.
  std::vector<absl::Status> Launch(const std::vector<std::vector<int>>& groups,
                                   const Body& body);
  // One group with everybody.
  std::vector<absl::Status> Launch(const Body& body);

  LaunchId current_launch() const;

 private:
  const std::vector<int> hosts_;
  std::unique_ptr<Platform> platform_;  // outlives what uses its devices
  std::unique_ptr<CommunicatorCluster> cluster_;
  int64_t launches_ = 0;
};

// The call at position `number` of the launch of `device`.
CollectiveCall At(const TestWorld::Device& device, int64_t number,
                  absl::string_view operation);

// Which host each device is on: one host, one device per host, interleaved,
// blocks and uneven blocks.
std::vector<std::vector<int>> HostLayouts(int device_count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_TEST_WORLD_H_
