#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/dot_assembly.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/ops/sharding/dot_sharding.h"
#include "runtime/types/convert.h"
#include "runtime/types/scalar_math.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

std::vector<int64_t> Concatenated(const std::vector<int64_t>& a,
                                  const std::vector<int64_t>& b) {
  std::vector<int64_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

// The lists pair up and their dimensions have the same sizes.
absl::Status CheckPairs(const Op& op, absl::string_view what,
                        const std::vector<int64_t>& lhs,
                        const std::vector<int64_t>& rhs) {
  if (lhs.size() != rhs.size()) {
    return op.Error(absl::StrCat(what, " dims: expected as many of lhs as of ",
                                 "rhs, found ", lhs.size(), " and ",
                                 rhs.size()));
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    const int64_t lhs_size = op.operand(0)->shape().dim(lhs[i]);
    const int64_t rhs_size = op.operand(1)->shape().dim(rhs[i]);
    if (lhs_size == rhs_size) continue;
    return op.Error(absl::StrCat(what, " dims differ: lhs dim ", lhs[i], " is ",
                                 lhs_size, ", rhs dim ", rhs[i], " is ",
                                 rhs_size));
  }
  return absl::OkStatus();
}

absl::StatusOr<DotDimensions> CheckedDimensions(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  ASSIGN_OR_RETURN(DotDimensions dims, DotDimensionsOf(op));
  RETURN_IF_ERROR(CheckDistinctDims(  // (C3), (C5), (C6)
      op, "lhs dims", Concatenated(dims.lhs_batching, dims.lhs_contracting),
      op.operand(0)->shape().rank()));
  RETURN_IF_ERROR(CheckDistinctDims(  // (C4), (C7), (C8)
      op, "rhs dims", Concatenated(dims.rhs_batching, dims.rhs_contracting),
      op.operand(1)->shape().rank()));
  RETURN_IF_ERROR(CheckPairs(op, "batching", dims.lhs_batching,
                             dims.rhs_batching));  // (C1), (C9)
  RETURN_IF_ERROR(CheckPairs(op, "contracting", dims.lhs_contracting,
                             dims.rhs_contracting));  // (C2), (C10)
  return dims;
}

// (C11) One precision per operand, or none.
absl::Status CheckPrecision(const Op& op) {
  const Attribute* attribute = op.attribute("precision_config");
  if (attribute == nullptr) return absl::OkStatus();
  const auto* precisions = attribute->As<Attribute::Array>();
  if (precisions != nullptr &&
      (precisions->elements.empty() || precisions->elements.size() == 2)) {
    return absl::OkStatus();
  }
  return op.Error("precision_config: expected 2 precisions");
}

// The element types may differ from the result's: operands are converted.
absl::StatusOr<Dims> ResultDims(const Op& op) {  // (C12)
  ASSIGN_OR_RETURN(const DotDimensions dims, CheckedDimensions(op));
  const Shape& lhs = op.operand(0)->shape();
  const Shape& rhs = op.operand(1)->shape();
  Dims expected;
  for (int64_t dim : dims.lhs_batching) expected.push_back(lhs.dim(dim));
  for (int64_t dim :
       FreeDims(lhs.rank(), dims.lhs_batching, dims.lhs_contracting)) {
    expected.push_back(lhs.dim(dim));
  }
  for (int64_t dim :
       FreeDims(rhs.rank(), dims.rhs_batching, dims.rhs_contracting)) {
    expected.push_back(rhs.dim(dim));
  }
  return expected;
}

// In the operands' type; programs may write another.
absl::StatusOr<std::vector<Type>> InferDotGeneral(const Op& op) {
  ASSIGN_OR_RETURN(const Dims dims, ResultDims(op));
  RETURN_IF_ERROR(CheckPrecision(op));
  ASSIGN_OR_RETURN(
      Shape shape,
      ResultShape(op, op.operand(0)->shape().element_type(), dims));
  return std::vector<Type>{std::move(shape)};
}

absl::Status VerifyDotGeneral(const Op& op) {
  ASSIGN_OR_RETURN(const Dims expected, ResultDims(op));
  RETURN_IF_ERROR(CheckPrecision(op));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  if (result.dims() == absl::MakeConstSpan(expected)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Shape shape,
                   ResultShape(op, result.element_type(), expected));
  return op.Error(absl::StrCat("result: expected the shape ", shape.ToString(),
                               ", found ", result.ToString()));
}

Literal Converted(const LiteralView& operand, ElementType type) {
  Literal converted(Shape(type, operand.shape().dims()));
  ConvertElements(operand, converted.mutable_view());
  return converted;
}

// An operand in the compute type of T, its dimensions in the order of three
// lists.
template <typename T>
Literal Packed(LiteralView operand, const std::vector<int64_t>& first,
               const std::vector<int64_t>& second,
               const std::vector<int64_t>& third) {
  Literal converted;
  for (ElementType type :
       {ElementTypeOf<T>::value, ElementTypeOf<ComputeType<T>>::value}) {
    if (operand.shape().element_type() == type) continue;
    converted = Converted(operand, type);
    operand = converted;
  }
  const Shape& shape = operand.shape();
  const Dims operand_strides = shape.Strides();
  Dims dims, strides;
  for (const auto* list : {&first, &second, &third}) {
    for (int64_t dim : *list) {
      dims.push_back(shape.dim(dim));
      strides.push_back(operand_strides[dim]);
    }
  }
  Literal packed(Shape(shape.element_type(), dims));
  StridedCopy(ByteSize(shape.element_type()), dims, {operand.bytes(), strides},
              {packed.mutable_bytes(), packed.shape().Strides()});
  return packed;
}

// Sizes of the packed operands [batch, m, k] and [batch, k, n].
struct DotSizes {
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

// Row by row; the sum over k runs in order, so each element is the plain
// left-to-right sum.
template <typename T, typename C>
void MultiplyMatrices(const DotSizes& sizes, const C* lhs, const C* rhs,
                      T* result) {
  const auto [batch, m, n, k] = sizes;
  const auto row = std::make_unique<C[]>(n);
  for (int64_t b = 0; b < batch; ++b, rhs += k * n) {
    for (int64_t i = 0; i < m; ++i, lhs += k, result += n) {
      std::fill_n(row.get(), n, C{});
      for (int64_t l = 0; l < k; ++l) {
        const C x = lhs[l];
        const C* y = rhs + l * n;
        for (int64_t j = 0; j < n; ++j) {
          row[j] = AddScalars()(row[j], MultiplyScalars()(x, y[j]));
        }
      }
      for (int64_t j = 0; j < n; ++j) result[j] = static_cast<T>(row[j]);
    }
  }
}

int64_t Product(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (int64_t dim : dims) product *= shape.dim(dim);
  return product;
}

absl::Status EvaluateDotGeneral(EvaluationContext&, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const DotDimensions dims, DotDimensionsOf(op));
  const Shape& lhs = operands[0].shape();
  const Shape& rhs = operands[1].shape();
  const auto lhs_free =
      FreeDims(lhs.rank(), dims.lhs_batching, dims.lhs_contracting);
  const auto rhs_free =
      FreeDims(rhs.rank(), dims.rhs_batching, dims.rhs_contracting);
  const DotSizes sizes = {.batch = Product(lhs, dims.lhs_batching),
                          .m = Product(lhs, lhs_free),
                          .n = Product(rhs, rhs_free),
                          .k = Product(lhs, dims.lhs_contracting)};
  DispatchElementType(
      results[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        // f16 and bf16 accumulate in f32 and round once.
        using C = ComputeType<T>;
        const Literal a = Packed<T>(operands[0], dims.lhs_batching, lhs_free,
                                    dims.lhs_contracting);
        const Literal b = Packed<T>(operands[1], dims.rhs_batching,
                                    dims.rhs_contracting, rhs_free);
        MultiplyMatrices<T, C>(sizes, a.data<C>().data(), b.data<C>().data(),
                               results[0].data<T>().data());
      });
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> DotGeneralRule(const Op& op,
                                              const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const DotDimensions dims, DotDimensionsOf(op));
  return DotSharding(op, dims);
}

// dot_general: sums of products over the contracting dims, for each index of
// the batching dims. Result dims: batching, free of lhs, free of rhs. Precision
// and algorithm are hints.
//   (I1) lhs. (I2) rhs. (I3-I6) dot_dimension_numbers. (I7) precision_config.
//   (I8-I14) algorithm.
REGISTER_OP(OpDef("stablehlo.dot_general", OpKind::kDot)
                .Assembly(DotGeneralForm())
                .Infer(InferDotGeneral)
                .Verify(VerifyDotGeneral)
                .Evaluate(EvaluateDotGeneral)
                .Sharding(DotGeneralRule));

}  // namespace
}  // namespace lockstep::internal
