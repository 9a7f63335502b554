#include "runtime/backends/cpu/fourier/fourier_stage.h"

#include <algorithm>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Shorter sequences are transformed in lanes even when there are few.
constexpr int64_t kMinAloneLength = 64;
// Elements of the sequences that a thread transforms at once.
constexpr int64_t kElementsPerPiece = int64_t{1} << 15;

int64_t PlanLength(FourierKind kind, int64_t length) {
  const bool is_real =
      kind == FourierKind::kRealForward || kind == FourierKind::kRealInverse;
  return is_real && length % 2 == 0 ? length / 2 : length;
}

// The transform of 2 m real numbers from that of the m complex numbers made of
// neighbours: of the even and of the odd numbers, put together.
template <int kWidth, typename R>
void SplitRealTransform(int64_t m, const std::vector<std::complex<R>>& roots,
                        R* z) {
  R* last = z + 2 * kWidth * m;
  for (int l = 0; l < kWidth; ++l) {
    const R re = z[l], im = z[kWidth + l];
    z[l] = re + im;
    last[l] = re - im;
    z[kWidth + l] = last[kWidth + l] = 0;
  }
  for (int64_t k = 1; 2 * k <= m; ++k) {
    R* a = z + 2 * kWidth * k;
    R* b = z + 2 * kWidth * (m - k);
    const R re = roots[k].real(), im = roots[k].imag();
    for (int l = 0; l < kWidth; ++l) {
      const R even_re = (a[l] + b[l]) / 2;
      const R even_im = (a[kWidth + l] - b[kWidth + l]) / 2;
      const R odd_re = (a[kWidth + l] + b[kWidth + l]) / 2;
      const R odd_im = (b[l] - a[l]) / 2;
      const R term_re = odd_re * re - odd_im * im;
      const R term_im = odd_re * im + odd_im * re;
      a[l] = even_re + term_re;
      a[kWidth + l] = even_im + term_im;
      b[l] = even_re - term_re;
      b[kWidth + l] = term_im - even_im;
    }
  }
}

// The opposite, with real and imaginary parts exchanged. Imaginary parts of
// elements 0 and m are taken as zero.
template <int kWidth, typename R>
void JoinRealTransform(int64_t m, const std::vector<std::complex<R>>& roots,
                       R* z) {
  const R* last = z + 2 * kWidth * m;
  for (int l = 0; l < kWidth; ++l) {
    const R x = z[l], y = last[l];
    z[l] = (x - y) / 2;
    z[kWidth + l] = (x + y) / 2;
  }
  for (int64_t k = 1; 2 * k <= m; ++k) {
    R* a = z + 2 * kWidth * k;
    R* b = z + 2 * kWidth * (m - k);
    const R re = roots[k].real(), im = roots[k].imag();
    for (int l = 0; l < kWidth; ++l) {
      const R even_re = (a[l] + b[l]) / 2;
      const R even_im = (a[kWidth + l] - b[kWidth + l]) / 2;
      const R term_re = (a[l] - b[l]) / 2;
      const R term_im = (a[kWidth + l] + b[kWidth + l]) / 2;
      const R odd_re = term_re * re + term_im * im;
      const R odd_im = term_im * re - term_re * im;
      a[kWidth + l] = even_re - odd_im;
      a[l] = even_im + odd_re;
      b[kWidth + l] = even_re + odd_im;
      b[l] = odd_re - even_im;
    }
  }
}

// All n elements from the first n / 2 + 1, for odd n: the others are their
// conjugates. With real and imaginary parts exchanged.
template <int kWidth, typename R>
void ExtendByConjugates(int64_t n, R* z) {
  for (int64_t k = 0; 2 * k < n; ++k) {
    R* a = z + 2 * kWidth * k;
    R* b = z + 2 * kWidth * (n - k);
    for (int l = 0; l < kWidth; ++l) {
      const R re = a[l], im = k == 0 ? 0 : a[kWidth + l];
      a[l] = im;
      a[kWidth + l] = re;
      if (k == 0) continue;
      b[l] = -im;
      b[kWidth + l] = re;
    }
  }
}

}  // namespace

template <typename R>
FourierStage<R>::FourierStage(FourierKind kind, int64_t length, int64_t lines,
                              int64_t stride)
    : kind_(kind),
      length_(length),
      lines_(lines),
      stride_(stride),
      plan_(PlanLength(kind, length)),
      loaded_(kind == FourierKind::kRealInverse ? length / 2 + 1
                                                : plan_.length()),
      stored_(kind == FourierKind::kRealForward ? length / 2 + 1
                                                : plan_.length()),
      scale_(is_inverse() ? R{1} / static_cast<R>(plan_.length()) : R{1}) {
  if (plan_.length() == length) return;
  for (int64_t k = 0; k <= length / 4; ++k) {
    const std::complex<double> root = ForwardRoot(k, length);
    roots_.emplace_back(static_cast<R>(root.real()),
                        static_cast<R>(root.imag()));
  }
}

template <typename R>
bool FourierStage<R>::RunsInLanes() const {
  return plan_.has_lanes() &&
         (2 * lines_ >= kLanes || plan_.length() < kMinAloneLength);
}

template <typename R>
template <int kWidth>
void FourierStage<R>::Prepare(R* x) const {
  if (kind_ != FourierKind::kRealInverse) return;
  if (is_odd_real()) {
    ExtendByConjugates<kWidth>(length_, x);
  } else {
    JoinRealTransform<kWidth>(plan_.length(), roots_, x);
  }
}

template <typename R>
template <int kWidth>
void FourierStage<R>::Finish(R* x) const {
  if (kind_ == FourierKind::kRealForward && !is_odd_real()) {
    SplitRealTransform<kWidth>(plan_.length(), roots_, x);
  }
}

