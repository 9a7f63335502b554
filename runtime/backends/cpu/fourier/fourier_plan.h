#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_PLAN_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_PLAN_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "runtime/backends/cpu/fourier/lane_transform.h"

namespace lockstep::internal {

// Memory for numbers in lanes, aligned to 64 bytes; not set.
template <typename T>
class AlignedArray {
 public:
  explicit AlignedArray(int64_t count)
      : data_(static_cast<T*>(::operator new(
            static_cast<size_t>(count) * sizeof(T), std::align_val_t{64}))) {}
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  const std::unique_ptr<T[], Free> data_;
};

// The discrete Fourier transform (forward, not scaled) of any length n >= 1, in
// about n log n operations: by LaneTransform, long ones as n1 columns of n2;
// lengths with a large prime factor as a convolution (Bluestein). Immutable and
// thread-safe.
template <typename R>
class FourierPlan {
 public:
  using Complex = std::complex<R>;
  static constexpr int64_t kLanes = LaneTransform<R>::kLanes;

  explicit FourierPlan(int64_t length);

  int64_t length() const { return length_; }

  // Elements of a sequence in the buffers of RunLanes.
  int64_t lane_length() const { return lanes_->length(); }
  // Whether kLanes sequences side by side stay in a core's cache.
  bool has_lanes() const { return lanes_.has_value(); }
  // Transforms the first length() elements of x, laid out as LaneTransform
  // says; the result lies in x or y. Needs has_lanes().
  R* RunLanes(R* x, R* y) const;

  // Transforms one sequence, in place where `from` is `to`, on up to `threads`
  // threads. The inverse transform is multiplied by `scale`.
  struct Options {
    bool is_inverse = false;
    R scale = 1;
    int threads = 1;
  };
  void Run(const Complex* from, Complex* to, Complex* workspace,
           const Options& options) const;
  int64_t workspace_size() const;

 private:
  // A length n1 * n2, as transforms of n1 columns and of n2 rows.
  struct Split {
    LaneTransform<R> columns, rows;
    // exp(-2 pi i j k / n) for k < n1 is coarse[j / kLanes][k] times
    // fine[k][j % kLanes], the latter laid out in lanes.
    std::vector<Complex> coarse;
    std::vector<R> fine;
  };
  static std::optional<Split> MakeSplit(int64_t length);
  void RunSplit(const Complex* from, Complex* to, Complex* workspace,
                const Options& options) const;
  void RunConvolution(const Complex* from, Complex* to, Complex* workspace,
                      const Options& options) const;

  // As a circular convolution of another length with chirp(k) =
  // exp(-pi i k k / n).
  struct ChirpConvolution {
    std::unique_ptr<FourierPlan> plan;
    std::vector<Complex> chirp;
    std::vector<Complex> filter;  // transformed, divided by the length
  };
  static std::optional<ChirpConvolution> MakeConvolution(int64_t length);

  const int64_t length_;
  std::optional<ChirpConvolution> convolution_;
  std::optional<LaneTransform<R>> lanes_;
  std::optional<Split> split_;
};

extern template class FourierPlan<float>;
extern template class FourierPlan<double>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_PLAN_H_
