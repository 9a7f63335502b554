#include "runtime/backends/schedule_overlap.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

class OverlapWalk {
 public:
  OverlapWalk(Schedule& schedule, const OverlapPolicy& policy)
      : schedule_(schedule), policy_(policy) {}

  void Visit(std::vector<Step>& steps) {
    bool has_collective = false;
    for (Step& step : steps) {
      for (std::vector<Step>& nested : step.nested) Visit(nested);
      has_collective |= step.kind == Step::Kind::kCollective;
    }
    if (!has_collective) return;
    std::vector<OverlapUnit> units;
    for (const Step& step : steps) {
      OverlapUnit& unit = units.emplace_back();
      AddUses(step, unit);
      // With a root that an operand says, it waits for the host.
      if (step.kind == Step::Kind::kCollective &&
          step.operands.size() == step.results.size()) {
        unit.kind = OverlapUnit::Kind::kCollective;
      } else if (HasCollective(step)) {
        unit.kind = OverlapUnit::Kind::kMeeting;
      }
    }
    const std::vector<int> ends = PlanOverlap(units, policy_);
    for (size_t i = 0; i < steps.size(); ++i) {
      if (ends[i] > 0) {
        steps[i].overlapped_steps = ends[i] - static_cast<int>(i) - 1;
      }
    }
  }

 private:
  static bool HasCollective(const Step& step) {
    return step.kind == Step::Kind::kCollective ||
           std::any_of(step.nested.begin(), step.nested.end(),
                       [](const std::vector<Step>& nested) {
                         return std::any_of(nested.begin(), nested.end(),
                                            HasCollective);
                       });
  }

  // A tensor is as an allocation of its own.
  BufferSlice SliceOf(TensorId tensor) const {
    return {tensor, 0, schedule_.tensors[tensor].shape.byte_size()};
  }
  void AddUse(TensorId tensor, BufferUse::Access access, OverlapUnit& unit) {
    const BufferSlice slice = SliceOf(tensor);
    unit.bytes += slice.size;
    unit.uses.push_back({slice, access});
  }
  void AddUses(const Step& step, OverlapUnit& unit) {
    constexpr auto kRead = BufferUse::Access::kRead;
    constexpr auto kWrite = BufferUse::Access::kWrite;
    for (TensorId operand : step.operands) AddUse(operand, kRead, unit);
    for (const Capture& capture : step.captures) {
      AddUse(capture.tensor, kRead, unit);
    }
    for (TensorId result : step.results) AddUse(result, kWrite, unit);
    for (TensorId packed : step.packed) AddUse(packed, kWrite, unit);
    for (TensorId arriving : step.arriving) AddUse(arriving, kWrite, unit);
    for (TensorId scratch : step.scratch) AddUse(scratch, kWrite, unit);
    for (const std::vector<Step>& nested : step.nested) {
      for (const Step& inner : nested) AddUses(inner, unit);
    }
  }

  Schedule& schedule_;
  const OverlapPolicy& policy_;
};

}  // namespace

void PlanScheduleOverlap(Schedule& schedule, const OverlapPolicy& policy) {
  OverlapWalk(schedule, policy).Visit(schedule.steps);
}

}  // namespace lockstep::internal
