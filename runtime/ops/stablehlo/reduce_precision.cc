#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

struct Format {
  int64_t exponent_bits = 0;
  int64_t mantissa_bits = 0;
};

absl::StatusOr<Format> FormatOf(const Op& op) {
  Format format;
  ASSIGN_OR_RETURN(format.exponent_bits, op.IntegerAttribute("exponent_bits"));
  ASSIGN_OR_RETURN(format.mantissa_bits, op.IntegerAttribute("mantissa_bits"));
  return format;
}

absl::StatusOr<std::vector<Type>> InferReducePrecision(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckElementType(op, 0, kFloatTypes));
  ASSIGN_OR_RETURN(const Format format, FormatOf(op));
  if (format.exponent_bits < 1) {  // (C2)
    return op.Error(absl::StrCat("exponent_bits: expected 1 or more, found ",
                                 format.exponent_bits));
  }
  if (format.mantissa_bits < 0) {  // (C3)
    return op.Error(absl::StrCat("mantissa_bits: expected 0 or more, found ",
                                 format.mantissa_bits));
  }
  return std::vector<Type>{op.operand(0)->type()};  // (C1)
}

// x rounded to `mantissa_bits`, to nearest even.
template <typename T, typename Bits>
T RoundMantissa(T x, int64_t mantissa_bits) {
  constexpr int64_t kMantissa = std::numeric_limits<T>::digits - 1;
  if (mantissa_bits >= kMantissa) return x;
  const int64_t dropped = kMantissa - mantissa_bits;
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits last = bits >> dropped & 1;
  const Bits half = (Bits{1} << (dropped - 1)) - 1 + last;
  return std::bit_cast<T>((bits + half) & ~((Bits{1} << dropped) - 1));
}

template <typename T>
T ReducePrecision(T x, const Format& format) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  if (std::isnan(x)) {
    return format.mantissa_bits > 0
               ? x
               : std::copysign(std::numeric_limits<T>::infinity(), x);
  }
  if (std::isinf(x)) return x;
  const T rounded = RoundMantissa<T, Bits>(x, format.mantissa_bits);
  constexpr int64_t kExponent = sizeof(T) == 8 ? 11 : 8;
  if (format.exponent_bits >= kExponent) return rounded;
  // Exponents of normal numbers: 1 - bias .. bias.
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = rounded == 0 ? 1 - bias : std::ilogb(rounded);
  if (exponent > bias) {
    return std::copysign(std::numeric_limits<T>::infinity(), x);
  }
  return exponent < 1 - bias ? std::copysign(T(0), x) : rounded;
}

absl::Status EvaluateReducePrecision(
    EvaluationContext&, const Op& op, absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const Format format, FormatOf(op));
  return DispatchTypes<kFloatTypes>(
      op, operands[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        const auto x = operands[0].data<T>();
        const auto y = results[0].data<T>();
        for (size_t i = 0; i < x.size(); ++i) {
          y[i] = static_cast<T>(
              ReducePrecision(static_cast<ComputeType<T>>(x[i]), format));
        }
      });
}

int EmitReducePrecision(ScalarBuilder& b, const Op& op,
                        absl::Span<const int> x) {
  const Format format = FormatOf(op).value_or(Format());
  return b.ReducePrecision(static_cast<int>(format.exponent_bits),
                           static_cast<int>(format.mantissa_bits), x[0]);
}

// "%a, format = e8m7 : T".
absl::Status ParseReducePrecision(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  for (const char* token : {",", "format", "="}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  ASSIGN_OR_RETURN(const std::string format, reader.ParseKeyword());
  const std::vector<std::string> bits =
      absl::StrSplit(format, absl::ByAnyChar("em"));
  int32_t exponent, mantissa;
  if (bits.size() != 3 || !bits[0].empty() ||
      !absl::SimpleAtoi(bits[1], &exponent) ||
      !absl::SimpleAtoi(bits[2], &mantissa)) {
    return reader.Error(
        absl::StrCat("expected a format like e8m7, found ", format));
  }
  state.attributes.Set("exponent_bits", Attribute::I32(exponent));
  state.attributes.Set("mantissa_bits", Attribute::I32(mantissa));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(Type type, reader.ParseType());
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, {type}));
  state.result_types = {std::move(type)};
  return absl::OkStatus();
}

void PrintReducePrecision(const Op& op, AssemblyWriter& writer) {
  const Format format = FormatOf(op).value_or(Format());
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.Write(absl::StrCat(", format = e", format.exponent_bits, "m",
                            format.mantissa_bits));
  writer.WriteAttributes(op.attributes(), {"exponent_bits", "mantissa_bits"});
  writer.Write(" : ");
  writer.WriteType(op.result()->type());
}

// reduce_precision: element-wise rounding to a float format of fewer bits and
// back. The mantissa first, to nearest even; then what is too large is
// infinite, what is below the smallest normal number is zero.
//   (I1) operand: float tensor. (I2) exponent_bits. (I3) mantissa_bits.
REGISTER_OP(OpDef("stablehlo.reduce_precision", OpKind::kElementwise)
                .Assembly({ParseReducePrecision, PrintReducePrecision})
                .Infer(InferReducePrecision)
                .Evaluate(EvaluateReducePrecision)
                .Sharding(PointwiseSharding())
                .Emit(EmitReducePrecision));

}  // namespace
}  // namespace lockstep::internal
