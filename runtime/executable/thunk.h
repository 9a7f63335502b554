#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/devices/device_queue.h"
#include "runtime/executable/acquired_cliques.h"
#include "runtime/executable/buffer_table.h"
#include "runtime/executable/buffer_use.h"
#include "runtime/executable/collectives_in_flight.h"
#include "runtime/executable/host_buffers.h"
#include "runtime/executable/launch_info.h"
#include "runtime/executable/progress_cell.h"
#include "runtime/executable/thunk_work.h"

namespace lockstep::internal {

class ProfileRecorder;
class ThunkSequence;

// What Prepare may use. Everything outlives the call.
struct PrepareContext {
  // The place of this device in the assignment, and who drives every place, by
  // flattened id.
  int32_t flattened_id = 0;
  absl::Span<const CliqueMember> members;
  CliqueProvider* clique_provider = nullptr;  // null: one device only
  AcquiredCliques* cliques = nullptr;         // filled
  std::string first_collective;               // filled: its place in the source
};

// What a thunk that the host executes may use; of one device and one launch,
// used by one thread at a time.
struct HostContext {
  int32_t flattened_id = 0;
  int32_t replica_id = 0;
  int32_t partition_id = 0;
  HostBuffers buffers;
  CancellationToken* cancellation = nullptr;  // of the launch; never null
  ProgressCell* progress = nullptr;           // never null
  // Times the thunks; null: nobody. Only where `is_on_host`.
  ProfileRecorder* profile = nullptr;
  // Threads that a thunk may use, its own included.
  int intra_op_threads = 1;
};

// What Execute may use; of one device and one launch. There until all that was
// put on the queue has run.
struct ExecuteContext {
  // Used by what runs on the queue, in its order.
  HostContext host;
  BufferTable buffers;
  DeviceQueue* queue = nullptr;
  // Of collectives that run beside the queue.
  DeviceQueue* collective_queue = nullptr;
  WorkScope* scope = nullptr;  // of the launch
  const LaunchInfo* launch = nullptr;
  AcquiredCliques* cliques = nullptr;
  // Hears of each collective while it runs. Null: nobody.
  CollectiveObserver* observer = nullptr;
  int64_t collective_count = 0;  // queued so far
  // How many loops and branches the host is in.
  int control_flow_depth = 0;
  CollectivesInFlight in_flight;
  // Whether the queue is inline and the buffers are the host's: then
  // host.buffers shows them.
  bool is_on_host = false;
};

// One unit of execution, put on a device's queue. Immutable: all devices and
// launches of an executable share it, each with a context of its own.
// Thread-safe.
class Thunk {
 public:
  // `kind` names it in dumps ("while", "stablehlo.add"); `location` is that of
  // the op it came from.
  Thunk(std::string kind, std::string location)
      : kind_(std::move(kind)), location_(std::move(location)) {}
  virtual ~Thunk() = default;
  Thunk(const Thunk&) = delete;
  Thunk& operator=(const Thunk&) = delete;

  const std::string& kind() const { return kind_; }
  const std::string& location() const { return location_; }

  // What Execute reads and writes, without what nested sequences do.
  virtual std::vector<BufferUse> buffer_uses() const = 0;
  // Sequences that Execute may run, in the order of the dump.
  virtual std::vector<const ThunkSequence*> nested() const { return {}; }
  // For profiles; not in the dump.
  const ThunkWork& work() const { return work_; }
  // Before anybody else has the thunk.
  void SetWork(ThunkWork work) { work_ = std::move(work); }
  // Thunks that Execute runs itself, as a part of it. Not in the dump.
  virtual std::vector<const Thunk*> called() const { return {}; }
  // What else the dump shows: "dim=0, groups=[[0,1]]".
  virtual std::string Details() const { return ""; }

  // Acquires what Execute needs. Called before anything of the launch runs
  // anywhere; may fail. Nested sequences are prepared by their owner.
  virtual absl::Status Prepare(PrepareContext& context) const {
    return absl::OkStatus();
  }
  // Queues the work and returns; what is inline has run by then. Fails only
  // when the launch is cancelled, a peer fails, or the program asks for
  // something impossible; what fails on the queue fails the scope.
  virtual absl::Status Execute(ExecuteContext& context) const = 0;
  // Executes it for all local devices of the launch on one thread, if
  // `runs_together`; for devices whose work is on the host. Several meet there
  // without waiting for each other's threads.
  virtual absl::Status ExecuteTogether(
      absl::Span<ExecuteContext* const> contexts) const;
  // False for what waits for a local device that has not come so far.
  virtual bool runs_together() const { return nested().empty(); }

 private:
  const std::string kind_;
  const std::string location_;
  ThunkWork work_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_THUNK_H_
