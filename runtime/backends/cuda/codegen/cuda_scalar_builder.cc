#include "runtime/backends/cuda/codegen/cuda_scalar_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"
#include "runtime/types/small_float_format.h"

namespace lockstep::internal {
namespace {

absl::string_view FunctionOf(UnaryScalarOp op) {
  switch (op) {
    case UnaryScalarOp::kAbs:
      return "Abs";
    case UnaryScalarOp::kCbrt:
      return "Cbrt";
    case UnaryScalarOp::kCeil:
      return "Ceil";
    case UnaryScalarOp::kCosine:
      return "Cosine";
    case UnaryScalarOp::kCountLeadingZeros:
      return "CountLeadingZeros";
    case UnaryScalarOp::kErf:
      return "Erf";
    case UnaryScalarOp::kErfc:
      return "Erfc";
    case UnaryScalarOp::kExponential:
      return "Exponential";
    case UnaryScalarOp::kExponentialMinusOne:
      return "ExponentialMinusOne";
    case UnaryScalarOp::kFloor:
      return "Floor";
    case UnaryScalarOp::kImag:
      return "Imag";
    case UnaryScalarOp::kIsFinite:
      return "IsFinite";
    case UnaryScalarOp::kLog:
      return "Log";
    case UnaryScalarOp::kLogPlusOne:
      return "LogPlusOne";
    case UnaryScalarOp::kLogistic:
      return "Logistic";
    case UnaryScalarOp::kNegate:
      return "Negate";
    case UnaryScalarOp::kNot:
      return "Not";
    case UnaryScalarOp::kPopcnt:
      return "Popcnt";
    case UnaryScalarOp::kReal:
      return "Real";
    case UnaryScalarOp::kRoundNearestAfz:
      return "RoundNearestAfz";
    case UnaryScalarOp::kRoundNearestEven:
      return "RoundNearestEven";
    case UnaryScalarOp::kRsqrt:
      return "Rsqrt";
    case UnaryScalarOp::kSign:
      return "Sign";
    case UnaryScalarOp::kSine:
      return "Sine";
    case UnaryScalarOp::kSqrt:
      return "Sqrt";
    case UnaryScalarOp::kTan:
      return "Tan";
    case UnaryScalarOp::kTanh:
      return "Tanh";
  }
  return "";
}

absl::string_view FunctionOf(BinaryScalarOp op) {
  switch (op) {
    case BinaryScalarOp::kAdd:
      return "Add";
    case BinaryScalarOp::kAnd:
      return "And";
    case BinaryScalarOp::kAtan2:
      return "Atan2";
    case BinaryScalarOp::kComplex:
      return "Complex";
    case BinaryScalarOp::kDivide:
      return "Divide";
    case BinaryScalarOp::kMaximum:
      return "Maximum";
    case BinaryScalarOp::kMinimum:
      return "Minimum";
    case BinaryScalarOp::kMultiply:
      return "Multiply";
    case BinaryScalarOp::kOr:
      return "Or";
    case BinaryScalarOp::kPower:
      return "Power";
    case BinaryScalarOp::kRemainder:
      return "Remainder";
    case BinaryScalarOp::kShiftLeft:
      return "ShiftLeft";
    case BinaryScalarOp::kShiftRightArithmetic:
      return "ShiftRightArithmetic";
    case BinaryScalarOp::kShiftRightLogical:
      return "ShiftRightLogical";
    case BinaryScalarOp::kSubtract:
      return "Subtract";
    case BinaryScalarOp::kXor:
      return "Xor";
  }
  return "";
}

bool IsHalf(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBF16;
}

std::string RealText(ElementType type, const std::byte* bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(ByteSize(type)));
  switch (type) {
    case ElementType::kPred:
      return bits != 0 ? "true" : "false";
    case ElementType::kF16:
      return absl::StrFormat("FromF16(0x%x)", bits);
    case ElementType::kBF16:
      return absl::StrFormat("FromBf16(0x%x)", bits);
    case ElementType::kF32:
      return absl::StrFormat("FromBits(u32(0x%x))", bits);
    case ElementType::kF64:
      return absl::StrFormat("FromBits(u64(0x%xull))", bits);
    default:
      return absl::StrFormat("%s(0x%xull)", CudaScalarType(type), bits);
  }
}

// "FromSmall<4, 3, 7, kNan>", as the device library has it.
std::string SmallConversion(absl::string_view function, ElementType type) {
  static constexpr absl::string_view kSpecials[] = {"kIeee", "kFinite", "kNan",
                                                    "kNegative", "kScale"};
  const SmallFloatFormat format = FormatOf(type);
  return absl::StrCat(function, "<", format.exponent_bits, ", ",
                      format.mantissa_bits, ", ", format.bias, ", ",
                      kSpecials[static_cast<int>(format.special)], ">");
}

}  // namespace

