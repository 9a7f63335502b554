#include "tests/conformance/backend/relative_distance.h"

#include <cmath>
#include <complex>

namespace lockstep::internal {

double RelativeDistance(const LiteralView& expected, const LiteralView& found) {
  double difference = 0, size = 0;
  DispatchElementType(
      expected.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        const auto square = [](const T& x, const T& y) -> double {
          if constexpr (requires { x.imag(); }) {
            return std::norm(std::complex<double>(x) - std::complex<double>(y));
          } else if constexpr (requires { static_cast<double>(x); }) {
            const double d = static_cast<double>(x) - static_cast<double>(y);
            return d * d;
          } else {
            return 0;
          }
        };
        const auto x = expected.data<T>();
        const auto y = found.data<T>();
        for (size_t i = 0; i < x.size(); ++i) {
          difference += square(x[i], y[i]);
          size += square(x[i], T());
        }
      });
  return difference == 0 ? 0 : std::sqrt(difference / size);
}

}  // namespace lockstep::internal
