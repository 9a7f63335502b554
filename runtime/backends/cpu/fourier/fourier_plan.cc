#include "runtime/backends/cpu/fourier/fourier_plan.h"

#include <algorithm>
#include <utility>

#include "runtime/backends/cpu/fourier/lane_copy.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep::internal {
namespace {

// Of a sequence in lanes; two buffers of it fit in a core's second cache.
constexpr int64_t kMaxLaneLength = 8192;
// Shorter ones are transformed in one lane even when alone.
constexpr int64_t kMinSplitLength = 64;

// The divisor of n that is nearest to its root, from below.
int64_t MiddleDivisor(int64_t n) {
  int64_t middle = 1;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d == 0) middle = d;
  }
  return middle;
}

// The next number whose prime factors are 2, 3 and 5.
int64_t NextSmooth(int64_t n) {
  for (;; ++n) {
    int64_t rest = n;
    for (const int64_t factor : {2, 3, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return n;
  }
}

// exp(-pi i k k / n).
std::complex<double> Chirp(int64_t k, int64_t n) {
  const auto square = static_cast<unsigned __int128>(k) * k;
  return ForwardRoot(static_cast<int64_t>(square % (2 * n)), 2 * n);
}

// x[i] *= factors[i] in each of kWidth lanes. Real and imaginary parts are
// exchanged before or after: a forward transform of what is exchanged,
// exchanged again, is the inverse transform.
enum class Exchange { kNone, kBefore, kAfter };
template <Exchange kExchange, int kWidth, typename R>
void Multiply(const std::vector<std::complex<R>>& factors, R* x) {
  for (const std::complex<R>& factor : factors) {
    const R re = factor.real(), im = factor.imag();
    for (int l = 0; l < kWidth; ++l) {
      R& first = x[l];
      R& second = x[kWidth + l];
      const R a = kExchange == Exchange::kBefore ? second : first;
      const R b = kExchange == Exchange::kBefore ? first : second;
      const R real = a * re - b * im;
      const R imaginary = a * im + b * re;
      first = kExchange == Exchange::kAfter ? imaginary : real;
      second = kExchange == Exchange::kAfter ? real : imaginary;
    }
    x += 2 * kWidth;
  }
}

}  // namespace

template <typename R>
std::optional<typename FourierPlan<R>::Split> FourierPlan<R>::MakeSplit(
    int64_t length) {
  if (length < kMinSplitLength) return std::nullopt;
  const int64_t n1 = MiddleDivisor(length);
  const int64_t n2 = length / n1;
  Split split{LaneTransform<R>(n1), LaneTransform<R>(n2), {}, {}};
  const auto root = [length](int64_t j, int64_t k) {
    const std::complex<double> exact = ForwardRoot(j * k % length, length);
    return Complex(static_cast<R>(exact.real()), static_cast<R>(exact.imag()));
  };
  for (int64_t j = 0; j < n2; j += kLanes) {
    for (int64_t k = 0; k < n1; ++k) split.coarse.push_back(root(j, k));
  }
  for (int64_t k = 0; k < n1; ++k) {
    for (int64_t l = 0; l < kLanes; ++l) {
      split.fine.push_back(root(l, k).real());
    }
    for (int64_t l = 0; l < kLanes; ++l) {
      split.fine.push_back(root(l, k).imag());
    }
  }
  return split;
}

template <typename R>
std::optional<typename FourierPlan<R>::ChirpConvolution>
FourierPlan<R>::MakeConvolution(int64_t length) {
  const int64_t padded = NextSmooth(2 * length - 1);
  ChirpConvolution convolution{std::make_unique<FourierPlan>(padded), {}, {}};
  const FourierPlan<double> exact(padded);
  std::vector<std::complex<double>> filter(padded);
  for (int64_t k = 0; k < length; ++k) {
    const std::complex<double> chirp = Chirp(k, length);
    convolution.chirp.emplace_back(static_cast<R>(chirp.real()),
                                   static_cast<R>(chirp.imag()));
    filter[k] = filter[(padded - k) % padded] = std::conj(chirp);
  }
  std::vector<std::complex<double>> workspace(exact.workspace_size());
  exact.Run(filter.data(), filter.data(), workspace.data(), {});
  for (const std::complex<double>& x : filter) {
    const auto scaled = x / static_cast<double>(padded);
    convolution.filter.emplace_back(static_cast<R>(scaled.real()),
                                    static_cast<R>(scaled.imag()));
  }
  return convolution;
}

template <typename R>
FourierPlan<R>::FourierPlan(int64_t length) : length_(length) {
  int64_t work_length = length;
  if (LaneTransform<R>::Supports(length)) {
    split_ = MakeSplit(length);
  } else {
    convolution_ = MakeConvolution(length);
    work_length = convolution_->plan->length();
  }
  if (work_length <= kMaxLaneLength || work_length < kMinSplitLength) {
    lanes_.emplace(work_length);
  }
}

template <typename R>
R* FourierPlan<R>::RunLanes(R* x, R* y) const {
  if (!convolution_.has_value()) return lanes_->Run(x, y);
  Multiply<Exchange::kNone, kLanes>(convolution_->chirp, x);
  std::fill(x + 2 * kLanes * length_, x + 2 * kLanes * lane_length(), R{});
  R* z = lanes_->Run(x, y);
  Multiply<Exchange::kAfter, kLanes>(convolution_->filter, z);
  z = lanes_->Run(z, z == x ? y : x);
  Multiply<Exchange::kBefore, kLanes>(convolution_->chirp, z);
  return z;
}

template <typename R>
int64_t FourierPlan<R>::workspace_size() const {
  if (!convolution_.has_value()) return split_.has_value() ? length_ : 0;
  return convolution_->plan->length() + convolution_->plan->workspace_size();
}

template <typename R>
void FourierPlan<R>::RunSplit(const Complex* from, Complex* to,
                              Complex* workspace,
                              const Options& options) const {
  const int64_t n1 = split_->columns.length(), n2 = split_->rows.length();
  const auto groups = [](int64_t n) { return (n + kLanes - 1) / kLanes; };
  ParallelFor(options.threads, groups(n2), [&](int64_t group) {
    const AlignedArray<R> x(2 * kLanes * n1), y(2 * kLanes * n1);
    const int64_t j = group * kLanes, width = std::min(kLanes, n2 - j);
    LoadLanes<R>(from, LaneAddresses<R>::Evenly(width, j, 1, n2), n1,
                 options.is_inverse, x.get());
    R* z = split_->columns.Run(x.get(), y.get());
    const R* fine = split_->fine.data();
    R* at = z;
    for (int64_t k = 0; k < n1; ++k) {
      const Complex coarse = split_->coarse[group * n1 + k];
      for (int64_t l = 0; l < kLanes; ++l) {
        const R re = fine[l] * coarse.real() - fine[kLanes + l] * coarse.imag();
        const R im = fine[l] * coarse.imag() + fine[kLanes + l] * coarse.real();
        const R a = at[l], b = at[kLanes + l];
        at[l] = a * re - b * im;
        at[kLanes + l] = a * im + b * re;
      }
      fine += 2 * kLanes;
      at += 2 * kLanes;
    }
    StoreLanes<R>(z, LaneAddresses<R>::Evenly(width, j * n1, n1, 1), n1, false,
                  R{1}, workspace);
  });
  ParallelFor(options.threads, groups(n1), [&](int64_t group) {
    const AlignedArray<R> x(2 * kLanes * n2), y(2 * kLanes * n2);
    const int64_t k = group * kLanes, width = std::min(kLanes, n1 - k);
    const auto columns = LaneAddresses<R>::Evenly(width, k, 1, n1);
    LoadLanes<R>(workspace, columns, n2, false, x.get());
    const R* z = split_->rows.Run(x.get(), y.get());
    StoreLanes<R>(z, columns, n2, options.is_inverse, options.scale, to);
  });
}

template <typename R>
void FourierPlan<R>::RunConvolution(const Complex* from, Complex* to,
                                    Complex* workspace,
                                    const Options& options) const {
  const FourierPlan& plan = *convolution_->plan;
  Complex* rest = workspace + plan.length();
  R* parts = reinterpret_cast<R*>(workspace);
  const Options forward = {.threads = options.threads};
  for (int64_t i = 0; i < length_; ++i) {
    workspace[i] =
        options.is_inverse ? Complex(from[i].imag(), from[i].real()) : from[i];
  }
  Multiply<Exchange::kNone, 1>(convolution_->chirp, parts);
  std::fill(workspace + length_, rest, Complex());
  plan.Run(workspace, workspace, rest, forward);
  Multiply<Exchange::kAfter, 1>(convolution_->filter, parts);
  plan.Run(workspace, workspace, rest, forward);
  Multiply<Exchange::kBefore, 1>(convolution_->chirp, parts);
  for (int64_t i = 0; i < length_; ++i) {
    const R re = workspace[i].real() * options.scale;
    const R im = workspace[i].imag() * options.scale;
    to[i] = options.is_inverse ? Complex(im, re) : Complex(re, im);
  }
}

template <typename R>
void FourierPlan<R>::Run(const Complex* from, Complex* to, Complex* workspace,
                         const Options& options) const {
  if (convolution_.has_value()) {
    RunConvolution(from, to, workspace, options);
  } else if (split_.has_value()) {
    RunSplit(from, to, workspace, options);
  } else {
    const AlignedArray<R> x(2 * kLanes * length_), y(2 * kLanes * length_);
    const auto alone = LaneAddresses<R>::Evenly(1, 0, 0, 1);
    LoadLanes<R>(from, alone, length_, options.is_inverse, x.get());
    StoreLanes<R>(RunLanes(x.get(), y.get()), alone, length_,
                  options.is_inverse, options.scale, to);
  }
}

template class FourierPlan<float>;
template class FourierPlan<double>;

}  // namespace lockstep::internal