std::string CudaMemoryType(ElementType type) {
  switch (type) {
    case ElementType::kPred:
      return "pred";
    case ElementType::kS8:
      return "s8";
    case ElementType::kS16:
      return "s16";
    case ElementType::kS32:
      return "s32";
    case ElementType::kS64:
      return "s64";
    case ElementType::kU8:
      return "u8";
    case ElementType::kU16:
      return "u16";
    case ElementType::kU32:
      return "u32";
    case ElementType::kU64:
      return "u64";
    case ElementType::kF16:
      return "f16";
    case ElementType::kBF16:
      return "bf16";
    case ElementType::kF32:
      return "f32";
    case ElementType::kF64:
      return "f64";
    case ElementType::kC64:
      return "c64";
    case ElementType::kC128:
      return "c128";
    default:
      // Floats of 8 bits and fewer are their bits, and convert only.
      LOCKSTEP_CHECK(IsSmallFloat(type));
      return "u8";
  }
}

std::string CudaScalarType(ElementType type) {
  if (type == ElementType::kPred) return "bool";
  if (IsHalf(type)) return "f32";
  return CudaMemoryType(type);
}

int CudaScalarBuilder::Named(ElementType type, std::string name) {
  scalars_.push_back({type, std::move(name)});
  return static_cast<int>(scalars_.size()) - 1;
}

int CudaScalarBuilder::Add(ElementType type, absl::string_view expression) {
  std::string name = lines_.NewName("v");
  lines_.Add(absl::StrCat("const ", CudaScalarType(type), " ", name, " = ",
                          expression, ";"));
  return Named(type, std::move(name));
}

int CudaScalarBuilder::AddRounded(ElementType type,
                                  absl::string_view expression) {
  if (type == ElementType::kF16) {
    return Add(type, absl::StrCat("RoundF16(", expression, ")"));
  }
  if (type == ElementType::kBF16) {
    return Add(type, absl::StrCat("RoundBf16(", expression, ")"));
  }
  return Add(type, expression);
}

int CudaScalarBuilder::FromBytes(ElementType type, const std::byte* bytes) {
  if (!IsComplex(type)) return Named(type, RealText(type, bytes));
  const ElementType real = RealType(type);
  return Add(type, absl::StrCat("Complex(", RealText(real, bytes), ", ",
                                RealText(real, bytes + ByteSize(real)), ")"));
}

int CudaScalarBuilder::Constant(ElementType type, double value) {
  const ElementType real = RealType(type);
  std::string text;
  if (real == ElementType::kPred) {
    text = value != 0 ? "true" : "false";
  } else if (real == ElementType::kF64) {
    text = RealText(real, reinterpret_cast<const std::byte*>(&value));
  } else if (IsFloat(real)) {
    const float rounded =
        real == ElementType::kF16
            ? static_cast<float>(F16(static_cast<float>(value)))
        : real == ElementType::kBF16
            ? static_cast<float>(BF16(static_cast<float>(value)))
            : static_cast<float>(value);
    text = RealText(ElementType::kF32,
                    reinterpret_cast<const std::byte*>(&rounded));
  } else if (IsSmallFloat(real)) {
    text =
        absl::StrFormat("u8(0x%x)", DoubleToSmallFloat(value, FormatOf(real)));
  } else {
    const uint64_t bits =
        value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                  : static_cast<uint64_t>(value);
    text = absl::StrFormat("%s(0x%xull)", CudaScalarType(real), bits);
  }
  if (!IsComplex(type)) return Named(type, std::move(text));
  return Add(
      type, absl::StrCat("Complex(", text, ", ", CudaScalarType(real), "(0))"));
}

