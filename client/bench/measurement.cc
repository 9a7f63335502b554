#include "client/bench/measurement.h"

namespace lockstep::internal {

double Measurement::rate() const {
  const double scale = unit == "GB/s" ? 1e-9 : unit == "TFLOP/s" ? 1e-12 : 1;
  return seconds > 0 ? amount / seconds * scale : 0;
}

}  // namespace lockstep::internal
