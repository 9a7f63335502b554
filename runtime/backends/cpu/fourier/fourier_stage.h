#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_STAGE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_STAGE_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/backends/cpu/fourier/fourier_plan.h"
#include "runtime/backends/cpu/fourier/lane_copy.h"

namespace lockstep::internal {

enum class FourierKind { kForward, kInverse, kRealForward, kRealInverse };

// The Fourier transform of a dense tensor along one dimension. Inverse ones are
// divided by the length. Real ones are along the last dimension: they turn rows
// of n real numbers into the first n / 2 + 1 of their transform, or back; rows
// of even length as n / 2 complex numbers. Immutable and thread-safe.
template <typename R>
class FourierStage {
 public:
  // `length` real or complex numbers, in each of `lines` sequences whose
  // elements are `stride` apart (1 where real).
  FourierStage(FourierKind kind, int64_t length, int64_t lines, int64_t stride);

  // Complex transforms may have `from` equal to `to`. RESOURCE_EXHAUSTED when
  // there is no memory for a long sequence.
  absl::Status Run(const R* from, R* to, int threads) const;

 private:
  using Complex = std::complex<R>;
  static constexpr int64_t kLanes = LaneTransform<R>::kLanes;

  bool is_inverse() const {
    return kind_ == FourierKind::kInverse || kind_ == FourierKind::kRealInverse;
  }
  // A real sequence of odd length, transformed as complex numbers.
  bool is_odd_real() const {
    return length_ % 2 != 0 && kind_ != FourierKind::kForward &&
           kind_ != FourierKind::kInverse;
  }
  bool RunsInLanes() const;
  // Of kWidth sequences in lanes, on what was loaded and what is to be stored.
  template <int kWidth>
  void Prepare(R* x) const;
  template <int kWidth>
  void Finish(R* x) const;

  void RunGroup(int64_t group, const R* from, R* to, R* x, R* y) const;
  void LoadOne(int64_t line, const R* from, R* x) const;
  void StoreOne(int64_t line, const R* x, R* to) const;
  absl::Status RunAlone(const R* from, R* to, int threads) const;
  // Where element 0 of a sequence lies, in numbers of type R.
  int64_t FirstLoaded(int64_t line) const;
  int64_t FirstStored(int64_t line) const;

  const FourierKind kind_;
  const int64_t length_;
  const int64_t lines_;
  const int64_t stride_;
  const FourierPlan<R> plan_;
  const int64_t loaded_;  // elements of a sequence
  const int64_t stored_;
  const R scale_;
  std::vector<Complex> roots_;  // exp(-2 pi i k / n), of even real lengths
};

extern template class FourierStage<float>;
extern template class FourierStage<double>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_FOURIER_STAGE_H_
