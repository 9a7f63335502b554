#include "runtime/backends/shared_tensors.h"

#include <algorithm>

#include "runtime/backends/collectives_under_way.h"

namespace lockstep::internal {

SharedTensors::SharedTensors(const Schedule& schedule,
                             const std::vector<LiveRange>& ranges,
                             const KernelEmitter* kernels)
    : schedule_(schedule), kernels_(kernels), ranges_(ranges) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    parents_.push_back(static_cast<TensorId>(i));
  }
  Walk(schedule.steps);
  for (const Overwrite& overwrite : overwrites_) TryOverwrite(overwrite);
  for (const Overwrite& copy : copies_) TryCopy(copy);
}

TensorId SharedTensors::RepresentativeOf(TensorId tensor) const {
  while (parents_[tensor] != tensor) tensor = parents_[tensor];
  return tensor;
}

void SharedTensors::TouchAll(const std::vector<TensorId>& tensors) {
  for (TensorId tensor : tensors) touches_.push_back({tensor, position_});
}

// Positions are those of ComputeLiveRanges.
void SharedTensors::Walk(const std::vector<Step>& steps) {
  CollectivesUnderWay under_way;
  for (size_t i = 0; i < steps.size(); ++i) {
    WalkStep(steps[i]);
    under_way.Begin(steps[i], i);
    under_way.End(i, [this](const Step& collective) { TouchStep(collective); });
  }
}

void SharedTensors::TouchStep(const Step& step) {
  TouchAll(step.operands);
  for (const Capture& capture : step.captures) TouchAll({capture.tensor});
  TouchAll(step.results);
  TouchAll(step.packed);
  TouchAll(step.arriving);
  TouchAll(step.scratch);
}

void SharedTensors::WalkStep(const Step& step) {
  if (step.kind == Step::Kind::kWhile) {
    ++position_;
    Walk(step.nested[0]);
    TouchAll(step.operands);
    ++position_;
    Walk(step.nested[1]);
    ++position_;
    return;
  }
  TouchStep(step);
  AddOverwrites(step);
  ++position_;
  for (const std::vector<Step>& nested : step.nested) Walk(nested);
}

void SharedTensors::AddOverwrites(const Step& step) {
  if (step.kind == Step::Kind::kCopy) {
    copies_.push_back({step.operands[0], step.results[0], position_});
  }
  if (step.kind != Step::Kind::kKernel || kernels_ == nullptr ||
      !step.captures.empty()) {
    return;
  }
  const std::vector<InPlaceUse> uses = kernels_->InPlaceUses(*step.op);
  for (const InPlaceUse& use : uses) {
    // A tensor that is an operand twice must be safe to overwrite in both.
    bool is_safe = true;
    for (size_t i = 0; i < step.operands.size(); ++i) {
      if (step.operands[i] != step.operands[use.operand]) continue;
      is_safe =
          is_safe &&
          std::any_of(uses.begin(), uses.end(), [&](const InPlaceUse& other) {
            return other.operand == static_cast<int>(i) &&
                   other.result == use.result;
          });
    }
    if (!is_safe) continue;
    overwrites_.push_back(
        {step.operands[use.operand], step.results[use.result], position_});
  }
}

bool SharedTensors::IsTemporary(TensorId tensor) const {
  return schedule_.tensors[tensor].role ==
         ScheduledTensor::TensorRole::kTemporary;
}

bool SharedTensors::IsTouchedBetween(TensorId group, int64_t begin,
                                     int64_t end) const {
  auto it = std::lower_bound(
      touches_.begin(), touches_.end(), begin,
      [](const Touch& touch, int64_t at) { return touch.position < at; });
  for (; it != touches_.end() && it->position < end; ++it) {
    if (RepresentativeOf(it->tensor) == group) return true;
  }
  return false;
}

bool SharedTensors::IsOverwrittenAt(TensorId from, TensorId to,
                                    int64_t position) const {
  return std::any_of(overwrites_.begin(), overwrites_.end(),
                     [&](const Overwrite& overwrite) {
                       return overwrite.position == position &&
                              RepresentativeOf(overwrite.from) == from &&
                              RepresentativeOf(overwrite.to) == to;
                     });
}

void SharedTensors::Unite(TensorId from, TensorId to) {
  parents_[from] = to;
  ranges_[to].start = std::min(ranges_[to].start, ranges_[from].start);
  ranges_[to].end = std::max(ranges_[to].end, ranges_[from].end);
}

void SharedTensors::TryOverwrite(const Overwrite& overwrite) {
  const TensorId from = RepresentativeOf(overwrite.from);
  const TensorId to = RepresentativeOf(overwrite.to);
  if (from == to || !IsTemporary(from) || !IsTemporary(to) ||
      ranges_[from].size != ranges_[to].size ||
      ranges_[from].end != overwrite.position ||
      ranges_[to].start != overwrite.position) {
    return;
  }
  Unite(from, to);
}

void SharedTensors::TryCopy(const Overwrite& copy) {
  const TensorId from = RepresentativeOf(copy.from);
  const TensorId to = RepresentativeOf(copy.to);
  if (from == to || !IsTemporary(from) || !IsTemporary(to) ||
      ranges_[from].size != ranges_[to].size ||
      ranges_[from].end != copy.position) {
    return;
  }
  // The target's old value is not needed once the source begins to be made, or
  // is what it is made of.
  const int64_t start = ranges_[from].start;
  if (IsTouchedBetween(to, start + 1, copy.position)) return;
  if (IsTouchedBetween(to, start, start + 1) &&
      !IsOverwrittenAt(to, from, start)) {
    return;
  }
  Unite(from, to);
}

}  // namespace lockstep::internal
