#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/convolution_assembly.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/compute_literal.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

absl::Status CheckDivides(const Op& op, absl::string_view what, int64_t size,
                          absl::string_view name, int64_t groups) {
  if (size % groups == 0) return absl::OkStatus();
  return op.Error(absl::StrCat(what, ": expected a multiple of ", name, " (",
                               groups, "), found ", size));
}

// (C10), (C11), (C14), (C15), (C16), (C23)
absl::Status CheckGroups(const Op& op, const ConvolutionParameters& conv) {
  const Shape& lhs = op.operand(0)->shape();
  const Shape& rhs = op.operand(1)->shape();
  const int64_t batch = lhs.dim(conv.dims.lhs.batch);
  const int64_t features = lhs.dim(conv.dims.lhs.feature);
  const int64_t outputs = rhs.dim(conv.dims.rhs.feature);
  if (conv.feature_groups > 1 && conv.batch_groups > 1) {
    return op.Error(
        "expected feature_group_count or batch_group_count to be 1");
  }
  RETURN_IF_ERROR(CheckDivides(op, "input batch", batch, "batch_group_count",
                               conv.batch_groups));
  RETURN_IF_ERROR(CheckDivides(op, "input features", features,
                               "feature_group_count", conv.feature_groups));
  RETURN_IF_ERROR(CheckDivides(op, "output features", outputs,
                               "batch_group_count", conv.batch_groups));
  RETURN_IF_ERROR(CheckDivides(op, "output features", outputs,
                               "feature_group_count", conv.feature_groups));
  const int64_t expected = features / conv.feature_groups;
  if (rhs.dim(conv.dims.rhs.batch) == expected) return absl::OkStatus();
  return op.Error(absl::StrCat("kernel: expected ", expected,
                               " input features, found ",
                               rhs.dim(conv.dims.rhs.batch)));
}

// (C25): the element type is the declared one; operands are converted.
absl::Status VerifyConvolution(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  ASSIGN_OR_RETURN(const ConvolutionParameters conv,
                   ConvolutionParametersOf(op));
  RETURN_IF_ERROR(CheckGroups(op, conv));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& lhs = op.operand(0)->shape();
  Dims spatial;
  for (int64_t dim : conv.dims.lhs.spatial) spatial.push_back(lhs.dim(dim));
  ASSIGN_OR_RETURN(const Dims counts, WindowCounts(op, conv.window, spatial));
  Dims expected(lhs.rank());
  expected[conv.dims.result.batch] =
      lhs.dim(conv.dims.lhs.batch) / conv.batch_groups;
  expected[conv.dims.result.feature] =
      op.operand(1)->shape().dim(conv.dims.rhs.feature);
  for (size_t i = 0; i < counts.size(); ++i) {
    expected[conv.dims.result.spatial[i]] = counts[i];
  }
  if (result.dims() == absl::MakeConstSpan(expected)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Shape shape,
                   ResultShape(op, result.element_type(), expected));
  return op.Error(absl::StrCat("result: expected the shape ", shape.ToString(),
                               ", found ", result.ToString()));
}

// A convolution of packed tensors: lhs [batch, spatial, feature], rhs [spatial,
// input feature, output feature], result [batch, spatial, feature].
template <typename T>
class PackedConvolution {
 public:
  PackedConvolution(const ConvolutionParameters& conv, const Literal& lhs,
                    const Literal& rhs, Literal& result)
      : conv_(conv),
        lhs_dims_(lhs.shape().dims().begin(), lhs.shape().dims().end()),
        result_dims_(result.shape().dims().begin(),
                     result.shape().dims().end()),
        lhs_strides_(lhs.shape().Strides()),
        rhs_strides_(rhs.shape().Strides()),
        inputs_(rhs.shape().dim(rhs.shape().rank() - 2)),
        outputs_(rhs.shape().dim(rhs.shape().rank() - 1)),
        groups_(std::max(conv.feature_groups, conv.batch_groups)),
        lhs_(lhs.data<T>().data()),
        rhs_(rhs.data<T>().data()),
        result_(result.mutable_data<T>().data()) {
    for (int64_t size : conv.window.sizes) kernel_size_ *= size;
  }

