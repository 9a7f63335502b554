#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_DURATION_SAMPLE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_DURATION_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::internal {

// Of any number of durations every one, or every 2nd, 4th, ... from the first
// on, so that no more than kMost are kept. Deterministic; not thread-safe.
class DurationSample {
 public:
  static constexpr size_t kMost = 256;

  void Add(int64_t duration);
  // The middle one, or the upper of two; 0 of none.
  int64_t Median() const;

 private:
  std::vector<int64_t> kept_;
  int64_t step_ = 1;
  int64_t count_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_DURATION_SAMPLE_H_
