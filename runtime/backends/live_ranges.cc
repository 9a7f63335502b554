#include "runtime/backends/live_ranges.h"

#include <algorithm>

#include "runtime/backends/collectives_under_way.h"

namespace lockstep::internal {
namespace {

class LiveRangeWalk {
 public:
  explicit LiveRangeWalk(const Schedule& schedule) : schedule_(schedule) {
    for (const ScheduledTensor& tensor : schedule.tensors) {
      ranges_.push_back({tensor.shape.byte_size(), 0, -1});
    }
    is_touched_.resize(ranges_.size(), false);
  }

  std::vector<LiveRange> Run() {
    for (TensorId argument : schedule_.arguments) {
      is_touched_[argument] = true;
      ranges_[argument].start = -1;
    }
    Visit(schedule_.steps);
    for (TensorId result : schedule_.results) Touch(result);
    return std::move(ranges_);
  }

 private:
  void Touch(TensorId tensor) {
    LiveRange& range = ranges_[tensor];
    if (!is_touched_[tensor]) {
      is_touched_[tensor] = true;
      range.start = position_;
    }
    range.end = std::max(range.end, position_);
    touched_.push_back(tensor);
  }

  void Visit(const std::vector<Step>& steps) {
    CollectivesUnderWay under_way;
    for (size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.kind == Step::Kind::kWhile) {
        VisitWhile(step);
      } else {
        VisitPlain(step);
      }
      under_way.Begin(step, i);
      under_way.End(i,
                    [this](const Step& collective) { TouchAll(collective); });
    }
  }

  void TouchAll(const Step& step) {
    for (TensorId operand : step.operands) Touch(operand);
    for (const Capture& capture : step.captures) Touch(capture.tensor);
    for (TensorId result : step.results) Touch(result);
    for (TensorId packed : step.packed) Touch(packed);
    for (TensorId arriving : step.arriving) Touch(arriving);
    for (TensorId scratch : step.scratch) Touch(scratch);
  }

  void VisitPlain(const Step& step) {
    TouchAll(step);
    ++position_;
    for (const std::vector<Step>& nested : step.nested) Visit(nested);
  }

  void VisitWhile(const Step& step) {
    const int64_t begin = position_++;
    const size_t first_touched = touched_.size();
    Visit(step.nested[0]);
    Touch(step.operands[0]);
    ++position_;
    Visit(step.nested[1]);
    const int64_t end = position_++;
    for (size_t i = first_touched; i < touched_.size(); ++i) {
      LiveRange& range = ranges_[touched_[i]];
      if (range.start < begin) range.end = std::max(range.end, end);
    }
  }

  const Schedule& schedule_;
  std::vector<LiveRange> ranges_;
  std::vector<bool> is_touched_;
  // Every touch so far, in order.
  std::vector<TensorId> touched_;
  int64_t position_ = 0;
};

}  // namespace

std::vector<LiveRange> ComputeLiveRanges(const Schedule& schedule) {
  return LiveRangeWalk(schedule).Run();
}

}  // namespace lockstep::internal