  void Run() {
    const int64_t rank = static_cast<int64_t>(result_dims_.size());
    int64_t rows = 1;
    for (int64_t d = 0; d < rank - 1; ++d) rows *= result_dims_[d];
    Dims place(rank - 1, 0);  // batch and spatial index
    for (int64_t row = 0; row < rows; ++row) {
      RunRow(place, result_ + row * outputs_);
      for (int64_t d = rank - 1; d-- > 0;) {
        if (++place[d] < result_dims_[d]) break;
        place[d] = 0;
      }
    }
  }

 private:
  void RunRow(const Dims& place, T* result) {
    std::fill_n(result, outputs_, T{});
    const int64_t spatial_rank = conv_.dims.spatial_rank();
    std::vector<int64_t> index(spatial_rank, 0);  // in the kernel
    for (int64_t k = 0; k < kernel_size_; ++k) {
      int64_t source = place[0] * lhs_strides_[0];
      int64_t kernel = 0;
      if (Locate(place, index, source, kernel)) {
        AddProducts(lhs_ + source, rhs_ + kernel, result);
      }
      for (int64_t d = spatial_rank; d-- > 0;) {
        if (++index[d] < conv_.window.sizes[d]) break;
        index[d] = 0;
      }
    }
  }

  // Where the window's element `index` is in lhs and in the kernel; false in
  // the padding and between dilated elements.
  bool Locate(const Dims& place, const std::vector<int64_t>& index,
              int64_t& source, int64_t& kernel) const {
    const Window& window = conv_.window;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t at = place[d + 1] * window.strides[d] +
                         index[d] * window.window_dilations[d] -
                         window.padding[d].first;
      const int64_t dilation = window.base_dilations[d];
      if (at < 0 || at % dilation != 0 || at / dilation >= lhs_dims_[d + 1]) {
        return false;
      }
      source += at / dilation * lhs_strides_[d + 1];
      kernel +=
          (conv_.is_reversed[d] ? window.sizes[d] - 1 - index[d] : index[d]) *
          rhs_strides_[d];
    }
    return true;
  }

  // Group g takes its part of the input features, or of the batch, and makes
  // its part of the output features.
  void AddProducts(const T* lhs, const T* rhs, T* result) const {
    const int64_t group_outputs = outputs_ / groups_;
    const int64_t lhs_step =
        conv_.batch_groups > 1 ? result_dims_[0] * lhs_strides_[0] : inputs_;
    for (int64_t g = 0; g < groups_; ++g) {
      const T* x = lhs + g * lhs_step;
      T* sum = result + g * group_outputs;
      for (int64_t i = 0; i < inputs_; ++i) {
        const T* y = rhs + i * outputs_ + g * group_outputs;
        for (int64_t j = 0; j < group_outputs; ++j) {
          sum[j] = AddScalars()(sum[j], MultiplyScalars()(x[i], y[j]));
        }
      }
    }
  }

  const ConvolutionParameters& conv_;
  const Dims lhs_dims_, result_dims_, lhs_strides_, rhs_strides_;
  const int64_t inputs_, outputs_, groups_;
  int64_t kernel_size_ = 1;
  const T* const lhs_;
  const T* const rhs_;
  T* const result_;
};

absl::Status EvaluateConvolution(EvaluationContext&, const Op& op,
                                 absl::Span<const LiteralView> operands,
                                 absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const ConvolutionParameters conv,
                   ConvolutionParametersOf(op));
  const Shape& shape = results[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  const ElementType type = ComputeElementType(shape.element_type());
  const std::vector<int64_t> result_order = conv.dims.result.BatchFirst();
  Dims dims;
  for (int64_t dim : result_order) dims.push_back(shape.dim(dim));
  Literal result(Shape(type, dims));
  const Literal lhs =
      PackedLiteral(operands[0], type, conv.dims.lhs.BatchFirst());
  const Literal rhs =
      PackedLiteral(operands[1], type, conv.dims.rhs.SpatialFirst());
  DispatchComputeType<kAllTypes>(type, [&]<typename T>(std::type_identity<T>) {
    PackedConvolution<T>(conv, lhs, rhs, result).Run();
  });
  Unpack(result, result_order, results[0]);
  return absl::OkStatus();
}

