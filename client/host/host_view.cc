#include "client/host/host_view.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep::internal {
namespace {

class HostProgram : public ViewProgram {
 public:
  explicit HostProgram(std::shared_ptr<LoadedProgram> loaded)
      : loaded_(std::move(loaded)) {}
  const std::shared_ptr<LoadedProgram>& loaded() const { return loaded_; }
  uint64_t fingerprint() const override { return loaded_->fingerprint(); }

 private:
  const std::shared_ptr<LoadedProgram> loaded_;
};

class HostShards : public Shards {
 public:
  HostShards(const View* view, std::shared_ptr<const HostNames> names,
             Shape shape, std::vector<std::shared_ptr<Buffer>> buffers)
      : view_(view),
        live_view_(WeakRef(view)),
        names_(std::move(names)),
        shape_(std::move(shape)),
        buffers_(std::move(buffers)) {
    for (const auto& buffer : buffers_) devices_.push_back(buffer->device());
  }
  // Some of those of another array, whose view may have ended.
  HostShards(const HostShards& whole,
             std::vector<std::shared_ptr<Buffer>> buffers)
      : view_(whole.view_),
        live_view_(whole.live_view_),
        names_(whole.names_),
        shape_(whole.shape_),
        buffers_(std::move(buffers)) {
    for (const auto& buffer : buffers_) devices_.push_back(buffer->device());
  }

