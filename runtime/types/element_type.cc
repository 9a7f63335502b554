#include "runtime/types/element_type.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lockstep {
namespace {

enum class Kind { kPred, kSigned, kUnsigned, kFloat, kSmallFloat, kComplex };

struct Info {
  ElementType type;
  Kind kind;
  int byte_size;
  absl::string_view stablehlo_name;
  absl::string_view numpy_name;
};

// In the order of the values of ElementType.
constexpr Info kInfos[] = {
    {ElementType::kPred, Kind::kPred, 1, "i1", "bool"},
    {ElementType::kS8, Kind::kSigned, 1, "i8", "int8"},
    {ElementType::kS16, Kind::kSigned, 2, "i16", "int16"},
    {ElementType::kS32, Kind::kSigned, 4, "i32", "int32"},
    {ElementType::kS64, Kind::kSigned, 8, "i64", "int64"},
    {ElementType::kU8, Kind::kUnsigned, 1, "ui8", "uint8"},
    {ElementType::kU16, Kind::kUnsigned, 2, "ui16", "uint16"},
    {ElementType::kU32, Kind::kUnsigned, 4, "ui32", "uint32"},
    {ElementType::kU64, Kind::kUnsigned, 8, "ui64", "uint64"},
    {ElementType::kF16, Kind::kFloat, 2, "f16", "float16"},
    {ElementType::kBF16, Kind::kFloat, 2, "bf16", "bfloat16"},
    {ElementType::kF32, Kind::kFloat, 4, "f32", "float32"},
    {ElementType::kF64, Kind::kFloat, 8, "f64", "float64"},
    {ElementType::kC64, Kind::kComplex, 8, "complex<f32>", "complex64"},
    {ElementType::kC128, Kind::kComplex, 16, "complex<f64>", "complex128"},
    {ElementType::kS2, Kind::kSigned, 1, "i2", "int2"},
    {ElementType::kS4, Kind::kSigned, 1, "i4", "int4"},
    {ElementType::kU2, Kind::kUnsigned, 1, "ui2", "uint2"},
    {ElementType::kU4, Kind::kUnsigned, 1, "ui4", "uint4"},
    {ElementType::kF8E5M2, Kind::kSmallFloat, 1, "f8E5M2", "float8_e5m2"},
    {ElementType::kF8E4M3, Kind::kSmallFloat, 1, "f8E4M3", "float8_e4m3"},
    {ElementType::kF8E3M4, Kind::kSmallFloat, 1, "f8E3M4", "float8_e3m4"},
    {ElementType::kF8E4M3FN, Kind::kSmallFloat, 1, "f8E4M3FN", "float8_e4m3fn"},
    {ElementType::kF8E4M3FNUZ, Kind::kSmallFloat, 1, "f8E4M3FNUZ",
     "float8_e4m3fnuz"},
    {ElementType::kF8E5M2FNUZ, Kind::kSmallFloat, 1, "f8E5M2FNUZ",
     "float8_e5m2fnuz"},
    {ElementType::kF8E4M3B11FNUZ, Kind::kSmallFloat, 1, "f8E4M3B11FNUZ",
     "float8_e4m3b11fnuz"},
    {ElementType::kF8E8M0FNU, Kind::kSmallFloat, 1, "f8E8M0FNU",
     "float8_e8m0fnu"},
    {ElementType::kF6E2M3FN, Kind::kSmallFloat, 1, "f6E2M3FN", "float6_e2m3fn"},
    {ElementType::kF6E3M2FN, Kind::kSmallFloat, 1, "f6E3M2FN", "float6_e3m2fn"},
    {ElementType::kF4E2M1FN, Kind::kSmallFloat, 1, "f4E2M1FN", "float4_e2m1fn"},
};

const Info& InfoOf(ElementType type) {
  const int index = static_cast<int>(type) - 1;
  LOCKSTEP_CHECK(index >= 0 && index < static_cast<int>(std::size(kInfos)));
  return kInfos[index];
}

// Types of StableHLO that programs may name and lockstep does not have.
bool IsKnownUnsupportedName(absl::string_view name) {
  for (absl::string_view known : {"tf32", "index", "none"}) {
    if (name == known) return true;
  }
  for (absl::string_view prefix : {"f4E", "f6E", "f8E", "!quant.uniform<"}) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<ElementType> ElementTypeFromNumber(uint32_t number) {
  if (number >= 1 && number <= std::size(kInfos)) {
    return static_cast<ElementType>(number);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected the number of an element type, 1 to ",
                   std::size(kInfos), ", found ", number));
}

int64_t ByteSize(ElementType type) { return InfoOf(type).byte_size; }

int64_t BitWidth(ElementType type) {
  if (type == ElementType::kPred) return 1;
  if (!IsSmall(type)) return 8 * ByteSize(type);
  return DispatchElementType(type,
                             []<typename T>(std::type_identity<T>) -> int64_t {
                               if constexpr (kIsSmall<T>) return T::kWidth;
                               return 8;
                             });
}

absl::string_view StablehloName(ElementType type) {
  return InfoOf(type).stablehlo_name;
}

absl::StatusOr<ElementType> ParseStablehloName(absl::string_view name) {
  for (const Info& info : kInfos) {
    if (info.stablehlo_name == name) return info.type;
  }
  if (IsKnownUnsupportedName(name)) {
    return absl::UnimplementedError(
        absl::StrCat("element type ", name, " is not supported"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected an element type such as f32, i32 or complex<f32>, found \"",
      name, "\""));
}

absl::string_view NumpyName(ElementType type) {
  return InfoOf(type).numpy_name;
}

bool IsSignedInteger(ElementType type) {
  return InfoOf(type).kind == Kind::kSigned;
}
bool IsUnsignedInteger(ElementType type) {
  return InfoOf(type).kind == Kind::kUnsigned;
}
bool IsInteger(ElementType type) {
  return IsSignedInteger(type) || IsUnsignedInteger(type);
}
bool IsFloat(ElementType type) { return InfoOf(type).kind == Kind::kFloat; }
bool IsSmallFloat(ElementType type) {
  return InfoOf(type).kind == Kind::kSmallFloat;
}
bool IsSmall(ElementType type) {
  return type >= ElementType::kS2 && type <= ElementType::kF4E2M1FN;
}
bool IsComplex(ElementType type) { return InfoOf(type).kind == Kind::kComplex; }

ElementType RealType(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

std::ostream& operator<<(std::ostream& os, ElementType type) {
  return os << StablehloName(type);
}

}  // namespace lockstep