// A spatial dim of the input has a factor for the places of the window, which
// are the result's, and one for the elements inside the window, which are the
// kernel's. The larger one is major, so that most shardings reach it.
void AddSpatialFactors(const Op& op, const ConvolutionDimensions& dims,
                       int64_t spatial, ShardingRuleBuilder& rule) {
  const int64_t lhs_dim = dims.lhs.spatial[spatial];
  const int64_t rhs_dim = dims.rhs.spatial[spatial];
  const int64_t result_dim = dims.result.spatial[spatial];
  const int64_t window_size = op.operand(1)->shape().dim(rhs_dim);
  const int64_t window_count = op.result()->shape().dim(result_dim);
  int64_t rest = op.operand(0)->shape().dim(lhs_dim);
  const bool counts_first = window_count >= window_size;
  for (const bool is_count : {counts_first, !counts_first}) {
    const int64_t size = std::min(rest, is_count ? window_count : window_size);
    if (size <= 1) continue;
    rest /= size;
    if (is_count) {
      rule.Add(size, FactorKind::kPermutation)
          .Operand(0, lhs_dim)
          .Result(0, result_dim);
    } else {
      rule.Add(size, FactorKind::kReduction)
          .Operand(0, lhs_dim)
          .Operand(1, rhs_dim);
    }
  }
}

absl::StatusOr<OpShardingRule> ConvolutionRule(
    const Op& op, const ShardingRuleOptions& options) {
  ASSIGN_OR_RETURN(const ConvolutionParameters conv,
                   ConvolutionParametersOf(op));
  const auto& [lhs, rhs, out] = conv.dims;
  const Shape& kernel = op.operand(1)->shape();
  const Shape& result = op.result()->shape();
  ShardingRuleBuilder rule(op);
  if (conv.batch_groups > 1) {
    rule.Add(conv.batch_groups)
        .Operand(0, lhs.batch)
        .Operand(1, rhs.feature)
        .Result(0, out.feature);
  }
  rule.Add(result.dim(out.batch)).Operand(0, lhs.batch).Result(0, out.batch);
  if (!options.is_conservative) {
    for (int64_t i = 0; i < conv.dims.spatial_rank(); ++i) {
      AddSpatialFactors(op, conv.dims, i, rule);
    }
  }
  if (conv.feature_groups > 1) {
    rule.Add(conv.feature_groups)
        .Operand(0, lhs.feature)
        .Operand(1, rhs.feature)
        .Result(0, out.feature);
  }
  rule.Add(kernel.dim(rhs.batch), FactorKind::kReduction)
      .Operand(0, lhs.feature)
      .Operand(1, rhs.batch);
  const int64_t features_of_group =
      result.dim(out.feature) / (conv.batch_groups * conv.feature_groups);
  if (features_of_group > 1) {
    rule.Add(features_of_group).Operand(1, rhs.feature).Result(0, out.feature);
  }
  return rule.Build();
}

// convolution: sums of products of windows of lhs with the kernel rhs. Padding
// and what lies between dilated elements is zero. f16 and bf16 add in f32.
//   (I1) lhs. (I2) rhs. (I3) window_strides. (I4) padding. (I5) lhs_dilation.
//   (I6) rhs_dilation. (I7) window_reversal. (I8-I16) dimension_numbers.
//   (I17) feature_group_count. (I18) batch_group_count. (I19)
//   precision_config: a hint.
REGISTER_OP(OpDef("stablehlo.convolution", OpKind::kConvolution)
                .Assembly(ConvolutionForm())
                .Verify(VerifyConvolution)
                .Evaluate(EvaluateConvolution)
                .Sharding(ConvolutionRule));

}  // namespace
}  // namespace lockstep::internal
