#ifndef LOCKSTEP_CLIENT_HOST_RECORDING_VIEW_H_
#define LOCKSTEP_CLIENT_HOST_RECORDING_VIEW_H_

// For tests of pmap: the host view of a cluster of one, which remembers what it
// was asked for.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/host/host_view.h"
#include "runtime/base/check.h"
#include "runtime/worker/local_control_plane.h"

namespace lockstep::internal {

class RecordingView : public HostView {
 public:
  // A worker with so many devices, in this process; "": of the backend's
  // platform.
  static std::shared_ptr<RecordingView> Create(
      int devices, const std::string& platform = "") {
    Worker::Options options;
    options.platform = platform;
    options.local_device_count = devices;
    options.info.name = "host0";
    auto worker = Worker::Create(std::move(options),
                                 std::make_unique<LocalControlPlane>());
    LOCKSTEP_CHECK(worker.ok());
    return std::make_shared<RecordingView>(*std::move(worker));
  }
  explicit RecordingView(std::unique_ptr<Worker> worker)
      : HostView(std::move(worker)) {}

  int loads() const { return static_cast<int>(loads_.size()); }
  const ViewProgramSpec& last_load() const { return loads_.back(); }
  // As the latest call was described.
  const CallDescription& last_call() const { return last_call_; }
  int calls() const { return calls_; }
  int failed_calls() const { return failed_calls_; }
  int puts() const { return puts_; }

  absl::StatusOr<std::unique_ptr<ViewCall>> BeginCall(
      CallRequest request) override {
    last_call_ = request.description;
    ++calls_;
    absl::StatusOr<std::unique_ptr<ViewCall>> call =
        HostView::BeginCall(std::move(request));
    if (!call.ok()) return call.status();
    return std::make_unique<RecordingCall>(this, *std::move(call));
  }
  absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<HostTensor> shards,
      std::vector<GlobalDeviceId> devices) override {
    ++puts_;
    return HostView::Put(std::move(shards), std::move(devices));
  }

 private:
  class RecordingCall : public ViewCall {
   public:
    RecordingCall(RecordingView* view, std::unique_ptr<ViewCall> call)
        : view_(*view), call_(std::move(call)) {}
    uint64_t lives() const override { return call_->lives(); }
    absl::StatusOr<AxisResolution> ResolveAxis(AxisQuery query) override {
      return call_->ResolveAxis(std::move(query));
    }
    absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
        ViewProgramSpec spec) override {
      view_.loads_.push_back(spec);
      return call_->Load(std::move(spec));
    }
    absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
        const std::shared_ptr<ViewProgram>& program,
        const std::vector<std::shared_ptr<Shards>>& arguments) override {
      return call_->Launch(program, arguments);
    }
    void Fail(const absl::Status& cause) override {
      ++view_.failed_calls_;
      call_->Fail(cause);
    }

   private:
    RecordingView& view_;
    const std::unique_ptr<ViewCall> call_;
  };

  std::vector<ViewProgramSpec> loads_;
  CallDescription last_call_;
  int calls_ = 0;
  int failed_calls_ = 0;
  int puts_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_RECORDING_VIEW_H_
