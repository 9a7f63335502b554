#ifndef LOCKSTEP_RUNTIME_WORKER_WORKER_H_
#define LOCKSTEP_RUNTIME_WORKER_WORKER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/arrays/buffer.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/cluster/device_profile.h"
#include "runtime/collectives/reduction_mode.h"
#include "runtime/collectives/transport.h"
#include "runtime/devices/local_device.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"
#include "runtime/worker/call_turn.h"
#include "runtime/worker/control_plane.h"
#include "runtime/worker/preemption_point.h"

namespace lockstep::internal {

class HostCallbacks;
class Module;

// What to compile; the same on every participant.
struct ProgramSpec {
  std::string name;  // for messages and status: "jit_step"
  std::string text;  // StableHLO
  // The same, where this process has it already; `text` is not read then.
  std::shared_ptr<const Module> module = nullptr;
  // The functions of this process that it calls; null: none.
  std::shared_ptr<const HostCallbacks> callbacks = nullptr;
  DeviceAssignment assignment;
  // Positions of arguments whose buffers the program may reuse.
  std::vector<int> donated_arguments;
};

// A program compiled for the devices of this host. Immutable; thread-safe.
class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  virtual const std::string& name() const = 0;
  virtual const DeviceAssignment& assignment() const = 0;
  // Per logical device.
  virtual const std::vector<Shape>& argument_shapes() const = 0;
  virtual const std::vector<Shape>& result_shapes() const = 0;
  // Of program, options, assignment and backend version; the same on every
  // host.
  virtual uint64_t fingerprint() const = 0;
  // This host's devices of the assignment, by ascending flattened id.
  virtual const std::vector<GlobalDeviceId>& local_devices() const = 0;
};

// A launch that is to be timed.
struct ProfileRequest {
  // How many executions of thunks are kept of each device.
  int64_t most_events = 0;
  // Gets, once, what was found on the local devices, in their order, or why the
  // launch failed, when nothing of it runs any more: on a thread of the launch,
  // with no lock held; must be short. Null: nobody asks.
  std::function<void(absl::StatusOr<std::vector<DeviceProfile>>)> on_done =
      nullptr;
};

// [local device of the program, in the order of local_devices()][argument]
using ShardLists = std::vector<std::vector<std::shared_ptr<Buffer>>>;

// The process that serves one host: compiles programs for its devices and runs
// them. Lives in the caller's process (host view) or in a daemon (global
// view). Thread-safe; calls that span several hosts take turns, in the order in
// which they begin (CallTurn), which must be the same on every host.
class Worker {
 public:
  struct Options {
    // What compiles, and what its devices are; "": what suits (ChooseDevices).
    std::string backend = {};
    std::string platform = {};
    // Where compiled code is kept between processes, any number of them at a
    // time; "": nowhere. Made when it is missing.
    std::string cache_directory = {};
    int local_device_count = 1;
    // Of platforms that find their devices: which ones, as the platform counts
    // them. Empty: all there are.
    std::vector<int> local_devices = {};
    // Of devices with collectives of their own. Hosts of a program that differ
    // are refused when they agree on it.
    ReductionMode reduction_mode = ReductionMode::kFast;
    // What Join says of this host. The worker fills in the devices, the
    // platform, the build and the transport's address; an incarnation of 0
    // becomes a random one.
    WorkerInfo info;
    // Hears all that the control plane pushes, after the worker has acted on
    // it; null: nobody. Outlives the worker.
    ControlPlaneObserver* observer = nullptr;
    // Times and addresses of the control plane are its own options.

    // Makes what collectives between hosts travel on; not called when
    // info.expected_hosts is 1. Null: UCX on `network_interface`.
    std::function<absl::StatusOr<std::unique_ptr<Transport>>()> make_transport;
    // The default reaches workers of this machine only.
    std::string network_interface = "lo";
  };
  // Joins through `control_plane`, which must not have joined yet; waits for
  // the expected hosts. FAILED_PRECONDITION: a cache directory that cannot be
  // written.
  static absl::StatusOr<std::unique_ptr<Worker>> Create(
      Options options, std::unique_ptr<ControlPlane> control_plane);
  virtual ~Worker() = default;

