#ifndef LOCKSTEP_CLIENT_INTERPRETER_VIEW_H_
#define LOCKSTEP_CLIENT_INTERPRETER_VIEW_H_

// For tests of pmap: one host of a simulated world. Programs whose devices are
// all this host's run on the reference interpreter, at once.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/view.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep {

class InterpreterView : public View {
 public:
  explicit InterpreterView(World world, HostId me = HostId(0))
      : world_(std::move(world)), me_(me) {}

  // How often, and what.
  int loads() const { return static_cast<int>(texts_.size()); }
  const std::string& last_text() const { return texts_.back(); }
  const DeviceAssignment& last_assignment() const { return last_assignment_; }
  const std::vector<int>& last_donated() const { return last_donated_; }
  int puts() const { return puts_; }

  World world() const override { return world_; }
  std::vector<GlobalDeviceId> Addressable(
      absl::Span<const GlobalDeviceId> devices) const override {
    std::vector<GlobalDeviceId> mine;
    for (GlobalDeviceId id : devices) {
      if (world_.Find(id)->host == me_) mine.push_back(id);
    }
    return mine;
  }

  absl::StatusOr<AxisResolution> ResolveAxis(const AxisQuery& query) override {
    RETURN_IF_ERROR(ValidateDeviceList(query.devices, world_));
    AxisResolution result;
    ASSIGN_OR_RETURN(
        result.global_axis_size,
        GlobalAxisSize(query.axis_size, query.devices, world_, me_));
    RETURN_IF_ERROR(CheckTakesPart(query.devices, world_, me_));
    if (query.devices.has_value()) {
      RETURN_IF_ERROR(CheckReplicas(query, result.global_axis_size, 1));
      result.devices = *query.devices;
      return result;
    }
    for (const Device& device : world_.devices()) {
      if (static_cast<int64_t>(result.devices.size()) ==
          result.global_axis_size) {
        break;
      }
      result.devices.push_back(device.id);
    }
    return result;
  }
  absl::Status CheckReplicas(const AxisQuery& query, int64_t global_axis_size,
                             int64_t body_replicas) override {
    return lockstep::CheckReplicas(query.axis_size, global_axis_size,
                                   body_replicas, query.devices, world_, me_);
  }

  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override {
    texts_.push_back(spec.text);
    last_assignment_ = spec.assignment;
    last_donated_ = spec.donated_arguments;
    auto program = std::make_shared<Program>();
    ASSIGN_OR_RETURN(program->module, ParseAndVerify(spec.text, "traced"));
    program->assignment = spec.assignment;
    program->results = spec.results;
    return program;
  }

  absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<Literal> shards,
      std::vector<GlobalDeviceId> devices) override {
    ++puts_;
    return std::make_shared<Values>(this, std::move(shards),
                                    std::move(devices));
  }

  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override {
    const auto& p = static_cast<const Program&>(*program);
    const auto devices = p.assignment.devices();
    std::vector<std::vector<Literal>> lists(devices.size());
    for (const auto& argument : arguments) {
      const auto& values = static_cast<const Values&>(*argument).values();
      for (size_t d = 0; d < lists.size(); ++d) lists[d].push_back(values[d]);
    }
    ASSIGN_OR_RETURN(auto outputs,
                     EvaluateSpmd(*p.module, p.assignment, std::move(lists)));
    std::vector<std::shared_ptr<Shards>> results;
    for (size_t r = 0; r < p.results.size(); ++r) {
      std::vector<Literal> values;
      for (auto& of_device : outputs) values.push_back(of_device[r]);
      results.push_back(std::make_shared<Values>(
          this, std::move(values),
          std::vector<GlobalDeviceId>(devices.begin(), devices.end())));
    }
    return results;
  }

 private:
  struct Program : ViewProgram {
    std::unique_ptr<Module> module;
    DeviceAssignment assignment;
    std::vector<Shape> results;
  };

  class Values : public Shards {
   public:
    Values(const View* view, std::vector<Literal> values,
           std::vector<GlobalDeviceId> devices)
        : view_(view),
          values_(std::move(values)),
          devices_(std::move(devices)) {}
    const std::vector<Literal>& values() const { return values_; }
    const View* view() const override { return view_; }
    const Shape& shape() const override { return values_[0].shape(); }
    const std::vector<GlobalDeviceId>& devices() const override {
      return devices_;
    }
    bool is_ready() const override { return true; }
    absl::Status Await(absl::Time) const override { return absl::OkStatus(); }
    absl::StatusOr<std::vector<Literal>> Fetch(
        absl::Span<const int64_t> positions) const override {
      std::vector<Literal> values;
      for (int64_t position : positions) values.push_back(values_[position]);
      return values;
    }

   private:
    const View* const view_;
    const std::vector<Literal> values_;
    const std::vector<GlobalDeviceId> devices_;
  };

  const World world_;
  const HostId me_;
  std::vector<std::string> texts_;
  DeviceAssignment last_assignment_;
  std::vector<int> last_donated_;
  int puts_ = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_INTERPRETER_VIEW_H_
