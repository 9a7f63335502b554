#ifndef LOCKSTEP_RUNTIME_WORKER_HOST_WORKER_H_
#define LOCKSTEP_RUNTIME_WORKER_HOST_WORKER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/backends/backend.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/collective_fabric.h"
#include "runtime/devices/platform.h"
#include "runtime/worker/active_launches.h"
#include "runtime/worker/call_sequences.h"
#include "runtime/worker/cluster_view.h"
#include "runtime/worker/compiled_program.h"
#include "runtime/worker/host_lanes.h"
#include "runtime/worker/program_compiler.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// The worker. Compiles on the caller's thread, launches on one lane per device,
// hears of failures on the control plane's thread.
class HostWorker : public Worker, public ControlPlaneObserver {
 public:
  HostWorker(Options options, Backend* backend,
             std::unique_ptr<ControlPlane> control_plane);
  ~HostWorker() override;

  // Once, before everything else: makes the fabric, joins, makes the devices.
  absl::Status Start();

  ControlPlane& control_plane() override { return *control_plane_; }
  HostId host_id() const override { return host_id_; }
  const World& world() const override { return world_; }
  std::string HostText(HostId host) const override;
  LocalDevice* local_device(GlobalDeviceId id) const override;
  absl::StatusOr<std::unique_ptr<CallTurn>> BeginCall(
      CallRequest request) override;
  void FailCall(const CallTurn& call, const absl::Status& cause) override;
  void BeginSequencesAnew(const std::vector<HostRef>& hosts,
                          absl::string_view sequence, int64_t number) override {
    sequences_.BeginAnew(hosts, sequence, number);
  }
  PreemptionPoint& preemption_point() override { return preemption_point_; }
  using Worker::Load;
  absl::StatusOr<std::shared_ptr<LoadedProgram>> Load(
      ProgramSpec spec, const CallTurn& call) override;
  using Worker::Launch;
  absl::StatusOr<ShardLists> Launch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments, const CallTurn& call,
      ProfileRequest profile) override;
  void Cancel(const std::shared_ptr<LoadedProgram>& program,
              const absl::Status& cause) override;
  absl::Status Synchronize(absl::Time deadline) override;
  absl::Status Shutdown() override;
  absl::Status Depart(const absl::Status& cause) override;

  void OnRoster(const Roster& roster) override;
  void OnFailure(const Failure& failure) override;
  void OnNotice(const Notice& notice) override;
  void OnCutLinks(const std::vector<CutLink>& links) override;
  int64_t OnPreemption(int64_t agreement) override;
  void OnPreemptionOutcome(const PreemptionOutcome& outcome) override;
  void OnCommand(const Command& command) override;
  void OnShutdown(absl::string_view reason) override;
  void OnCoordinatorLost(const absl::Status& status) override;

 private:
  // The sequence of the launches that commands of the global view ask for.
  static constexpr uint64_t kCommandSequence = 1;

  using SharedProgram = std::shared_ptr<const CompiledProgram>;

  // A launch before it is queued, with who takes part in it.
  struct LaunchPlace {
    LaunchInfo info;
    std::vector<CliqueMember> members;
    const CallTurn* call = nullptr;
  };

  // Before joining: what other hosts reach this one by; null for a cluster of
  // one.
  absl::StatusOr<std::unique_ptr<Transport>> MakeTransport() const;
  absl::Status MakeFabric(const Roster& roster,
                          std::unique_ptr<Transport> transport);
  // Waits until messages go to all other hosts and come from them.
  absl::Status AwaitLinks();
  // Tells the fabric of the latest membership.
  absl::Status ApplyRoster();

  // False when the worker never joined, or is shut down already.
  bool BeginShutdown();
  absl::Status FinishShutdown(const WaitOptions& options);
  absl::Status CheckRunning() const;
  CollectiveNames Names();
  ProgressReport Progress();

  absl::StatusOr<CompiledProgram::Parts> Place(const ProgramSpec& spec);
  // RESOURCE_EXHAUSTED when a launch needs more memory than the host's devices
  // have.
  absl::Status CheckFits(const CompiledProgram::Parts& parts,
                         const Executable& executable) const;
  // Puts its constants on the local devices.
  absl::Status LoadConstants(const Executable& executable,
                             CompiledProgram::Parts& parts) const;
  absl::Status AgreeOn(const ProgramSpec& spec,
                       const CompiledProgram::Parts& parts,
                       const absl::StatusOr<CompiledText>& compiled,
                       const CallTurn& call);
  // The hosts that meet in a call. Errors: those of BeginCall.
  absl::StatusOr<std::vector<HostRef>> HostsOf(const CallRequest& request) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The next place in the sequence of `hosts`, when it is this thread's turn.
  absl::StatusOr<std::unique_ptr<CallTurn>> BeginInSequence(
      CallTurn::Parts parts, const std::vector<HostRef>& hosts);
  // A call that cannot be made, since it names no hosts that could meet in it,
  // fails at the place where the others are likely to expect it: where it took
  // none, its host would be one call behind from then on.
  void FailUnplaced(CallRequest request, const absl::Status& cause);
  // A call that concerns this host alone, of a function that it made with
  // others before: it has a place there too, as one on its own devices, or a
  // host that took its own devices by mistake would be one call behind.
  void TakePlaceBeside(const CallRequest& request);
  // FailCall for `place`, that of `call` or one before it in its sequence.
  void FailPlace(const CallTurn& call, const LaunchKey& place,
                 const absl::Status& cause);

  // This worker's own program; INVALID_ARGUMENT for another's.
  absl::StatusOr<SharedProgram> Own(
      const std::shared_ptr<LoadedProgram>& program);
  absl::StatusOr<LaunchPlace> PlaceOf(const CompiledProgram& program,
                                      const CallTurn& call)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(launch_mutex_);
  // `here`: what the caller must run at once, after it has released the lock.
  absl::StatusOr<ShardLists> Enqueue(const SharedProgram& program,
                                     LaunchPlace place,
                                     const ShardLists& arguments,
                                     ProfileRequest profile,
                                     std::vector<std::function<void()>>& here)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(launch_mutex_);
  // Tells the fabric and, when others take part, the coordinator.
  void ReportFailed(const LaunchId& launch, LaunchFailure failure);

  const Options options_;
  Backend* const backend_;
  std::unique_ptr<ControlPlane> control_plane_;
  std::unique_ptr<Platform> platform_;  // set by Start
  HostId host_id_;
  TimeLimits limits_;  // of the cluster; never change
  World world_;        // of the first roster; devices never change

  absl::Mutex fabric_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  // Set once, before Start returns; its peers change under fabric_mutex_.
  std::unique_ptr<CollectiveFabric> fabric_;

  mutable absl::Mutex mutex_;
  ClusterView cluster_ ABSL_GUARDED_BY(mutex_);
  std::map<uint64_t, std::string> program_names_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> compiling_ ABSL_GUARDED_BY(mutex_);
  bool has_joined_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status shutdown_status_ ABSL_GUARDED_BY(mutex_);

  // Held while a launch is put on the lanes, so that all devices see launches
  // in one order.
  absl::Mutex launch_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  CallSequences sequences_;
  ActiveLaunches active_;
  PreemptionPoint preemption_point_;
  // Last: their tasks use the members above.
  HostLanes lanes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_HOST_WORKER_H_