  const std::vector<std::shared_ptr<Buffer>>& buffers() const {
    return buffers_;
  }
  const View* view() const override { return view_; }
  std::shared_ptr<View> live_view() const override { return live_view_.lock(); }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  std::string HostText(HostId host) const override {
    return names_->Text(host);
  }
  bool is_ready() const override {
    for (const auto& buffer : buffers_) {
      if (!buffer->is_ready()) return false;
    }
    return true;
  }
  absl::Status Await(absl::Time deadline) const override {
    for (const auto& buffer : buffers_) {
      RETURN_IF_ERROR(buffer->Await(deadline));
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::shared_ptr<Shards>> Select(
      absl::Span<const int64_t> positions) const override {
    return std::make_shared<HostShards>(*this, BuffersAt(positions));
  }
  absl::Status Read(absl::Span<const int64_t> positions,
                    const ByteSink& sink) const override {
    return ReadInPlace(BuffersAt(positions), [&](const LiteralView& value) {
      sink(value.byte_span());
    });
  }
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override {
    return FetchLiterals(BuffersAt(positions));
  }

 private:
  std::vector<std::shared_ptr<Buffer>> BuffersAt(
      absl::Span<const int64_t> positions) const {
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (int64_t position : positions) buffers.push_back(buffers_[position]);
    return buffers;
  }

  const View* const view_;
  const std::weak_ptr<View> live_view_;
  const std::shared_ptr<const HostNames> names_;
  const Shape shape_;
  const std::vector<std::shared_ptr<Buffer>> buffers_;
  std::vector<GlobalDeviceId> devices_;
};

ProgramSpec SpecOf(ViewProgramSpec spec) {
  ProgramSpec program;
  program.name = std::move(spec.name);
  program.module = std::move(spec.module);
  program.text = std::move(spec.text);
  program.callbacks = std::move(spec.callbacks);
  program.assignment = std::move(spec.assignment);
  program.donated_arguments = std::move(spec.donated_arguments);
  return program;
}

const std::shared_ptr<LoadedProgram>& LoadedOf(
    const std::shared_ptr<ViewProgram>& program) {
  return static_cast<const HostProgram&>(*program).loaded();
}

// [local device][argument]
ShardLists BuffersOf(const LoadedProgram& program,
                     const std::vector<std::shared_ptr<Shards>>& arguments) {
  ShardLists lists(program.local_devices().size());
  for (const auto& argument : arguments) {
    const auto& buffers = static_cast<const HostShards&>(*argument).buffers();
    for (size_t i = 0; i < lists.size(); ++i) lists[i].push_back(buffers[i]);
  }
  return lists;
}

std::vector<std::shared_ptr<Shards>> ResultsOf(const View* view,
                                               const LoadedProgram& program,
                                               const ShardLists& outputs) {
  const std::shared_ptr<const HostNames> names = view->host_names();
  std::vector<std::shared_ptr<Shards>> results;
  for (size_t r = 0; r < program.result_shapes().size(); ++r) {
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (const auto& of_device : outputs) buffers.push_back(of_device[r]);
    results.push_back(std::make_shared<HostShards>(
        view, names, program.result_shapes()[r], std::move(buffers)));
  }
  return results;
}

std::shared_ptr<const HostNames> NamesOf(const Worker& worker) {
  absl::flat_hash_map<HostId, std::string> texts;
  for (HostId host : worker.world().hosts()) {
    texts.emplace(host, worker.HostText(host));
  }
  return std::make_shared<const HostNames>(std::move(texts));
}

}  // namespace

HostView::HostView(std::unique_ptr<Worker> worker)
    : worker_(std::move(worker)), names_(NamesOf(*worker_)) {}

std::vector<GlobalDeviceId> HostView::Addressable(
    absl::Span<const GlobalDeviceId> devices) const {
  std::vector<GlobalDeviceId> mine;
  for (GlobalDeviceId id : devices) {
    const Device* device = worker_->world().Find(id);
    if (device != nullptr && device->host == host_id()) mine.push_back(id);
  }
  return mine;
}

absl::StatusOr<AxisResolution> HostView::ResolveAxis(const AxisQuery& query) {
  return worker_->control_plane().ResolveAxis(query, {});
}

absl::Status HostView::CheckReplicas(const AxisQuery& query,
                                     int64_t global_axis_size,
                                     int64_t body_replicas) {
  return internal::CheckReplicas(query.axis_size, global_axis_size,
                                 body_replicas, query.devices,
                                 WorldIndex(worker_->world()), host_id());
}

absl::StatusOr<std::shared_ptr<ViewProgram>> HostView::Load(
    ViewProgramSpec spec) {
  ASSIGN_OR_RETURN(auto loaded, worker_->Load(SpecOf(std::move(spec))));
  return std::make_shared<HostProgram>(std::move(loaded));
}

absl::StatusOr<std::shared_ptr<Shards>> HostView::Put(
    std::vector<HostTensor> shards, std::vector<GlobalDeviceId> devices) {
  const Shape shape = shards[0].view.shape();
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (size_t i = 0; i < shards.size(); ++i) {
    ASSIGN_OR_RETURN(buffers.emplace_back(),
                     worker_->Put(std::move(shards[i]), devices[i]));
  }
  return std::make_shared<HostShards>(this, names_, shape, std::move(buffers));
}

absl::StatusOr<std::shared_ptr<Shards>> HostView::Join(
    std::vector<std::shared_ptr<Shards>> parts) {
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (const auto& part : parts) {
    buffers.push_back(static_cast<const HostShards&>(*part).buffers()[0]);
  }
  return std::make_shared<HostShards>(this, names_, parts[0]->shape(),
                                      std::move(buffers));
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>> HostView::Launch(
    const std::shared_ptr<ViewProgram>& program,
    const std::vector<std::shared_ptr<Shards>>& arguments) {
  const std::shared_ptr<LoadedProgram>& loaded = LoadedOf(program);
  ASSIGN_OR_RETURN(const ShardLists outputs,
                   worker_->Launch(loaded, BuffersOf(*loaded, arguments)));
  return ResultsOf(this, *loaded, outputs);
}

class HostView::HostCall : public ViewCall {
 public:
  HostCall(HostView* view, std::unique_ptr<CallTurn> turn)
      : view_(view), worker_(*view->worker_), turn_(std::move(turn)) {}

  uint64_t lives() const override { return turn_->place().sequence; }
  absl::StatusOr<AxisResolution> ResolveAxis(AxisQuery query) override {
    return worker_.ResolveAxis(std::move(query), *turn_);
  }
  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override {
    ASSIGN_OR_RETURN(auto loaded,
                     worker_.Load(SpecOf(std::move(spec)), *turn_));
    return std::make_shared<HostProgram>(std::move(loaded));
  }
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override {
    const std::shared_ptr<LoadedProgram>& loaded = LoadedOf(program);
    ASSIGN_OR_RETURN(
        const ShardLists outputs,
        worker_.Launch(loaded, BuffersOf(*loaded, arguments), *turn_));
    return ResultsOf(view_, *loaded, outputs);
  }
  absl::Status AgreeOn(Statement statement) override {
    if (!turn_->spans_hosts()) return absl::OkStatus();
    return view_->AgreeIn(*turn_, std::move(statement), absl::OkStatus());
  }
  void Fail(const absl::Status& cause) override {
    worker_.FailCall(*turn_, cause);
  }

 private:
  HostView* const view_;
  Worker& worker_;
  const std::unique_ptr<CallTurn> turn_;
};

absl::StatusOr<std::unique_ptr<ViewCall>> HostView::BeginCall(
    CallRequest request) {
  ASSIGN_OR_RETURN(auto turn, worker_->BeginCall(std::move(request)));
  return std::make_unique<HostCall>(this, std::move(turn));
}

absl::Status HostView::AgreeIn(const CallTurn& turn, Statement statement,
                               const absl::Status& error) {
  AgreementRecord record;
  record.program = std::move(statement.about);
  record.participants = turn.participants();
  record.fields = std::move(statement.fields);
  record.error = error;
  return statement.holds_later ? worker_->AgreeOnce(std::move(record), turn)
                               : worker_->Agree(std::move(record), turn);
}

absl::Status HostView::Agree(CallRequest request, Statement statement,
                             const absl::Status& error) {
  ASSIGN_OR_RETURN(const auto turn, worker_->BeginCall(std::move(request)));
  if (!turn->spans_hosts()) return error;
  const absl::Status agreed = AgreeIn(*turn, std::move(statement), error);
  const absl::Status& outcome = error.ok() ? agreed : error;
  if (!outcome.ok()) worker_->FailCall(*turn, outcome);
  return outcome;
}

}  // namespace lockstep::internal
