#ifndef LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVES_UNDER_WAY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVES_UNDER_WAY_H_

#include <cstddef>
#include <map>

#include "runtime/backends/schedule.h"

namespace lockstep::internal {

// On a walk over the steps of one sequence: the collectives that run beside
// others (Step::overlapped_steps).
class CollectivesUnderWay {
 public:
  // The walk has been at `step`, the i-th one.
  void Begin(const Step& step, size_t i) {
    if (step.overlapped_steps > 0)
      last_.emplace(i + step.overlapped_steps, &step);
  }
  // Calls f(step) for each of which the i-th step is the last beside it, when
  // the walk is behind that.
  template <typename F>
  void End(size_t i, const F& f) {
    auto [begin, end] = last_.equal_range(i);
    for (auto it = begin; it != end; ++it) f(*it->second);
    last_.erase(begin, end);
  }

 private:
  std::multimap<size_t, const Step*> last_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVES_UNDER_WAY_H_