int CudaScalarBuilder::Unary(UnaryScalarOp op, int x) {
  const ElementType type = TypeOf(x);
  const std::string call = absl::StrCat(FunctionOf(op), "(", NameOf(x), ")");
  if (op == UnaryScalarOp::kIsFinite) return Add(ElementType::kPred, call);
  const bool is_real = op == UnaryScalarOp::kAbs ||
                       op == UnaryScalarOp::kReal || op == UnaryScalarOp::kImag;
  return AddRounded(is_real ? RealType(type) : type, call);
}

int CudaScalarBuilder::Binary(BinaryScalarOp op, int x, int y) {
  const ElementType type = TypeOf(x);
  const std::string call =
      absl::StrCat(FunctionOf(op), "(", NameOf(x), ", ", NameOf(y), ")");
  if (op == BinaryScalarOp::kComplex) {
    return Add(
        type == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64,
        call);
  }
  return AddRounded(type, call);
}

int CudaScalarBuilder::Compare(ScalarComparison comparison, bool is_total_order,
                               int x, int y) {
  static constexpr absl::string_view kSymbols[] = {
      "==", "!=", ">=", ">", "<=", "<"};
  const absl::string_view symbol = kSymbols[static_cast<int>(comparison)];
  const std::string& a = NameOf(x);
  const std::string& b = NameOf(y);
  if (IsComplex(TypeOf(x))) {
    const bool is_not = comparison == ScalarComparison::kNe;
    return Add(ElementType::kPred,
               absl::StrCat(is_not ? "!" : "", "IsEqual(", a, ", ", b, ")"));
  }
  if (IsFloat(TypeOf(x)) && is_total_order) {
    return Add(ElementType::kPred, absl::StrCat("TotalOrder(", a, ") ", symbol,
                                                " TotalOrder(", b, ")"));
  }
  return Add(ElementType::kPred, absl::StrCat(a, " ", symbol, " ", b));
}

int CudaScalarBuilder::Select(int predicate, int on_true, int on_false) {
  return Add(TypeOf(on_true),
             absl::StrCat(NameOf(predicate), " ? ", NameOf(on_true), " : ",
                          NameOf(on_false)));
}

std::string CudaScalarBuilder::Converted(ElementType from, ElementType to,
                                         const std::string& x) const {
  const std::string target = CudaScalarType(to);
  if (from == to) return x;
  if (IsSmallFloat(from)) {
    return Converted(
        ElementType::kF32, to,
        absl::StrCat(SmallConversion("FromSmall", from), "(", x, ")"));
  }
  if (IsSmallFloat(to)) {
    const absl::string_view wide = from == ElementType::kF64 ? "ToOdd"
                                   : IsFloat(from)           ? ""
                                   : ByteSize(from) >= 4     ? "IntegerToOdd"
                                                             : "f32";
    return absl::StrCat(SmallConversion("ToSmall", to), "(", wide, "(", x,
                        "))");
  }
  if (to == ElementType::kPred) return absl::StrCat("(", x, " != 0)");
  const auto rounded = [&](const std::string& wide) {
    return absl::StrCat(to == ElementType::kF16 ? "RoundF16(" : "RoundBf16(",
                        wide, ")");
  };
  if (IsFloat(from)) {
    if (!IsFloat(to)) return absl::StrCat("ToInteger<", target, ">(", x, ")");
    if (!IsHalf(to)) return absl::StrCat(target, "(", x, ")");
    return rounded(from == ElementType::kF64 ? absl::StrCat("ToOdd(", x, ")")
                                             : x);
  }
  if (!IsHalf(to)) return absl::StrCat(target, "(", x, ")");
  return rounded(ByteSize(from) >= 4 ? absl::StrCat("IntegerToOdd(", x, ")")
                                     : absl::StrCat("f32(", x, ")"));
}

