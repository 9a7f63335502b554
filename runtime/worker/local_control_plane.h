#ifndef LOCKSTEP_RUNTIME_WORKER_LOCAL_CONTROL_PLANE_H_
#define LOCKSTEP_RUNTIME_WORKER_LOCAL_CONTROL_PLANE_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/in_memory_key_value_store.h"
#include "runtime/worker/control_plane.h"

namespace lockstep::internal {

// A cluster of one, in this process: nobody to wait for, nobody to fail. What a
// program gets that runs without a coordinator. Thread-safe.
class LocalControlPlane : public ControlPlane {
 public:
  LocalControlPlane() : key_values_("host 0") {}

  absl::StatusOr<Membership> Join(const WorkerInfo& self,
                                  ControlPlaneObserver* observer) override;
  absl::Status Ready(const WaitOptions& options) override {
    return absl::OkStatus();
  }
  absl::StatusOr<AxisResolution> ResolveAxis(
      const AxisQuery& query, const WaitOptions& options) override;
  absl::Status Agree(const AgreementRecord& record,
                     const WaitOptions& options) override;
  absl::Status Barrier(absl::string_view name,
                       absl::Span<const HostId> participants,
                       const WaitOptions& options) override;
  absl::StatusOr<RollCallAnswer> CallRoll(const RollCall& call,
                                          const WaitOptions& options) override;
  absl::Status NoticePreemption() override;
  KeyValueStore& key_value_store() override { return key_values_; }
  void SetProgressSource(std::function<ProgressReport()> source) override {}
  void ReportLaunchFailure(const LaunchFailure& failure) override {}
  void Busy(absl::string_view what, absl::Duration at_most) override {}
  absl::Status AwaitCoordinator() override { return CheckJoined(); }
  absl::Status Leave(const WaitOptions& options) override;

 private:
  enum class State { kNew, kJoined, kLeft };

  // FAILED_PRECONDITION before Join and after Leave.
  absl::Status CheckJoined() const;

  InMemoryKeyValueStore key_values_;
  mutable absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kNew;
  Roster roster_ ABSL_GUARDED_BY(mutex_);
  int64_t last_roll_ ABSL_GUARDED_BY(mutex_) = 0;
  ControlPlaneObserver* observer_ ABSL_GUARDED_BY(mutex_) = nullptr;
  int64_t last_preemption_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t sync_step_ ABSL_GUARDED_BY(mutex_) = kNoStep;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_LOCAL_CONTROL_PLANE_H_
