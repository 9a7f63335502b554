#include "runtime/conformance/check_rules.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

template <typename T>
struct IsStdComplex : std::false_type {};
template <typename T>
struct IsStdComplex<std::complex<T>> : std::true_type {};

bool HasFloats(ElementType type) {
  return IsFloat(type) || IsSmallFloat(type) || IsComplex(type);
}

int PartCount(ElementType type) { return IsComplex(type) ? 2 : 1; }

const std::byte* Element(const LiteralView& view, int64_t index) {
  return view.bytes() + index * ByteSize(view.shape().element_type());
}

// The real (0) or imaginary (1) part of an element; exact but for large 64 bit
// integers.
double Part(const LiteralView& view, int64_t index, int part) {
  return DispatchElementType(view.shape().element_type(),
                             [&]<typename T>(std::type_identity<T>) -> double {
                               T value;
                               std::memcpy(&value, Element(view, index),
                                           sizeof(T));
                               if constexpr (IsStdComplex<T>::value) {
                                 return part == 0 ? value.real() : value.imag();
                               } else {
                                 return ConvertElement<double>(value);
                               }
                             });
}

bool SameBits(const LiteralView& a, const LiteralView& b, int64_t index) {
  return std::memcmp(Element(a, index), Element(b, index),
                     ByteSize(a.shape().element_type())) == 0;
}

uint64_t PartBits(const LiteralView& view, int64_t index, int part) {
  const ElementType type = view.shape().element_type();
  const int64_t size = ByteSize(type) / PartCount(type);
  uint64_t bits = 0;
  std::memcpy(&bits, Element(view, index) + part * size, size);
  return bits;
}

uint64_t PartUlpDistance(const LiteralView& a, const LiteralView& b,
                         int64_t index, int part) {
  const double x = Part(a, index, part);
  const double y = Part(b, index, part);
  if (std::isnan(x) || std::isnan(y)) {
    return std::isnan(x) && std::isnan(y) ? 0 : kMaximalUlp;
  }
  if (std::isinf(x) || std::isinf(y)) return x == y ? 0 : kMaximalUlp;
  const ElementType real = RealType(a.shape().element_type());
  const uint64_t sign = uint64_t{1} << (BitWidth(real) - 1);
  const uint64_t p = PartBits(a, index, part);
  const uint64_t q = PartBits(b, index, part);
  const uint64_t p_magnitude = p & (sign - 1);
  const uint64_t q_magnitude = q & (sign - 1);
  if ((p & sign) != (q & sign)) return p_magnitude + q_magnitude;
  return std::max(p_magnitude, q_magnitude) -
         std::min(p_magnitude, q_magnitude);
}

bool IsEqual(const LiteralView& a, const LiteralView& b, int64_t index) {
  const ElementType type = a.shape().element_type();
  if (!HasFloats(type)) return SameBits(a, b, index);
  for (int part = 0; part < PartCount(type); ++part) {
    if (Part(a, index, part) != Part(b, index, part)) return false;
  }
  return true;
}

bool IsAlmostEqual(const LiteralView& a, const LiteralView& b, int64_t index,
                   double tolerance) {
  for (int part = 0; part < PartCount(a.shape().element_type()); ++part) {
    const double x = Part(a, index, part);
    const double y = Part(b, index, part);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    // False for infinities and NaN.
    if (!(std::abs(x - y) <= tolerance) || std::isinf(x) || std::isinf(y)) {
      return false;
    }
  }
  return true;
}

std::string IndexText(const Shape& shape, int64_t index) {
  std::vector<int64_t> indices(shape.dims().size());
  for (size_t i = indices.size(); i-- > 0;) {
    indices[i] = index % shape.dims()[i];
    index /= shape.dims()[i];
  }
  return absl::StrCat("[", absl::StrJoin(indices, ","), "]");
}

std::string ElementText(const LiteralView& view, int64_t index) {
  return ToString(LiteralView(Shape(view.shape().element_type(), {}),
                              Element(view, index)));
}

// Empty when the element is as the rule wants it.
std::string ElementMismatch(const CheckRule& rule, const LiteralView& found,
                            const LiteralView& expected, int64_t index) {
  switch (rule.kind) {
    case CheckRule::Kind::kEqual:
      return IsEqual(found, expected, index) ? "" : "expected equality";
    case CheckRule::Kind::kAlmostEqual:
      if (IsAlmostEqual(found, expected, index, rule.tolerance)) return "";
      return absl::StrCat("expected a difference of at most ", rule.tolerance);
    case CheckRule::Kind::kClose: {
      const uint64_t distance = UlpDistance(found, expected, index);
      if (rule.min_ulp <= distance && distance <= rule.max_ulp) return "";
      return absl::StrCat("expected ", rule.min_ulp, " to ", rule.max_ulp,
                          " ULP, found ", distance);
    }
  }
  return "unknown rule";
}

}  // namespace

uint64_t UlpDistance(const LiteralView& a, const LiteralView& b,
                     int64_t index) {
  uint64_t distance = 0;
  for (int part = 0; part < PartCount(a.shape().element_type()); ++part) {
    distance = std::max(distance, PartUlpDistance(a, b, index, part));
  }
  return distance;
}

std::optional<std::string> Mismatch(const CheckRule& rule,
                                    const LiteralView& found,
                                    const LiteralView& expected) {
  if (!(found.shape() == expected.shape())) {
    return absl::StrCat("expected ", expected.shape().ToString(), ", found ",
                        found.shape().ToString());
  }
  const ElementType type = found.shape().element_type();
  if (rule.kind == CheckRule::Kind::kClose && !HasFloats(type)) {
    return absl::StrCat("expected a float or complex type, found ",
                        StablehloName(type));
  }
  const int64_t count = found.shape().element_count();
  for (int64_t i = 0; i < count; ++i) {
    const std::string wrong = ElementMismatch(rule, found, expected, i);
    if (wrong.empty()) continue;
    return absl::StrCat("element ", IndexText(found.shape(), i), ": expected ",
                        ElementText(expected, i), ", found ",
                        ElementText(found, i), " (", wrong, ")");
  }
  return std::nullopt;
}

}  // namespace lockstep::internal
