#include "tests/generator/program_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

const std::vector<ElementType> kTypes = {
    ElementType::kF32,      ElementType::kF32,   ElementType::kF32,
    ElementType::kF32,      ElementType::kF64,   ElementType::kBF16,
    ElementType::kF16,      ElementType::kS32,   ElementType::kS32,
    ElementType::kS64,      ElementType::kS16,   ElementType::kS8,
    ElementType::kU8,       ElementType::kU16,   ElementType::kU32,
    ElementType::kU64,      ElementType::kPred,  ElementType::kC64,
    ElementType::kC128,     ElementType::kS4,    ElementType::kU4,
    ElementType::kF8E4M3FN, ElementType::kF8E5M2};

// Up to here integers are exact in the type, and some of their sums too.
double ExactBound(ElementType type) {
  switch (RealType(type)) {
    case ElementType::kF16:
      return 1 << 10;
    case ElementType::kBF16:
      return 1 << 7;
    case ElementType::kF64:
      return std::ldexp(1, 50);
    case ElementType::kF8E4M3FN:
      return 1 << 3;
    case ElementType::kF8E5M2:
      return 1 << 2;
    default:
      return 1 << 22;
  }
}
constexpr double kApproximateBound = 1e4;

std::string ScalarText(ElementType type, int64_t value) {
  if (type == ElementType::kPred) return value % 2 != 0 ? "true" : "false";
  if (IsComplex(type)) return absl::StrCat("(", value, ".0,-1.0)");
  return IsAnyFloat(type) ? absl::StrCat(value, ".0") : absl::StrCat(value);
}

}  // namespace

std::string ProgramBuilder::NewName() {
  return absl::StrCat("%v", next_name_++);
}

GeneratedValue ProgramBuilder::Define(const Shape& shape,
                                      const GeneratedValue& like,
                                      absl::string_view text) {
  GeneratedValue value = like;
  value.name = NewName();
  value.shape = shape;
  absl::StrAppend(&text_, "  ", value.name, " = ", text, "\n");
  values_.push_back(value);
  return value;
}

const GeneratedValue& ProgramBuilder::Any() {
  const int count = static_cast<int>(values_.size());
  const int recent = std::min(count, 4);
  return OneIn(2) ? values_[Below(count)] : values_[count - 1 - Below(recent)];
}

GeneratedValue ProgramBuilder::AnyExact() {
  return AnyThat([](const GeneratedValue& value) { return value.is_exact; },
                 Shape(ElementType::kS32, {3}));
}

GeneratedValue ProgramBuilder::Like(const Shape& shape) {
  std::vector<const GeneratedValue*> candidates;
  for (const GeneratedValue& value : values_) {
    if (value.shape == shape) candidates.push_back(&value);
  }
  if (candidates.empty() || OneIn(5)) return Constant(shape);
  return *entropy_.Any(candidates);
}

GeneratedValue ProgramBuilder::ExactLike(const Shape& shape) {
  GeneratedValue value = Like(shape);
  return value.is_exact ? value : Constant(shape);
}

GeneratedValue ProgramBuilder::Constant(const Shape& shape) {
  const bool is_list =
      shape.rank() == 1 && shape.dim(0) > 0 && shape.dim(0) <= 8 && OneIn(2);
  if (!is_list) return Splat(shape, Below(5));
  std::vector<std::string> elements;
  for (int64_t i = 0; i < shape.dim(0); ++i) {
    elements.push_back(ScalarText(shape.element_type(), Below(5)));
  }
  GeneratedValue like;
  like.bound = 4;
  return Define(
      shape, like,
      absl::StrCat("stablehlo.constant dense<[", absl::StrJoin(elements, ", "),
                   "]> : ", shape.ToString()));
}

GeneratedValue ProgramBuilder::Splat(const Shape& shape, int64_t value) {
  GeneratedValue like;
  like.bound = static_cast<double>(std::max<int64_t>(4, std::abs(value)));
  return Define(shape, like,
                absl::StrCat("stablehlo.constant dense<",
                             ScalarText(shape.element_type(), value),
                             "> : ", shape.ToString()));
}

GeneratedValue ProgramBuilder::Clamped(const GeneratedValue& value,
                                       double bound) {
  if (!value.is_float() || value.bound <= bound) return value;
  const Shape scalar(value.type(), {});
  const GeneratedValue low = Splat(scalar, -static_cast<int64_t>(bound));
  const GeneratedValue high = Splat(scalar, static_cast<int64_t>(bound));
  GeneratedValue like = value;
  like.bound = bound;
  return Define(value.shape, like,
                absl::StrCat("stablehlo.clamp ", Names({low, value, high}),
                             Types({low, value, high}, value.shape)));
}

ElementType ProgramBuilder::DrawType() { return entropy_.Any(kTypes); }

Dims ProgramBuilder::DrawDims() {
  static const std::vector<int64_t> kSizes = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33};
  Dims dims;
  int64_t count = 1;
  for (int i = Below(4); i > 0; --i) {
    const int64_t size = OneIn(40) ? 0 : entropy_.Any(kSizes);
    if (count * size > max_elements_) break;
    dims.push_back(size);
    count *= std::max<int64_t>(size, 1);
  }
  return dims;
}

std::vector<int64_t> ProgramBuilder::DrawDimensions(const Shape& shape) {
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (OneIn(2)) dims.push_back(i);
  }
  return dims;
}

bool Fits(ElementType type, double bound, bool is_exact) {
  if (!IsAnyFloat(type) && !IsComplex(type)) return true;
  if (IsSmallFloat(type) && !is_exact) return false;
  const double exact = ExactBound(type);
  return bound <= (is_exact ? exact : std::min(kApproximateBound, exact));
}

GeneratedValue Merged(const GeneratedValue& a, const GeneratedValue& b) {
  GeneratedValue merged;
  merged.bound = std::max(a.bound, b.bound);
  merged.is_exact = a.is_exact && b.is_exact;
  merged.has_special = a.has_special || b.has_special;
  return merged;
}

std::string List(absl::Span<const int64_t> values) {
  return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
}

std::string Names(absl::Span<const GeneratedValue> values) {
  return absl::StrJoin(values, ", ",
                       [](std::string* out, const GeneratedValue& value) {
                         absl::StrAppend(out, value.name);
                       });
}

std::string Types(absl::Span<const GeneratedValue> operands,
                  const Shape& result) {
  return absl::StrCat(
      " : (",
      absl::StrJoin(operands, ", ",
                    [](std::string* out, const GeneratedValue& value) {
                      absl::StrAppend(out, value.shape.ToString());
                    }),
      ") -> ", result.ToString());
}

Dims Without(const Shape& shape, absl::Span<const int64_t> dims) {
  Dims rest;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (!absl::c_linear_search(dims, i)) rest.push_back(shape.dim(i));
  }
  return rest;
}

int64_t CountAlong(const Shape& shape, absl::Span<const int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= std::max<int64_t>(shape.dim(dim), 1);
  return count;
}

}  // namespace lockstep::internal
