#include <utility>

#include "runtime/backends/cpu/contraction/convolution.h"
#include "runtime/backends/cpu/contraction/matrix_multiply.h"

namespace lockstep::internal {
namespace {

class ProductConvolution : public Convolution {
 public:
  explicit ProductConvolution(std::unique_ptr<MatrixMultiply> multiply)
      : multiply_(std::move(multiply)) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    return multiply_->Run(lhs, rhs, result, threads);
  }

 private:
  const std::unique_ptr<MatrixMultiply> multiply_;
};

// Element (place, output feature) of the result is the sum over the window and
// the input features: a product of matrices. Neighbouring windows overlap in
// lhs, which a layout may say.
DotLayout LayoutOf(const ConvolutionParameters& parameters, const Shape& lhs,
                   const Shape& rhs, const Shape& result) {
  const auto& [lhs_dims, rhs_dims, result_dims] = parameters.dims;
  const Dims x = lhs.Strides(), y = rhs.Strides(), z = result.Strides();
  const int64_t features = rhs.dim(rhs_dims.batch);
  const int64_t batch = result.dim(result_dims.batch);
  const int64_t groups = parameters.feature_groups * parameters.batch_groups;
  const int64_t outputs = rhs.dim(rhs_dims.feature) / groups;
  DotLayout layout;
  layout.batch.push_back(
      {groups,
       parameters.batch_groups > 1 ? batch * x[lhs_dims.batch]
                                   : features * x[lhs_dims.feature],
       outputs * y[rhs_dims.feature], outputs * z[result_dims.feature]});
  layout.m.push_back({batch, x[lhs_dims.batch], 0, z[result_dims.batch]});
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    const int64_t step = x[lhs_dims.spatial[i]];
    layout.m.push_back({result.dim(result_dims.spatial[i]),
                        step * parameters.window.strides[i], 0,
                        z[result_dims.spatial[i]]});
    layout.k.push_back({rhs.dim(rhs_dims.spatial[i]),
                        step * parameters.window.window_dilations[i],
                        y[rhs_dims.spatial[i]], 0});
  }
  layout.n.push_back({outputs, 0, y[rhs_dims.feature], z[result_dims.feature]});
  layout.k.push_back({features, x[lhs_dims.feature], y[rhs_dims.batch], 0});
  return layout;
}

std::unique_ptr<Convolution> Make(std::unique_ptr<MatrixMultiply> multiply) {
  if (multiply == nullptr) return nullptr;
  return std::make_unique<ProductConvolution>(std::move(multiply));
}

}  // namespace

std::unique_ptr<Convolution> MakeInterleavedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result) {
  return Make(MakeInterleavedMatrixMultiply(
      LayoutOf(parameters, lhs, rhs, result), result.element_type()));
}

std::unique_ptr<Convolution> MakeBlockedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result) {
  return Make(MakeBlockedMatrixMultiply(LayoutOf(parameters, lhs, rhs, result),
                                        result.element_type()));
}

}  // namespace lockstep::internal
