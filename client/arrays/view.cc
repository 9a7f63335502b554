#include "client/arrays/view.h"

#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

class EmptyShards : public Shards {
 public:
  EmptyShards(const View* view, Shape shape)
      : view_(view),
        live_view_(WeakRef(view)),
        shape_(std::move(shape)),
        names_(view == nullptr ? nullptr : view->host_names()) {}

  const View* view() const override { return view_; }
  std::shared_ptr<View> live_view() const override { return live_view_.lock(); }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  std::string HostText(HostId host) const override {
    return names_ == nullptr ? Shards::HostText(host) : names_->Text(host);
  }
  bool is_ready() const override { return true; }
  absl::Status Await(absl::Time) const override { return absl::OkStatus(); }
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t>) const override {
    return std::vector<Literal>();
  }

 private:
  const View* const view_;
  const std::weak_ptr<View> live_view_;
  const Shape shape_;
  const std::shared_ptr<const HostNames> names_;
  const std::vector<GlobalDeviceId> devices_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Shards>> Shards::Select(
    absl::Span<const int64_t>) const {
  return absl::UnimplementedError("these shards are taken all together only");
}

std::weak_ptr<View> WeakRef(const View* view) {
  if (view == nullptr) return {};
  return std::const_pointer_cast<View>(view->weak_from_this().lock());
}

std::shared_ptr<Shards> NoShards(const View* view, Shape shape) {
  return std::make_shared<EmptyShards>(view, std::move(shape));
}

std::shared_ptr<const HostNames> View::host_names() const {
  static const auto& none = *new std::shared_ptr<const HostNames>(
      std::make_shared<const HostNames>());
  return none;
}

class View::DirectCall : public ViewCall {
 public:
  explicit DirectCall(View* view) : view_(*view), lives_(view->lives()) {}

  uint64_t lives() const override { return lives_; }
  absl::StatusOr<AxisResolution> ResolveAxis(AxisQuery query) override {
    return view_.ResolveAxis(query);
  }
  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override {
    return view_.Load(std::move(spec));
  }
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override {
    return view_.Launch(program, arguments);
  }
  void Fail(const absl::Status& cause) override {}

 private:
  View& view_;
  const uint64_t lives_;
};

absl::Status View::Agree(CallRequest, Statement, const absl::Status& error) {
  return error;
}

absl::StatusOr<std::unique_ptr<ViewCall>> View::BeginCall(CallRequest) {
  return std::make_unique<DirectCall>(this);
}

}  // namespace lockstep::internal
