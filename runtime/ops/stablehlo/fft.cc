#include <complex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/fourier_transform.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

using Complex = FourierTransform::Complex;

enum class FftKind { kForward, kInverse, kRealForward, kRealInverse };

struct FftAttributes {
  FftKind kind = FftKind::kForward;
  std::vector<int64_t> lengths;  // of the last dims
};

absl::StatusOr<FftAttributes> AttributesOf(const Op& op) {
  FftAttributes attributes;
  ASSIGN_OR_RETURN(const std::string name, op.EnumAttribute("fft_type"));
  if (name == "FFT") {
    attributes.kind = FftKind::kForward;
  } else if (name == "IFFT") {
    attributes.kind = FftKind::kInverse;
  } else if (name == "RFFT") {
    attributes.kind = FftKind::kRealForward;
  } else if (name == "IRFFT") {
    attributes.kind = FftKind::kRealInverse;
  } else {
    return op.Error(absl::StrCat(
        "fft_type: expected FFT, IFFT, RFFT or IRFFT, found ", name));
  }
  ASSIGN_OR_RETURN(attributes.lengths, op.IntegersAttribute("fft_length"));
  return attributes;
}

// (C5), (C6): the operand's last dims are the lengths; for IRFFT the last one
// is length / 2 + 1, or 0 for 0.
absl::Status CheckLengths(const Op& op, const FftAttributes& attributes) {
  const Shape& operand = op.operand(0)->shape();
  const auto count = static_cast<int64_t>(attributes.lengths.size());
  if (count < 1 || count > operand.rank()) {  // (C1), (C3)
    return op.Error(absl::StrCat("fft_length: expected 1 to ", operand.rank(),
                                 " entries, found ", count));
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = attributes.lengths[i];
    const bool is_half =
        attributes.kind == FftKind::kRealInverse && i == count - 1;
    const int64_t expected = is_half && length > 0 ? length / 2 + 1 : length;
    const int64_t dim = operand.rank() - count + i;
    if (length >= 0 && operand.dim(dim) == expected) continue;
    return op.Error(absl::StrCat("fft_length: expected ", operand.ToString(),
                                 " to have size ", expected, " in dim ", dim));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferFft(const Op& op) {
  constexpr ElementTypes kRealTypes =
      OneType(ElementType::kF32) | OneType(ElementType::kF64);
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const FftAttributes attributes, AttributesOf(op));
  const bool from_real = attributes.kind == FftKind::kRealForward;
  RETURN_IF_ERROR(
      CheckElementType(op, 0, from_real ? kRealTypes : kComplexTypes));  // (C2)
  RETURN_IF_ERROR(CheckLengths(op, attributes));
  const Shape& operand = op.operand(0)->shape();
  Dims dims(operand.dims().begin(), operand.dims().end());
  ElementType type = operand.element_type();
  if (from_real) {
    type = type == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128;
    if (dims.back() > 0) dims.back() = dims.back() / 2 + 1;
  } else if (attributes.kind == FftKind::kRealInverse) {
    type = RealType(type);
    dims.back() = attributes.lengths.back();
  }
  ASSIGN_OR_RETURN(Shape shape, ResultShape(op, type, dims));
  return std::vector<Type>{std::move(shape)};
}

// A tensor of complex numbers that is transformed in place, dim by dim.
class Workspace {
 public:
  explicit Workspace(const LiteralView& operand)
      : dims_(operand.shape().dims().begin(), operand.shape().dims().end()) {
    Literal values(Shape(ElementType::kC128, dims_));
    ConvertElements(operand, values.mutable_view());
    const auto data = values.data<Complex>();
    values_.assign(data.begin(), data.end());
  }

  void Transform(int64_t dim, bool is_inverse) {
    const int64_t length = dims_[dim];
    const FourierTransform transform(length, is_inverse);
    const double scale = is_inverse ? 1.0 / static_cast<double>(length) : 1.0;
    const int64_t stride = StrideOf(dim);
    std::vector<Complex> x(length), y(length);
    for (int64_t i = 0; i < static_cast<int64_t>(values_.size()); ++i) {
      if (i / stride % length != 0) continue;
      for (int64_t j = 0; j < length; ++j) x[j] = values_[i + j * stride];
      transform.Run(x.data(), y.data());
      for (int64_t j = 0; j < length; ++j) {
        values_[i + j * stride] = y[j] * scale;
      }
    }
  }

  // Keeps the first `size` elements of the last dim, or makes it longer by
  // conjugates: the transform of real numbers is symmetric.
  void ResizeLastDim(int64_t size) {
    const int64_t old_size = dims_.back();
    std::vector<Complex> resized;
    for (size_t row = 0; row < values_.size(); row += old_size) {
      for (int64_t j = 0; j < size; ++j) {
        resized.push_back(j < old_size ? values_[row + j]
                                       : std::conj(values_[row + size - j]));
      }
    }
    dims_.back() = size;
    values_ = std::move(resized);
  }

  // Real results take the real parts.
  void CopyTo(const MutableLiteralView& result) const {
    ConvertElements(
        Literal::FromValues<Complex>(dims_, absl::MakeConstSpan(values_)),
        result);
  }

 private:
  int64_t StrideOf(int64_t dim) const {
    int64_t stride = 1;
    for (size_t d = dim + 1; d < dims_.size(); ++d) stride *= dims_[d];
    return stride;
  }

  Dims dims_;
  std::vector<Complex> values_;
};

absl::Status EvaluateFft(EvaluationContext&, const Op& op,
                         absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results) {
  if (results[0].shape().element_count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const FftAttributes attributes, AttributesOf(op));
  const int64_t rank = operands[0].shape().rank();
  const int64_t first = rank - static_cast<int64_t>(attributes.lengths.size());
  const bool is_inverse = attributes.kind == FftKind::kInverse ||
                          attributes.kind == FftKind::kRealInverse;
  Workspace workspace(operands[0]);
  if (attributes.kind == FftKind::kRealForward) {
    workspace.Transform(rank - 1, is_inverse);
    workspace.ResizeLastDim(results[0].shape().dim(rank - 1));
    for (int64_t dim = first; dim < rank - 1; ++dim) {
      workspace.Transform(dim, is_inverse);
    }
  } else {
    for (int64_t dim = first; dim < rank - 1; ++dim) {
      workspace.Transform(dim, is_inverse);
    }
    if (attributes.kind == FftKind::kRealInverse) {
      workspace.ResizeLastDim(attributes.lengths.back());
    }
    workspace.Transform(rank - 1, is_inverse);
  }
  workspace.CopyTo(results[0]);
  return absl::OkStatus();
}

// "%a, type = FFT, length = [8] : (T) -> U".
absl::Status ParseFft(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  for (const char* token : {",", "type", "="}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  ASSIGN_OR_RETURN(std::string kind, reader.ParseKeyword());
  state.attributes.Set("fft_type",
                       Attribute::Enum{"fft_type", std::move(kind)});
  for (const char* token : {",", "length", "="}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> lengths,
                   reader.ParseIntegerList());
  state.attributes.Set("fft_length", Attribute::I64Array(lengths));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintFft(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.Write(absl::StrCat(
      ", type = ", op.EnumAttribute("fft_type").value_or("FFT"), ", length = [",
      absl::StrJoin(
          op.IntegersAttribute("fft_length").value_or(std::vector<int64_t>()),
          ", "),
      "]"));
  writer.WriteAttributes(op.attributes(), {"fft_type", "fft_length"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

absl::StatusOr<OpShardingRule> FftRule(const Op& op,
                                       const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const FftAttributes attributes, AttributesOf(op));
  const Shape& operand = op.operand(0)->shape();
  const int64_t batch_rank =
      operand.rank() - static_cast<int64_t>(attributes.lengths.size());
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    rule.Add(operand.dim(dim), dim < batch_rank ? FactorKind::kPassThrough
                                                : FactorKind::kNeedReplication)
        .Everywhere(dim)
        .Blocked(operand.dim(dim) != op.result()->shape().dim(dim));
  }
  return rule.Build();
}

// fft: the discrete Fourier transform along the last dims. IFFT and IRFFT
// divide by the lengths; RFFT keeps n / 2 + 1 of the last dim, IRFFT takes
// them.
//   (I1) operand: complex, or float for RFFT. (I2) fft_type. (I3) fft_length.
REGISTER_OP(OpDef("stablehlo.fft", OpKind::kFft)
                .Assembly({ParseFft, PrintFft})
                .Infer(InferFft)
                .Evaluate(EvaluateFft)
                .Sharding(FftRule));

}  // namespace
}  // namespace lockstep::internal
