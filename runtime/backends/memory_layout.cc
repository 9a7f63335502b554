#include "runtime/backends/memory_layout.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "runtime/backends/live_ranges.h"
#include "runtime/backends/shared_tensors.h"
#include "runtime/executable/buffer_planner.h"

namespace lockstep::internal {
namespace {

using Role = ScheduledTensor::TensorRole;

// Makes the results distinct temporaries, except that a donated argument that
// is returned stays where it is.
void SeparateResults(Schedule& schedule, absl::Span<const int> donated,
                     const Op& terminator) {
  std::set<TensorId> seen;
  for (TensorId& result : schedule.results) {
    const ScheduledTensor tensor = schedule.tensors[result];
    const bool stays = tensor.role == Role::kTemporary ||
                       (tensor.role == Role::kArgument &&
                        std::find(donated.begin(), donated.end(),
                                  tensor.index) != donated.end());
    if (stays && seen.insert(result).second) continue;
    schedule.tensors.push_back({tensor.shape, Role::kTemporary, 0});
    Step copy;
    copy.kind = Step::Kind::kCopy;
    copy.op = &terminator;
    copy.operands = {result};
    result = static_cast<TensorId>(schedule.tensors.size()) - 1;
    copy.results = {result};
    schedule.steps.push_back(std::move(copy));
  }
}

class MemoryPlanner {
 public:
  MemoryPlanner(const Schedule& schedule, absl::Span<const int> donated,
                const KernelEmitter* kernels)
      : schedule_(schedule),
        free_donations_(donated.begin(), donated.end()),
        ranges_(ComputeLiveRanges(schedule)),
        shared_(schedule, ranges_, kernels) {}

  MemoryLayout Run() {
    layout_.slices.resize(schedule_.tensors.size());
    is_placed_.resize(schedule_.tensors.size(), false);
    layout_.allocations.push_back({BufferAllocation::Kind::kArena, 0, 0});
    PlaceConstantsAndArguments();
    PlaceResults();
    PlaceTemporaries();
    PlaceSharers();
    return std::move(layout_);
  }

 private:
  int PlaceAlone(TensorId tensor, BufferAllocation::Kind kind, int index) {
    const int64_t size = schedule_.tensors[tensor].shape.byte_size();
    const int allocation = static_cast<int>(layout_.allocations.size());
    layout_.allocations.push_back({kind, index, size});
    Place(tensor, {allocation, 0, size});
    return allocation;
  }
  void Place(TensorId tensor, BufferSlice slice) {
    layout_.slices[tensor] = slice;
    is_placed_[tensor] = true;
  }

  void PlaceConstantsAndArguments() {
    for (size_t i = 0; i < schedule_.tensors.size(); ++i) {
      const ScheduledTensor& tensor = schedule_.tensors[i];
      if (tensor.role != Role::kConstant) continue;
      PlaceAlone(static_cast<TensorId>(i), BufferAllocation::Kind::kConstant,
                 tensor.index);
    }
    for (size_t i = 0; i < schedule_.arguments.size(); ++i) {
      layout_.argument_allocations.push_back(
          PlaceAlone(schedule_.arguments[i], BufferAllocation::Kind::kArgument,
                     static_cast<int>(i)));
    }
  }

  void PlaceResults() {
    for (TensorId result : schedule_.results) {
      if (schedule_.tensors[result].role == Role::kArgument) {
        RemoveDonation(schedule_.tensors[result].index);
      }
    }
    for (size_t i = 0; i < schedule_.results.size(); ++i) {
      const TensorId result = shared_.RepresentativeOf(schedule_.results[i]);
      int allocation;
      if (schedule_.tensors[result].role == Role::kArgument) {
        allocation = layout_.slices[result].allocation;
      } else if (std::optional<int> argument = DonationFor(result)) {
        Place(result, layout_.slices[schedule_.arguments[*argument]]);
        allocation = layout_.slices[result].allocation;
        RemoveDonation(*argument);
      } else {
        allocation = PlaceAlone(result, BufferAllocation::Kind::kResult,
                                static_cast<int>(i));
      }
      layout_.result_allocations.push_back(allocation);
    }
  }

  // The first donated argument whose memory `result` can take over.
  std::optional<int> DonationFor(TensorId result) const {
    for (int argument : free_donations_) {
      const TensorId tensor = schedule_.arguments[argument];
      if (schedule_.tensors[tensor].shape != schedule_.tensors[result].shape) {
        continue;
      }
      const int64_t start = shared_.range(result).start;
      const int64_t end = ranges_[tensor].end;
      if (end < start ||
          (end == start && shared_.IsOverwrittenAt(tensor, result, start))) {
        return argument;
      }
    }
    return std::nullopt;
  }
  void RemoveDonation(int argument) {
    free_donations_.erase(
        std::remove(free_donations_.begin(), free_donations_.end(), argument),
        free_donations_.end());
  }

  void PlaceTemporaries() {
    std::vector<TensorId> temporaries;
    std::vector<LiveRange> ranges;
    for (size_t i = 0; i < schedule_.tensors.size(); ++i) {
      const TensorId tensor = static_cast<TensorId>(i);
      if (is_placed_[i] || ranges_[i].end < ranges_[i].start ||
          shared_.RepresentativeOf(tensor) != tensor) {
        continue;
      }
      temporaries.push_back(tensor);
      ranges.push_back(shared_.range(tensor));
    }
    const BufferPlan plan = PlanBuffers(ranges, kBufferAlignment);
    for (size_t i = 0; i < temporaries.size(); ++i) {
      Place(temporaries[i], {0, plan.offsets[i], ranges[i].size});
    }
    layout_.allocations[0].size = plan.arena_size;
  }

  void PlaceSharers() {
    for (size_t i = 0; i < schedule_.tensors.size(); ++i) {
      const TensorId tensor = static_cast<TensorId>(i);
      const TensorId representative = shared_.RepresentativeOf(tensor);
      if (representative != tensor) {
        Place(tensor, layout_.slices[representative]);
      }
    }
  }

  const Schedule& schedule_;
  std::vector<int> free_donations_;
  const std::vector<LiveRange> ranges_;
  const SharedTensors shared_;
  std::vector<bool> is_placed_;
  MemoryLayout layout_;
};

}  // namespace

MemoryLayout PlanMemory(Schedule& schedule, absl::Span<const int> donated,
                        const Op& terminator, const KernelEmitter* kernels) {
  SeparateResults(schedule, donated, terminator);
  return MemoryPlanner(schedule, donated, kernels).Run();
}

}  // namespace lockstep::internal
