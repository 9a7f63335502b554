#include "runtime/ops/evaluation/fourier_transform.h"

#include <cmath>
#include <numbers>

namespace lockstep::internal {
namespace {

int64_t SmallestFactor(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// exp(2 pi i k / n); multiples of a quarter turn are exact.
FourierTransform::Complex RootOfUnity(int64_t k, int64_t n) {
  if (k == 0) return {1, 0};
  if (4 * k == n) return {0, 1};
  if (2 * k == n) return {-1, 0};
  if (4 * k == 3 * n) return {0, -1};
  const long double angle = 2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)),
          static_cast<double>(std::sin(angle))};
}

}  // namespace

FourierTransform::FourierTransform(int64_t length, bool is_inverse)
    : length_(length) {
  roots_.reserve(length);
  for (int64_t k = 0; k < length; ++k) {
    const Complex root = RootOfUnity(k, length);
    roots_.push_back(is_inverse ? root : std::conj(root));
  }
}

void FourierTransform::Transform(const Complex* x, int64_t stride, Complex* y,
                                 int64_t n) const {
  if (n == 1) {
    *y = *x;
    return;
  }
  const int64_t factor = SmallestFactor(n);
  const int64_t part = n / factor;
  for (int64_t j = 0; j < factor; ++j) {
    Transform(x + j * stride, stride * factor, y + j * part, part);
  }
  std::vector<Complex> terms(factor);
  for (int64_t k = 0; k < part; ++k) {
    for (int64_t j = 0; j < factor; ++j) terms[j] = y[j * part + k];
    for (int64_t q = 0; q < factor; ++q) {
      const int64_t step = (k + q * part) * stride;
      Complex sum = terms[0];
      for (int64_t j = 1; j < factor; ++j) {
        const Complex& root = roots_[j * step % length_];
        const Complex& term = terms[j];
        sum += Complex(term.real() * root.real() - term.imag() * root.imag(),
                       term.real() * root.imag() + term.imag() * root.real());
      }
      y[k + q * part] = sum;
    }
  }
}

}  // namespace lockstep::internal