int CudaScalarBuilder::Convert(ElementType type, int x) {
  const ElementType from = TypeOf(x);
  if (from == type) return x;
  const ElementType real_from = RealType(from);
  const ElementType real_to = RealType(type);
  const std::string& name = NameOf(x);
  const std::string re = IsComplex(from) ? absl::StrCat(name, ".re") : name;
  const std::string real = Converted(real_from, real_to, re);
  if (!IsComplex(type)) return Add(type, real);
  const std::string scalar = CudaScalarType(real_to);
  const std::string imaginary =
      IsComplex(from) ? Converted(real_from, real_to, absl::StrCat(name, ".im"))
                      : absl::StrCat(scalar, "(0)");
  return Add(type, absl::StrCat("Complex(", scalar, "(", real, "), ", scalar,
                                "(", imaginary, "))"));
}

int CudaScalarBuilder::BitcastConvert(ElementType type, int x) {
  const ElementType from = TypeOf(x);
  if (from == type) return x;
  const std::string& name = NameOf(x);
  std::string bits = name;
  if (from == ElementType::kF16) bits = absl::StrCat("ToF16(", name, ")");
  if (from == ElementType::kBF16) bits = absl::StrCat("ToBf16(", name, ")");
  if (from == ElementType::kF32 || from == ElementType::kF64) {
    bits = absl::StrCat("Bits(", name, ")");
  }
  switch (type) {
    case ElementType::kF16:
      return Add(type, absl::StrCat("FromF16(u16(", bits, "))"));
    case ElementType::kBF16:
      return Add(type, absl::StrCat("FromBf16(u16(", bits, "))"));
    case ElementType::kF32:
      return Add(type, absl::StrCat("FromBits(u32(", bits, "))"));
    case ElementType::kF64:
      return Add(type, absl::StrCat("FromBits(u64(", bits, "))"));
    default:
      return Add(type, absl::StrCat(CudaScalarType(type), "(", bits, ")"));
  }
}

int CudaScalarBuilder::ReducePrecision(int exponent_bits, int mantissa_bits,
                                       int x) {
  const ElementType type = TypeOf(x);
  const bool is_double = type == ElementType::kF64;
  const int held_mantissa = is_double ? 52 : 23;
  const uint64_t held_bias = is_double ? 1023 : 127;
  const int held_exponent = is_double ? 11 : 8;
  const uint64_t sign_bit = uint64_t{1} << (is_double ? 63 : 31);
  const uint64_t infinity = (2 * held_bias + 1) << held_mantissa;
  uint64_t limit = infinity;
  uint64_t smallest = 0;
  if (exponent_bits < held_exponent) {
    const uint64_t bias = (uint64_t{1} << (exponent_bits - 1)) - 1;
    limit = (held_bias + bias + 1) << held_mantissa;
    smallest = (held_bias - bias + 1) << held_mantissa;
  }
  const std::string& name = NameOf(x);
  const absl::string_view bits = is_double ? "u64" : "u32";
  const auto number = [&](uint64_t value) {
    return absl::StrFormat("%s(0x%xull)", bits, value);
  };
  return AddRounded(
      type,
      absl::StrCat("FromBits(ReducePrecisionBits<", bits, ">(Bits(", name,
                   "), ", number(sign_bit), ", ", number(infinity), ", ",
                   held_mantissa - std::min(mantissa_bits, held_mantissa), ", ",
                   number(limit), ", ", number(smallest), ", IsNan(", name,
                   "), ", mantissa_bits == 0 ? "true" : "false", "))"));
}

}  // namespace lockstep::internal
