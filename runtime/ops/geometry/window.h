#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_WINDOW_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_WINDOW_H_

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A window that slides over a tensor, as reduce_window, select_and_scatter and
// (over the spatial dims) convolution have it. One entry per dim.
struct Window {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  std::vector<int64_t> base_dilations;
  std::vector<int64_t> window_dilations;
  std::vector<std::pair<int64_t, int64_t>> padding;  // low, high

  // Whether the window at each place along `dim` is the element there: size 1,
  // stride 1, no padding, no base dilation.
  bool KeepsElements(int64_t dim) const;
  std::vector<int64_t> LowPadding() const;
  // base_dilations - 1, as PadInto takes it.
  std::vector<int64_t> InteriorPadding() const;
};

// `padding`: one pair per dim; zeros when it is missing.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingPairsOf(
    const Op& op, int64_t rank);

// The attributes window_dimensions, window_strides, base_dilations,
// window_dilations and padding of an op on tensors of `rank`; all but the first
// may be missing. Checked: one entry per dim, positive.
absl::StatusOr<Window> WindowOf(const Op& op, int64_t rank);
absl::Status CheckWindow(const Op& op, const Window& window, int64_t rank);

// The sizes of the tensor with its dilation and padding: what the window
// slides over; and how many places there are for it.
absl::StatusOr<Dims> PaddedSizes(const Op& op, const Window& window,
                                 absl::Span<const int64_t> dims);
absl::StatusOr<Dims> WindowCounts(const Op& op, const Window& window,
                                  absl::Span<const int64_t> dims);

// Copies, for one index inside the window, the element there of every place of
// the window.
class WindowSlices {
 public:
  WindowSlices(const Window& window, const Shape& padded, const Shape& places);

  // Number of indices inside the window.
  int64_t size() const { return size_; }
  // `index` counts row-major. Of `padded` to `elements`, one per place.
  void Copy(int64_t index, const LiteralView& padded,
            std::byte* elements) const;
  // The offset in the padded tensor of window index `index` at place 0.
  int64_t OffsetOf(int64_t index) const;

 private:
  std::vector<int64_t> sizes_;
  Dims place_dims_, target_strides_, source_strides_, index_strides_;
  int64_t size_ = 1;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_WINDOW_H_
