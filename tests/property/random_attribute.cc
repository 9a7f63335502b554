#include "tests/property/random_attribute.h"

#include <cstring>
#include <utility>

#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

constexpr const char* kNames[] = {"a",   "main", "x_1",          "mhlo.layout",
                                  "odd", "a b",  "jax.arg_info", "\"quoted\"",
                                  "",    "1up",  "\x01\xFF",     "true"};

}  // namespace

Shape RandomValues::DrawShape() {
  constexpr int64_t kSizes[] = {0, 1, 2, 3, 7, 16};
  Dims dims;
  for (int rank = Below(4); rank > 0; --rank) dims.push_back(kSizes[Below(6)]);
  return Shape(DrawElementType(), dims);
}

Type RandomValues::DrawType(int depth) {
  const int kind = Below(12);
  if (kind == 0) return Type::Token();
  if (kind == 1 && depth > 0) {
    std::vector<Type> elements;
    for (int i = Below(3); i > 0; --i) elements.push_back(DrawType(depth - 1));
    return Type::Tuple(std::move(elements));
  }
  return DrawShape();
}

Literal RandomValues::DrawLiteral(const Shape& shape) {
  Literal literal(shape);
  for (int64_t i = 0; i < shape.byte_size(); ++i) {
    literal.mutable_bytes()[i] = static_cast<std::byte>(
        shape.element_type() == ElementType::kPred ? Below(2) : Below(256));
  }
  return literal;
}

Attribute RandomValues::DrawElements() {
  const Shape shape = DrawShape();
  if (Flip()) return Attribute::FromLiteral(DrawLiteral(shape));
  auto value = std::make_shared<const Literal>(
      DrawLiteral(Shape(shape.element_type(), {})));
  return Attribute::Elements{shape, std::move(value), true};
}

std::string RandomValues::DrawName() { return kNames[Below(12)]; }

std::string RandomValues::DrawString() {
  std::string text(static_cast<size_t>(Below(12)), '\0');
  for (char& c : text) c = static_cast<char>(Below(256));
  return text;
}

Attribute RandomValues::DrawScalar() {
  switch (Below(6)) {
    case 0:
      return Attribute();
    case 1:
      return Attribute::Bool{Flip()};
    case 2: {
      constexpr const char* kTypes[] = {"i64", "index", "ui64", "si64"};
      return Attribute::Integer{static_cast<int64_t>(random_()),
                                kTypes[Below(4)]};
    }
    case 3:
      return Attribute::Integer{Below(100) - 50, Flip() ? "i8" : "i32"};
    case 4: {
      const uint64_t bits = random_();
      double value;
      std::memcpy(&value, &bits, sizeof(value));
      return Attribute::Float{value, "f64"};
    }
    default:
      return Attribute::Float{static_cast<double>(Below(2000) - 1000) / 8,
                              Flip() ? "f32" : "f16"};
  }
}

Attribute RandomValues::DrawContainer(int depth) {
  switch (Below(4)) {
    case 0: {
      Attribute::Array array;
      for (int i = Below(4); i > 0; --i) {
        array.elements.push_back(DrawAttribute(depth - 1));
      }
      return array;
    }
    case 1:
      return Attribute::Dictionary{DrawAttributes(depth - 1)};
    case 2: {
      Attribute::DenseArray array{Flip() ? "i64" : "i1", {}};
      for (int i = Below(4); i > 0; --i) array.values.push_back(Below(2));
      return array;
    }
    default: {
      Attribute::Struct value{"gather", {}};
      value.fields.Set("b", DrawAttribute(depth - 1));
      value.fields.Set("a", Attribute::I64Array({1, 2}));
      return value;
    }
  }
}

Attribute RandomValues::DrawNamed(int depth) {
  switch (Below(8)) {
    case 0: {
      const Type type = DrawType(depth);
      return Attribute::TypeValue{type.ToString(), type};
    }
    case 1:
      return Attribute::TypeValue{"(i32, tensor<?xf8E5M2>) -> ()",
                                  std::nullopt};
    case 2:
      return Attribute::Symbol{Flip() ? DrawName() : DrawName() + "::b"};
    case 3:
      return Attribute::Enum{"precision", "HIGHEST"};
    case 4:
      return Attribute::Sharding{*ParseSdySharding(
          "<@mesh, [{\"x\", ?}, {}, {\"y\":(2)2}p1], replicated={\"z\"}>")};
    case 5:
      return Attribute::ShardingPerValue{*ParseSdyShardingPerValue(
          "<[<mesh<[\"x\"=2]>, []>, <@mesh, [{?}], unreduced=max{\"y\"}>]>")};
    case 6:
      return Attribute::AxisRefs{{AxisRef("a b"), AxisRef("y", 2, 2)}};
    default:
      return Attribute::Opaque{"#test.opaque<@mesh, [{\"x\", ?}, {}] -> 1>"};
  }
}

Attribute RandomValues::DrawAttribute(int depth) {
  const int kind = Below(depth > 0 ? 5 : 4);
  if (kind == 0) return DrawScalar();
  if (kind == 1) return Attribute::String{DrawString()};
  if (kind == 2) return DrawElements();
  if (kind == 3) return DrawNamed(depth);
  return DrawContainer(depth);
}

AttributeMap RandomValues::DrawAttributes(int depth) {
  AttributeMap attributes;
  for (int i = Below(4); i > 0; --i) {
    attributes.Set(DrawName(), DrawAttribute(depth));
  }
  return attributes;
}

}  // namespace lockstep::internal
