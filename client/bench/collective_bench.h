#ifndef LOCKSTEP_CLIENT_BENCH_COLLECTIVE_BENCH_H_
#define LOCKSTEP_CLIENT_BENCH_COLLECTIVE_BENCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/collective_case.h"
#include "client/client.h"

namespace lockstep::internal {

struct CollectiveBenchOptions {
  std::vector<CollectiveKind> kinds;
  ElementType type = ElementType::kF32;
  // Sizes are min_bytes, and each `factor` times the one before, to max_bytes.
  // The first is rounded down to what the collective can have, as in
  // nccl-tests, or is the smallest of those.
  int64_t min_bytes = 4;
  int64_t max_bytes = int64_t{64} << 20;
  int64_t factor = 4;
  // Collectives that are timed at a time, rounded up to whole turns of
  // CollectiveProgram; 0: as many as take some 50 ms.
  int iterations = 0;

  // What there is to measure on `devices` devices. INVALID_ARGUMENT: no size at
  // all, or as CollectiveCase::Check.
  absl::StatusOr<std::vector<CollectiveCase>> Cases(int devices) const;
};

// What was measured of a case. A value type.
struct CollectiveMeasurement {
  CollectiveCase measured;
  double seconds = 0;  // of one collective
  // Of a launch without any, from the client's call until it knows that all
  // devices have their results.
  double launch_seconds = 0;
  int iterations = 0;  // collectives that were timed at a time
  int64_t wrong = 0;   // elements, of all devices

  // GB/s, as nccl-tests count them: `bytes` by time, and what each link carried
  // of them. 0: it took no time that could be told from a launch's.
  double algorithm_bandwidth() const;
  double bus_bandwidth() const;
};

// The mean of their bus bandwidths; 0 of none.
double AverageBusBandwidth(const std::vector<CollectiveMeasurement>& measured);

// Measures a case on all devices of a cluster. The program of the case runs the
// collective in a loop; the time is the median difference between launches with
// `iterations` more of them and with one turn, so it is without the launch.
// Then every element of the last result is compared with what it must be.
// Errors: of CollectiveCase::Check, and of the programs; ABORTED names the host
// that died.
absl::StatusOr<CollectiveMeasurement> MeasureCollective(const Client& client,
                                                        const CollectiveCase& c,
                                                        int iterations);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_COLLECTIVE_BENCH_H_
