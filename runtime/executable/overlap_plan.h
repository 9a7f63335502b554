#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_OVERLAP_PLAN_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_OVERLAP_PLAN_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

// Which collectives are worth running beside other work. The same on all hosts
// of a cluster.
struct OverlapPolicy {
  // Bytes that the collective reads and writes, and that the work beside it
  // does, at least. Where the host runs collectives, one that is started
  // elsewhere costs two switches of threads: 6 to 50 us, in which a core copies
  // up to half of this. overlap_benchmark measures it; with as much and more,
  // nothing is lost without a network, and time is gained with one.
  int64_t min_collective_bytes = 1 << 20;
  int64_t min_independent_bytes = 1 << 20;

  static OverlapPolicy Never() {
    return {std::numeric_limits<int64_t>::max(),
            std::numeric_limits<int64_t>::max()};
  }
  // Wherever there is anything beside it.
  static OverlapPolicy Always() { return {0, 0}; }
};

// One unit of a sequence, with all that is nested in it.
struct OverlapUnit {
  enum class Kind {
    kWork,
    kCollective,  // may be started early
    // Runs collectives itself: what was started has ended before it.
    kMeeting,
  };
  Kind kind = Kind::kWork;
  std::vector<BufferUse> uses;
  int64_t bytes = 0;  // that it reads and writes
};

// For each unit of a sequence: 0, or, for a collective that is started where it
// stands and runs beside those that follow, the position of the first unit that
// it must have ended before; units.size(): the end of the sequence. From there
// on backwards, none up to the collective writes what it uses or reads what it
// writes. Started collectives run one after the other in their order; one that
// is not started runs when all before it have ended. Pure.
std::vector<int> PlanOverlap(absl::Span<const OverlapUnit> units,
                             const OverlapPolicy& policy);

// How many units behind a collective may run beside it: bounds the time that
// the plan takes.
inline constexpr int kMaxOverlappedUnits = 4096;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_OVERLAP_PLAN_H_
