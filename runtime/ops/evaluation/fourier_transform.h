#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_FOURIER_TRANSFORM_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_FOURIER_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <vector>

namespace lockstep::internal {

// The discrete Fourier transform of one length:
//   y[k] = sum_j x[j] exp(-2 pi i j k / n),
// or with exp(+..) when inverse (not divided by n). Any n >= 1, in n times the
// sum of its prime factors. Immutable.
class FourierTransform {
 public:
  using Complex = std::complex<double>;

  FourierTransform(int64_t length, bool is_inverse);

  // `x` and `y` hold `length` numbers and must not overlap.
  void Run(const Complex* x, Complex* y) const {
    Transform(x, /*stride=*/1, y, length_);
  }

 private:
  // y = the transform of x[0], x[stride], .. of length n; n * stride is the
  // whole length.
  void Transform(const Complex* x, int64_t stride, Complex* y, int64_t n) const;

  const int64_t length_;
  std::vector<Complex> roots_;  // exp(-+2 pi i k / length)
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_FOURIER_TRANSFORM_H_