template <typename R>
int64_t FourierStage<R>::FirstLoaded(int64_t line) const {
  if (kind_ == FourierKind::kRealForward) return line * length_;
  return 2 * (line / stride_ * loaded_ * stride_ + line % stride_);
}

template <typename R>
int64_t FourierStage<R>::FirstStored(int64_t line) const {
  if (kind_ == FourierKind::kRealInverse) return line * length_;
  return 2 * (line / stride_ * stored_ * stride_ + line % stride_);
}

template <typename R>
void FourierStage<R>::RunGroup(int64_t group, const R* from, R* to, R* x,
                               R* y) const {
  const int64_t first = group * kLanes;
  const int64_t width = std::min(kLanes, lines_ - first);
  LaneAddresses<R> loads, stores;
  loads.width = stores.width = width;
  loads.stride = stores.stride = stride_;
  for (int64_t l = 0; l < width; ++l) {
    loads.first[l] = FirstLoaded(first + l) / 2;
    stores.first[l] = FirstStored(first + l) / 2;
  }
  if (is_odd_real() && kind_ == FourierKind::kRealForward) {
    std::fill_n(x, 2 * kLanes * length_, R{});
    for (int64_t l = 0; l < width; ++l) {
      const R* row = from + FirstLoaded(first + l);
      for (int64_t j = 0; j < length_; ++j) x[2 * kLanes * j + l] = row[j];
    }
  } else {
    LoadLanes<R>(reinterpret_cast<const Complex*>(from), loads, loaded_,
                 kind_ == FourierKind::kInverse, x);
  }
  Prepare<kLanes>(x);
  R* z = plan_.RunLanes(x, y);
  Finish<kLanes>(z);
  if (is_odd_real() && kind_ == FourierKind::kRealInverse) {
    for (int64_t l = 0; l < width; ++l) {
      R* row = to + FirstStored(first + l);
      for (int64_t j = 0; j < length_; ++j) {
        row[j] = z[(2 * j + 1) * kLanes + l] * scale_;
      }
    }
  } else {
    StoreLanes<R>(z, stores, stored_, is_inverse(), scale_,
                  reinterpret_cast<Complex*>(to));
  }
}

template <typename R>
void FourierStage<R>::LoadOne(int64_t line, const R* from, R* x) const {
  from += FirstLoaded(line);
  if (is_odd_real() && kind_ == FourierKind::kRealForward) {
    for (int64_t j = 0; j < length_; ++j) {
      x[2 * j] = from[j];
      x[2 * j + 1] = 0;
    }
    return;
  }
  const bool swaps = kind_ == FourierKind::kInverse;
  for (int64_t j = 0; j < loaded_; ++j) {
    x[2 * j + swaps] = from[2 * j * stride_];
    x[2 * j + !swaps] = from[2 * j * stride_ + 1];
  }
}

template <typename R>
void FourierStage<R>::StoreOne(int64_t line, const R* x, R* to) const {
  to += FirstStored(line);
  if (is_odd_real() && kind_ == FourierKind::kRealInverse) {
    for (int64_t j = 0; j < length_; ++j) to[j] = x[2 * j + 1] * scale_;
    return;
  }
  const bool swaps = is_inverse();
  for (int64_t j = 0; j < stored_; ++j) {
    to[2 * j * stride_] = x[2 * j + swaps] * scale_;
    to[2 * j * stride_ + 1] = x[2 * j + !swaps] * scale_;
  }
}

template <typename R>
absl::Status FourierStage<R>::RunAlone(const R* from, R* to,
                                       int threads) const {
  const bool is_complex =
      kind_ == FourierKind::kForward || kind_ == FourierKind::kInverse;
  const bool is_direct = is_complex && stride_ == 1;
  const int64_t size =
      is_direct ? 0 : std::max({plan_.length(), loaded_, stored_});
  ASSIGN_OR_RETURN(
      const ScratchMemory memory,
      ScratchMemory::Allocate((size + plan_.workspace_size()) *
                              static_cast<int64_t>(sizeof(Complex))));
  Complex* data = memory.as<Complex>();
  R* parts = reinterpret_cast<R*>(data);
  for (int64_t line = 0; line < lines_; ++line) {
    if (is_direct) {
      plan_.Run(reinterpret_cast<const Complex*>(from + FirstLoaded(line)),
                reinterpret_cast<Complex*>(to + FirstStored(line)), data,
                {is_inverse(), scale_, threads});
      continue;
    }
    LoadOne(line, from, parts);
    Prepare<1>(parts);
    plan_.Run(data, data, data + size, {.threads = threads});
    Finish<1>(parts);
    StoreOne(line, parts, to);
  }
  return absl::OkStatus();
}

template <typename R>
absl::Status FourierStage<R>::Run(const R* from, R* to, int threads) const {
  if (!RunsInLanes()) return RunAlone(from, to, threads);
  const int64_t groups = (lines_ + kLanes - 1) / kLanes;
  const int64_t groups_per_piece =
      std::max<int64_t>(1, kElementsPerPiece / (kLanes * plan_.lane_length()));
  const int64_t pieces = (groups + groups_per_piece - 1) / groups_per_piece;
  // Real transforms have one element more than their plan.
  const int64_t size =
      2 * kLanes * std::max({plan_.lane_length(), loaded_, stored_});
  ParallelFor(threads, pieces, [&](int64_t piece) {
    const AlignedArray<R> x(size), y(size);
    const int64_t end = std::min(groups, (piece + 1) * groups_per_piece);
    for (int64_t g = piece * groups_per_piece; g < end; ++g) {
      RunGroup(g, from, to, x.get(), y.get());
    }
  });
  return absl::OkStatus();
}

template class FourierStage<float>;
template class FourierStage<double>;

}  // namespace lockstep::internal
