#include "runtime/executable/duration_sample.h"

#include <algorithm>

namespace lockstep::internal {

void DurationSample::Add(int64_t duration) {
  if (count_++ % step_ != 0) return;
  if (kept_.size() == kMost) {
    for (size_t i = 0; i < kMost / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kMost / 2);
    step_ *= 2;
    if ((count_ - 1) % step_ != 0) return;
  }
  kept_.push_back(duration);
}

int64_t DurationSample::Median() const {
  if (kept_.empty()) return 0;
  std::vector<int64_t> sorted = kept_;
  const auto middle = sorted.begin() + sorted.size() / 2;
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace lockstep::internal
