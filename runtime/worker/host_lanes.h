#ifndef LOCKSTEP_RUNTIME_WORKER_HOST_LANES_H_
#define LOCKSTEP_RUNTIME_WORKER_HOST_LANES_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/arrays/buffer.h"
#include "runtime/devices/platform.h"
#include "runtime/executor/launch_lane.h"
#include "runtime/mesh/ids.h"
#include "runtime/worker/launch.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// The lanes of a host's devices, and on which thread a launch runs: each device
// on its lane; a short program whose devices meet, all of them on one; a short
// one without collectives, where the machine has no core for each device, on
// the thread that launches. Devices are added before anybody else has it;
// then thread-safe, except that one thread at a time may put launches, which
// the lanes see in that order.
class HostLanes {
 public:
  // [local device of the program][argument]
  using Arguments = std::vector<std::vector<Launch::Argument>>;

  // `device` outlives this.
  void Add(GlobalDeviceId id, LocalDevice& device);
  // Null: not of this host.
  LocalDevice* Find(GlobalDeviceId id) const;

  // The storage of every argument, before the lanes can reach them; donated
  // buffers are closed to further readers. The error of one that has none.
  static absl::StatusOr<Arguments> Hold(const Launch& launch,
                                        const ShardLists& arguments);

  // Puts every local device's part. Appends to `here` what the caller must run,
  // in order, when it holds no lock.
  void Put(const std::shared_ptr<Launch>& launch, Arguments arguments,
           const ShardLists& results, std::vector<std::function<void()>>& here);

  // Waits until what was put has run. DEADLINE_EXCEEDED.
  absl::Status AwaitIdle(absl::Time deadline);
  // Runs what was put, and ends the lanes.
  void Clear() { lanes_.clear(); }

 private:
  void PutTogether(const std::shared_ptr<Launch>& launch, Arguments arguments,
                   const ShardLists& results);

  absl::flat_hash_map<GlobalDeviceId, std::unique_ptr<LaunchLane>> lanes_;
  // Whether all devices work on the thread that asks for it.
  bool is_inline_ = true;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_HOST_LANES_H_
