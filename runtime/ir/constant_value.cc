#include "runtime/ir/constant_value.h"

#include <algorithm>
#include <cmath>

#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

// Doubles hold integers up to this.
constexpr double kExact = 9007199254740992.0;

}  // namespace

const Attribute::Elements* ConstantOf(const Value* value) {
  const Op* op = value->defining_op();
  if (op == nullptr || op->name() != "stablehlo.constant") return nullptr;
  const Attribute* attribute = op->attribute("value");
  return attribute == nullptr ? nullptr : attribute->As<Attribute::Elements>();
}

const Attribute::Elements* SplatOf(const Value* value) {
  const Attribute::Elements* elements = ConstantOf(value);
  if (elements == nullptr) return nullptr;
  return elements->is_splat || elements->shape.element_count() == 1 ? elements
                                                                    : nullptr;
}

std::optional<double> SplatNumber(const Value* value) {
  const Attribute::Elements* elements = SplatOf(value);
  if (elements == nullptr || IsComplex(elements->shape.element_type())) {
    return std::nullopt;
  }
  const ElementType type = elements->shape.element_type();
  Literal number(Shape(ElementType::kF64, {}));
  ConvertElements(LiteralView(Shape(type, {}), elements->values->bytes()),
                  number.mutable_view());
  const double result = number.data<double>()[0];
  if (!IsFloat(type) && std::abs(result) >= kExact) return std::nullopt;
  return result;
}

bool IsSplat(const Value* value, double number) {
  const std::optional<double> found = SplatNumber(value);
  if (!found.has_value() || *found != number) return false;
  return !IsFloat(value->shape().element_type()) ||
         std::signbit(*found) == std::signbit(number);
}

bool IsSplatOfOnes(const Value* value) {
  const Attribute::Elements* elements = SplatOf(value);
  if (elements == nullptr) return false;
  const ElementType type = elements->shape.element_type();
  if (type == ElementType::kPred) return IsSplat(value, 1);
  if (!IsInteger(type)) return false;
  if (IsSignedInteger(type)) return IsSplat(value, -1);
  const std::byte* bytes = elements->values->bytes();
  return !IsSmall(type) &&
         std::all_of(bytes, bytes + ByteSize(type),
                     [](std::byte b) { return b == std::byte{0xFF}; });
}

Literal ScalarOf(ElementType type, double number) {
  Literal scalar(Shape(type, {}));
  ConvertElements(Literal::Scalar<double>(number), scalar.mutable_view());
  return scalar;
}

}  // namespace lockstep::internal
