#ifndef LOCKSTEP_CLIENT_HOST_HOST_VIEW_H_
#define LOCKSTEP_CLIENT_HOST_HOST_VIEW_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/arrays/view.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// The host view: this host's devices, served by the worker in this process.
class HostView : public View {
 public:
  explicit HostView(std::unique_ptr<Worker> worker);

  Worker& worker() { return *worker_; }
  HostId host_id() const { return worker_->host_id(); }

  World world() const override { return worker_->world(); }
  std::optional<HostId> host() const override { return host_id(); }
  std::shared_ptr<const HostNames> host_names() const override {
    return names_;
  }
  std::vector<GlobalDeviceId> Addressable(
      absl::Span<const GlobalDeviceId> devices) const override;
  absl::StatusOr<AxisResolution> ResolveAxis(const AxisQuery& query) override;
  absl::Status CheckReplicas(const AxisQuery& query, int64_t global_axis_size,
                             int64_t body_replicas) override;
  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override;
  absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<HostTensor> shards,
      std::vector<GlobalDeviceId> devices) override;
  absl::StatusOr<std::shared_ptr<Shards>> Join(
      std::vector<std::shared_ptr<Shards>> parts) override;
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override;
  absl::Status AgreeIn(const CallTurn& turn, Statement statement,
                       const absl::Status& error);
  absl::Status Agree(CallRequest request, Statement statement,
                     const absl::Status& error) override;
  absl::StatusOr<std::unique_ptr<ViewCall>> BeginCall(
      CallRequest request) override;

 private:
  class HostCall;

  const std::unique_ptr<Worker> worker_;
  const std::shared_ptr<const HostNames> names_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_HOST_VIEW_H_
