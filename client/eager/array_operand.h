#ifndef LOCKSTEP_CLIENT_EAGER_ARRAY_OPERAND_H_
#define LOCKSTEP_CLIENT_EAGER_ARRAY_OPERAND_H_

#include <optional>
#include <utility>

#include "client/arrays/array.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

namespace lockstep {

// A C++ number beside an array: weakly typed, as an Operand. Made implicitly
// where an operation is called, whose place it remembers.
class ArrayNumber {
 public:
  template <HostScalar T>
  ArrayNumber(T value,  // NOLINT: implicit
              SourceLocation location = SourceLocation::current())
      : number_(value, location) {}

  const Operand& number() const { return number_; }

 private:
  Operand number_;
};

// An operand of an operation on arrays: an array, or a number.
class ArrayOperand {
 public:
  ArrayOperand(Array array,  // NOLINT: implicit, as are the others
               SourceLocation location = SourceLocation::current())
      : array_(std::move(array)), location_(location) {}
  template <HostScalar T>
  ArrayOperand(T value,  // NOLINT
               SourceLocation location = SourceLocation::current())
      : ArrayOperand(ArrayNumber(value, location)) {}
  ArrayOperand(const ArrayNumber& number);  // NOLINT

  // Of a number: its value, in the type that it has as an argument.
  const Array& array() const { return array_; }
  bool is_number() const { return number_.has_value(); }
  const Operand& number() const { return *number_; }
  const SourceLocation& location() const { return location_; }

 private:
  Array array_;
  std::optional<Operand> number_;
  SourceLocation location_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EAGER_ARRAY_OPERAND_H_
