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

void SharedTensors::TouchAll(const std::vector<TensorId>& tensors,
                             const Step& step) {
  for (TensorId tensor : tensors) {
    touches_.push_back({tensor, position_, frames_.current(), &step});
  }
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
  TouchAll(step.operands, step);
  for (const Capture& capture : step.captures) TouchAll({capture.tensor}, step);
  TouchAll(step.results, step);
  TouchAll(step.packed, step);
  TouchAll(step.arriving, step);
  TouchAll(step.scratch, step);
}

void SharedTensors::WalkStep(const Step& step) {
  if (step.kind == Step::Kind::kWhile) {
    ++position_;
    frames_.EnterLoop();
    Walk(step.nested[0]);
    TouchAll(step.operands, step);
    ++position_;
    Walk(step.nested[1]);
    frames_.Leave();
    ++position_;
    return;
  }
  TouchStep(step);
  AddOverwrites(step);
  const int conditional = static_cast<int>(position_++);
  for (size_t i = 0; i < step.nested.size(); ++i) {
    frames_.EnterBranch(conditional, static_cast<int>(i));
    Walk(step.nested[i]);
    frames_.Leave();
  }
}

void SharedTensors::AddOverwrites(const Step& step) {
  if (step.kind == Step::Kind::kCopy) {
    copies_.push_back(
        {step.operands[0], step.results[0], position_, frames_.current()});
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
    overwrites_.push_back({step.operands[use.operand], step.results[use.result],
                           position_, frames_.current()});
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
  const bool is_used_at_start = IsTouchedBetween(to, start, start + 1);
  if (!IsTouchedBetween(to, start + 1, copy.position) &&
      (!is_used_at_start || IsOverwrittenAt(to, from, start))) {
    Unite(from, to);
  } else if (IsUnchangedWhileUsed(from, to, copy)) {
    Unite(from, to);
  }
}

bool SharedTensors::IsCopyBetween(const Step& step, TensorId from,
                                  TensorId to) const {
  return step.kind == Step::Kind::kCopy &&
         RepresentativeOf(step.operands[0]) == from &&
         RepresentativeOf(step.results[0]) == to;
}

bool SharedTensors::IsUnchangedWhileUsed(TensorId from, TensorId to,
                                         const Overwrite& copy) const {
  // More than a program has that was written by hand.
  constexpr size_t kMostPairs = size_t{1} << 16;
  std::vector<const Touch*> uses, changes;
  auto it = std::lower_bound(
      touches_.begin(), touches_.end(), ranges_[from].start,
      [](const Touch& touch, int64_t at) { return touch.position < at; });
  for (; it != touches_.end() && it->position < copy.position; ++it) {
    const TensorId touched = RepresentativeOf(it->tensor);
    if (touched == to) uses.push_back(&*it);
    // Copies of the one to the other vanish.
    if (touched == from && !IsCopyBetween(*it->step, to, from)) {
      changes.push_back(&*it);
    }
    if (uses.size() * changes.size() > kMostPairs) return false;
  }
  const int loop = frames_.LoopOf(copy.frame);
  for (const Touch* use : uses) {
    for (const Touch* change : changes) {
      const StepFrames::Relation relation =
          frames_.Between(use->frame, change->frame);
      // In a loop inside, the next round's use would come after the change.
      if (relation.loop != loop) return false;
      if (relation.is_exclusive || use->position < change->position) continue;
      if (use->position > change->position ||
          !IsOverwrittenAt(to, from, use->position)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace lockstep::internal
