#ifndef LOCKSTEP_RUNTIME_IR_TYPE_H_
#define LOCKSTEP_RUNTIME_IR_TYPE_H_

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/types/shape.h"

namespace lockstep::internal {

// The type of a value: a tensor of static shape, a token, or a tuple. Tensors
// with dynamic dimensions and quantized types are refused by the frontend. A
// value type.
class Type {
 public:
  enum class Kind { kTensor, kToken, kTuple };

  Type() = default;
  Type(Shape shape) : shape_(std::move(shape)) {}  // NOLINT: a shape is a type
  static Type Token();
  static Type Tuple(std::vector<Type> elements);

  Kind kind() const { return kind_; }
  bool is_tensor() const { return kind_ == Kind::kTensor; }
  // For tensors.
  const Shape& shape() const { return shape_; }
  // For tuples.
  const std::vector<Type>& elements() const { return elements_; }

  // "tensor<2x3xf32>", "!stablehlo.token", "tuple<tensor<f32>, tensor<i1>>".
  std::string ToString() const;

  friend bool operator==(const Type&, const Type&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Type& type) {
    return os << type.ToString();
  }

 private:
  Kind kind_ = Kind::kTensor;
  Shape shape_;
  std::vector<Type> elements_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_TYPE_H_
