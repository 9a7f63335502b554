#ifndef LOCKSTEP_TESTS_BENCHMARK_PAIRED_TIMING_H_
#define LOCKSTEP_TESTS_BENCHMARK_PAIRED_TIMING_H_

#include <functional>

namespace lockstep::internal {

struct Medians {
  double first;  // seconds
  double second;
};

// Both take turns, so that what else the machine does hits both. With one
// thread the processor time of the caller, so that other programs on the
// machine count less; else the time that passes.
Medians Compare(int threads, const std::function<void()> &first,
                const std::function<void()> &second);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_PAIRED_TIMING_H_
