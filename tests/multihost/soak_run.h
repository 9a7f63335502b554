#ifndef LOCKSTEP_TESTS_MULTIHOST_SOAK_RUN_H_
#define LOCKSTEP_TESTS_MULTIHOST_SOAK_RUN_H_

#include <cstdint>
#include <cstdlib>
#include <random>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// Which random run a soak is, and for how long. Not thread-safe.
class SoakRun {
 public:
  // LOCKSTEP_SOAK_S: seconds (20); LOCKSTEP_SOAK_SEED: which run (1).
  SoakRun()
      : seed_(Variable("LOCKSTEP_SOAK_SEED", 1)),
        end_(absl::Now() + absl::Seconds(Variable("LOCKSTEP_SOAK_S", 20))),
        random_(static_cast<uint32_t>(seed_)) {}

  int64_t seed() const { return seed_; }
  bool is_over() const { return absl::Now() >= end_; }
  // In [0, count).
  int Pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random_);
  }
  absl::Duration PickUpTo(absl::Duration most) {
    return absl::Milliseconds(
        Pick(static_cast<int>(absl::ToInt64Milliseconds(most))));
  }

 private:
  static int64_t Variable(const char* name, int64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoll(text);
  }

  const int64_t seed_;
  const absl::Time end_;
  std::mt19937 random_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_SOAK_RUN_H_
