#ifndef LOCKSTEP_CLIENT_RECORDING_VIEW_H_
#define LOCKSTEP_CLIENT_RECORDING_VIEW_H_

// For tests of pmap: the host view of a cluster of one, which remembers what it
// was asked for.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/host_view.h"
#include "runtime/base/check.h"
#include "runtime/worker/local_control_plane.h"

namespace lockstep {

class RecordingView : public HostView {
 public:
  // A worker with so many devices, in this process.
  static std::shared_ptr<RecordingView> Create(int devices) {
    Worker::Options options;
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
  int failed_loads() const { return failed_loads_; }
  int puts() const { return puts_; }

  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override {
    loads_.push_back(spec);
    return HostView::Load(std::move(spec));
  }
  void FailLoad(ViewProgramSpec spec, const absl::Status& cause) override {
    ++failed_loads_;
    HostView::FailLoad(std::move(spec), cause);
  }
  absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<Literal> shards,
      std::vector<GlobalDeviceId> devices) override {
    ++puts_;
    return HostView::Put(std::move(shards), std::move(devices));
  }

 private:
  std::vector<ViewProgramSpec> loads_;
  int failed_loads_ = 0;
  int puts_ = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_RECORDING_VIEW_H_
