#include "tests/benchmark/paired_timing.h"

#include <time.h>

#include <algorithm>
#include <vector>

namespace lockstep::internal {
namespace {

double Now(int threads) {
  timespec now;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

double Seconds(int threads, const std::function<void()> &f) {
  const double start = Now(threads);
  f();
  return Now(threads) - start;
}

double Median(std::vector<double> &values) {
  const auto middle = values.begin() + static_cast<int64_t>(values.size()) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Medians Compare(int threads, const std::function<void()> &first,
                const std::function<void()> &second) {
  constexpr int kRounds = 15;
  std::vector<double> a, b;
  first();
  second();
  for (int i = 0; i < kRounds; ++i) {
    a.push_back(Seconds(threads, first));
    b.push_back(Seconds(threads, second));
  }
  return {Median(a), Median(b)};
}

}  // namespace lockstep::internal
