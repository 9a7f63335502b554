#include "client/view.h"

#include <utility>

namespace lockstep::internal {

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

absl::StatusOr<std::unique_ptr<ViewCall>> View::BeginCall(CallRequest) {
  return std::make_unique<DirectCall>(this);
}

}  // namespace lockstep::internal