  virtual ControlPlane& control_plane() = 0;
  virtual HostId host_id() const = 0;
  virtual const World& world() const = 0;
  // "host 3 (gpu03)", for messages.
  virtual std::string HostText(HostId host) const {
    return absl::StrCat("host ", host.value());
  }
  // Lives as long as the worker; null: not of this host.
  virtual LocalDevice* local_device(GlobalDeviceId id) const = 0;
  // A buffer with `value` on a device of this host. FAILED_PRECONDITION: on
  // another one. RESOURCE_EXHAUSTED: no memory for it.
  absl::StatusOr<std::shared_ptr<Buffer>> Put(Literal value,
                                              GlobalDeviceId device);
  // The same of a tensor that others have too (PutTensor).
  absl::StatusOr<std::shared_ptr<Buffer>> Put(HostTensor value,
                                              GlobalDeviceId device);

  // Whatever hosts do together is a call, and has a place in the sequence of
  // those that take part (LaunchKey). Once a call has begun here, the other
  // hosts wait for it: it is launched, or failed with FailCall, or over because
  // no launch was needed. Blocks while another thread has its turn. Errors, by
  // which no call has begun: ABORTED, a host that takes part is lost;
  // FAILED_PRECONDITION, the thread is within a callback of a program
  // (CallbackScope), the worker is shut down, or a command is of an earlier
  // life of a host; INVALID_ARGUMENT, a device that the cluster does not have.
  virtual absl::StatusOr<std::unique_ptr<CallTurn>> BeginCall(
      CallRequest request) = 0;

  // Meetings of the hosts of a call: as of ControlPlane, which is asked in the
  // place of `call`. ResolveAxis and AgreeOnce do not meet again for what was
  // found out in an earlier call of the same hosts (MeetingResults).
  absl::StatusOr<AxisResolution> ResolveAxis(AxisQuery query,
                                             const CallTurn& call);
  absl::Status Agree(AgreementRecord record, const CallTurn& call);
  absl::Status AgreeOnce(AgreementRecord record, const CallTurn& call);

  // These hosts, in these lives, count the calls of a name anew (CallRequest)
  // that several of them make together: they may have made different ones.
  // Every one of them does this, with the same `number`, which grows.
  virtual void BeginSequencesAnew(const std::vector<HostRef>& hosts,
                                  absl::string_view sequence,
                                  int64_t number) = 0;

  // Ends the call of all participants with ABORTED and `cause`: what waits in
  // it, what it launched, and what comes later for it. Does not wait.
  virtual void FailCall(const CallTurn& call, const absl::Status& cause) = 0;

  // Compiles, and agrees on the result with the other participants (spec
  // M-18). A failure here is carried into the agreement, so that the others
  // get ABORTED with its cause and do not wait.
  // FAILED_PRECONDITION: this host has no device in the assignment; hosts
  // differ (names them and the first difference).
  virtual absl::StatusOr<std::shared_ptr<LoadedProgram>> Load(
      ProgramSpec spec, const CallTurn& call) = 0;

  // How far the program of this host is; hears of preemptions that hosts give
  // notice of by the control plane (spec M-28).
  virtual PreemptionPoint& preemption_point() = 0;

  // Queues one launch on every local device of the program and returns; the
  // results become ready later. INVALID_ARGUMENT for arguments of a wrong
  // number, shape or type. Errors while running are in the results: ABORTED
  // names the origin. `profile` is asked for on platforms whose queues are
  // inline; UNIMPLEMENTED, in the results, on others. It hears of a launch that
  // this returns results of.
  virtual absl::StatusOr<ShardLists> Launch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments, const CallTurn& call,
      ProfileRequest profile) = 0;
  absl::StatusOr<ShardLists> Launch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments, const CallTurn& call) {
    return Launch(program, arguments, call, ProfileRequest());
  }

  // The same as calls of their own, which fail when they return an error.
  absl::StatusOr<std::shared_ptr<LoadedProgram>> Load(ProgramSpec spec);
  absl::StatusOr<ShardLists> Launch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments);

  // Ends the launches of `program` that are queued or running on this host
  // with `cause`. The other participants must do the same: nothing is reported
  // to them.
  virtual void Cancel(const std::shared_ptr<LoadedProgram>& program,
                      const absl::Status& cause) = 0;

  // Waits for all launches so far.
  virtual absl::Status Synchronize(absl::Time deadline) = 0;

  // Waits for launches, leaves the cluster, waits until all hosts have left or
  // the control plane's shutdown deadline (spec M-25). Idempotent.
  virtual absl::Status Shutdown() = 0;

  // Leaves the cluster at once, alone: what runs here ends with `cause`, for
  // the other hosts as the failure of a host that left, and nobody is waited
  // for. A later Shutdown does nothing.
  virtual absl::Status Depart(const absl::Status& cause) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_WORKER_H_
