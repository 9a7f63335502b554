#ifndef LOCKSTEP_CLIENT_TRACER_TENSOR_H_
#define LOCKSTEP_CLIENT_TRACER_TENSOR_H_

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "client/tracer/source_location.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep {

class Operand;
namespace internal {
class Trace;
struct TraceValue;
}  // namespace internal

// A value of the function being traced: a shape, an element type, and a place
// in the traced program. It has no data. Copies are cheap and refer to the same
// value.
//
// A tensor made by a wrong call (shapes that do not fit, an unknown axis) is
// *poisoned*: it can be used further, everything made from it is poisoned too,
// and the first error is what compiling the function returns.
//
// Belongs to the thread that traces.
class Tensor {
 public:
  // Poisoned.
  Tensor() = default;

  // Of a poisoned tensor: a scalar of float32.
  const Shape& shape() const;
  ElementType dtype() const { return shape().element_type(); }
  int64_t rank() const { return shape().rank(); }
  int64_t size() const { return shape().element_count(); }
  // Negative: counted from the last. A dimension that is not there is an error
  // of the traced function, and 1, as is every one of a poisoned tensor.
  int64_t dim(int64_t i,
              SourceLocation location = SourceLocation::current()) const;
  bool is_poisoned() const { return value_ == nullptr; }

  // NumPy's operators; see elementwise.h.
  Tensor& operator+=(const Operand& other);
  Tensor& operator-=(const Operand& other);
  Tensor& operator*=(const Operand& other);
  Tensor& operator/=(const Operand& other);

  // For the tracer.
  Tensor(std::shared_ptr<internal::Trace> trace, internal::TraceValue* value)
      : trace_(std::move(trace)), value_(value) {}
  const std::shared_ptr<internal::Trace>& trace() const { return trace_; }
  internal::TraceValue* value() const { return value_; }

 private:
  std::shared_ptr<internal::Trace> trace_;
  internal::TraceValue* value_ = nullptr;  // owned by trace_
};

template <typename T>
concept HostScalar =
    std::is_arithmetic_v<T> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

// An operand of a traced operation: a tensor, or a C++ number. Made implicitly
// where an operation is called, and remembers that place in the user's source
// for messages. A number is *weakly typed*: beside a tensor it takes the
// tensor's element type when that can hold its kind (x + 1.0 stays f16), and is
// bool, s32, f32 or complex64 on its own.
class Operand {
 public:
  Operand(const Tensor& tensor,  // NOLINT: implicit, as are the others
          SourceLocation location = SourceLocation::current())
      : tensor_(tensor), location_(location) {}
  template <HostScalar T>
  Operand(T value,  // NOLINT
          SourceLocation location = SourceLocation::current())
      : scalar_(WeakLiteral(value)), location_(location) {}

  bool is_scalar() const { return scalar_.has_value(); }
  const Tensor& tensor() const { return tensor_; }
  // bool, s64, u64, f64 or complex128.
  const Literal& scalar() const { return *scalar_; }
  const SourceLocation& location() const { return location_; }

 private:
  template <typename T>
  static Literal WeakLiteral(T value) {
    if constexpr (std::same_as<T, bool>) {
      return Literal::Scalar(value);
    } else if constexpr (std::floating_point<T>) {
      return Literal::Scalar(static_cast<double>(value));
    } else if constexpr (std::signed_integral<T>) {
      return Literal::Scalar(static_cast<int64_t>(value));
    } else if constexpr (std::unsigned_integral<T>) {
      return Literal::Scalar(static_cast<uint64_t>(value));
    } else {
      return Literal::Scalar(std::complex<double>(value));
    }
  }

  Tensor tensor_;
  std::optional<Literal> scalar_;
  SourceLocation location_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_TENSOR_H_
