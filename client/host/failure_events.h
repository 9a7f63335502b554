#ifndef LOCKSTEP_CLIENT_HOST_FAILURE_EVENTS_H_
#define LOCKSTEP_CLIENT_HOST_FAILURE_EVENTS_H_

#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/host/failure_listener.h"
#include "runtime/worker/control_plane.h"

namespace lockstep::internal {

// Hands what the control plane pushes to the listeners of this process. Never
// destroyed. Thread-safe.
class FailureEvents : public ControlPlaneObserver {
 public:
  using Function =
      std::shared_ptr<const std::function<void(const FailureEvent&)>>;

  static FailureEvents& Get();

  void Add(Function function);
  // Waits until it has returned, except on its own thread.
  void Remove(const Function& function);

  void OnFailure(const Failure& failure) override;
  void OnNotice(const Notice& notice) override;
  void OnCoordinatorLost(const absl::Status& status) override;

 private:
  FailureEvents() = default;

  void Post(FailureEvent event);
  void Run();

  absl::Mutex mutex_;
  std::vector<Function> functions_ ABSL_GUARDED_BY(mutex_);
  std::deque<FailureEvent> events_ ABSL_GUARDED_BY(mutex_);
  Function running_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_ ABSL_GUARDED_BY(mutex_);  // from the first listener on
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_FAILURE_EVENTS_H_
