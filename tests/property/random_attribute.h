#ifndef LOCKSTEP_TESTS_PROPERTY_RANDOM_ATTRIBUTE_H_
#define LOCKSTEP_TESTS_PROPERTY_RANDOM_ATTRIBUTE_H_

#include <random>

#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// Draws values of the IR. The same seed draws the same values.
class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : random_(seed) {}

  // In [0, limit).
  int Below(int limit) {
    return static_cast<int>(random_() % static_cast<uint64_t>(limit));
  }
  bool Flip() { return Below(2) == 0; }

  ElementType DrawElementType() {
    return static_cast<ElementType>(1 + Below(15));
  }
  Shape DrawShape();
  Type DrawType(int depth);
  // Any bits, so that NaNs with payloads and denormals occur.
  Literal DrawLiteral(const Shape& shape);
  Attribute DrawElements();
  Attribute DrawAttribute(int depth);
  AttributeMap DrawAttributes(int depth);
  std::string DrawName();    // of a symbol or an attribute
  std::string DrawString();  // any bytes

 private:
  Attribute DrawScalar();
  Attribute DrawContainer(int depth);
  Attribute DrawNamed(int depth);

  std::mt19937_64 random_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PROPERTY_RANDOM_ATTRIBUTE_H_
