#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_CONVOLUTION_DIMENSIONS_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_CONVOLUTION_DIMENSIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/ops/geometry/window.h"

namespace lockstep::internal {

// What the dimensions of one tensor of a convolution are. The kernel has an
// input feature ("i") where others have a batch ("b"), an output feature ("o")
// where they have a feature ("f").
struct ConvolutionLayout {
  int64_t batch = 0;    // b; of the kernel: i
  int64_t feature = 0;  // f; of the kernel: o
  std::vector<int64_t> spatial;

  // All dimensions: batch, spatial, feature. Of the kernel: spatial, batch,
  // feature.
  std::vector<int64_t> BatchFirst() const;
  std::vector<int64_t> SpatialFirst() const;
};

struct ConvolutionDimensions {
  ConvolutionLayout lhs, rhs, result;

  int64_t spatial_rank() const {
    return static_cast<int64_t>(lhs.spatial.size());
  }
  // "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]".
  std::string ToString() const;
};

// The text of ToString, or the fields of its struct form: "raw
// input_batch_dimension = 0, ..". Every dimension occurs once.
absl::StatusOr<ConvolutionDimensions> ParseConvolutionDimensions(
    absl::string_view text);

// `dimension_numbers` of a convolution, checked against the operands' ranks.
absl::StatusOr<ConvolutionDimensions> ConvolutionDimensionsOf(const Op& op);

// The rest of a convolution's attributes. `window` is over the spatial dims:
// base_dilations is lhs_dilation, window_dilations is rhs_dilation.
struct ConvolutionParameters {
  ConvolutionDimensions dims;
  Window window;
  std::vector<bool> is_reversed;  // per spatial dim
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
};

// For an op with two tensor operands; checks what does not depend on sizes.
absl::StatusOr<ConvolutionParameters> ConvolutionParametersOf(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_CONVOLUTION_DIMENSIONS_H_
