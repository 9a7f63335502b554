#ifndef LOCKSTEP_CLIENT_BENCH_MEASUREMENT_H_
#define LOCKSTEP_CLIENT_BENCH_MEASUREMENT_H_

#include <optional>
#include <string>

namespace lockstep::internal {

// What was measured of a device. A value type.
struct Measurement {
  std::string name;    // "softmax f32"
  std::string size;    // "8192x8192"
  double seconds = 0;  // of one; the median of several rounds
  // What one does: of bytes, operations or launches, as `unit` says.
  double amount = 0;
  std::string unit;  // "GB/s", "TFLOP/s", "launches/s"
  // What could be reached, in the same unit, and of what that is; nullopt: not
  // known.
  std::optional<double> limit = std::nullopt;
  std::string limit_name = {};

  // In `unit`.
  double rate() const;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_MEASUREMENT_H_
