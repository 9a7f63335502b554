#ifndef LOCKSTEP_RUNTIME_TYPES_LITERAL_H_
#define LOCKSTEP_RUNTIME_TYPES_LITERAL_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/check.h"
#include "runtime/types/shape.h"

namespace lockstep {

// A shape and its bytes, owned by someone else. Copying copies the pointer.
class LiteralView {
 public:
  LiteralView() = default;
  LiteralView(Shape shape, const std::byte* data)
      : shape_(std::move(shape)), data_(data) {}

  const Shape& shape() const { return shape_; }
  const std::byte* bytes() const { return data_; }
  absl::Span<const std::byte> byte_span() const {
    return {data_, static_cast<size_t>(shape_.byte_size())};
  }
  // The elements, row-major. T must be the shape's native type.
  template <typename T>
  absl::Span<const T> data() const {
    LOCKSTEP_CHECK(ElementTypeOf<T>::value == shape_.element_type());
    // Not braces: for bool they would make a list of two values.
    return absl::Span<const T>(reinterpret_cast<const T*>(data_),
                               static_cast<size_t>(shape_.element_count()));
  }

 private:
  Shape shape_;
  const std::byte* data_ = nullptr;
};

class MutableLiteralView {
 public:
  MutableLiteralView() = default;
  MutableLiteralView(Shape shape, std::byte* data)
      : shape_(std::move(shape)), data_(data) {}

  operator LiteralView() const { return LiteralView(shape_, data_); }
  const Shape& shape() const { return shape_; }
  std::byte* bytes() const { return data_; }
  absl::Span<std::byte> byte_span() const {
    return {data_, static_cast<size_t>(shape_.byte_size())};
  }
  template <typename T>
  absl::Span<T> data() const {
    LOCKSTEP_CHECK(ElementTypeOf<T>::value == shape_.element_type());
    return absl::Span<T>(reinterpret_cast<T*>(data_),
                         static_cast<size_t>(shape_.element_count()));
  }

 private:
  Shape shape_;
  std::byte* data_ = nullptr;
};

// A tensor in host memory. Owns its bytes (aligned to 64), or shares them with
// others until it is changed; moves are cheap, copies copy what is owned. Not
// synchronised.
class Literal {
 public:
  Literal() : Literal(Shape()) {}
  // Zeros. For shapes known to be small; memory that is missing ends the
  // process. Shapes from users go through Allocate.
  explicit Literal(const Shape& shape);
  // Zeros; RESOURCE_EXHAUSTED with the bytes needed when there is no memory.
  static absl::StatusOr<Literal> Allocate(const Shape& shape);
  Literal(const Literal& other);
  Literal(Literal&&) noexcept = default;
  Literal& operator=(const Literal& other);
  Literal& operator=(Literal&&) noexcept = default;

  static Literal CopyOf(const LiteralView& view);
  // Bytes that nobody changes while `owner` is there: they are copied before
  // they are changed through this one. Copies share them too.
  static Literal Share(const LiteralView& view,
                       std::shared_ptr<const void> owner);
  // A scalar.
  template <typename T>
  static Literal Scalar(T value);
  // `values` in row-major order; their number must be that of `dims`.
  template <typename T>
  static Literal FromValues(absl::Span<const int64_t> dims,
                            absl::Span<const T> values);
  template <typename T>
  static Literal FromValues(std::initializer_list<int64_t> dims,
                            std::initializer_list<T> values) {
    return FromValues<T>(absl::MakeConstSpan(dims.begin(), dims.size()),
                         absl::MakeConstSpan(values.begin(), values.size()));
  }

  const Shape& shape() const { return shape_; }
  bool is_shared() const { return data_.get_deleter().owner != nullptr; }
  const std::byte* bytes() const { return data_.get(); }
  std::byte* mutable_bytes() {
    if (is_shared()) *this = CopyOf(view());
    return data_.get();
  }
  absl::Span<const std::byte> byte_span() const {
    return {data_.get(), static_cast<size_t>(shape_.byte_size())};
  }
  LiteralView view() const { return LiteralView(shape_, data_.get()); }
  MutableLiteralView mutable_view() {
    return MutableLiteralView(shape_, mutable_bytes());
  }
  operator LiteralView() const { return view(); }

  template <typename T>
  absl::Span<const T> data() const {
    LOCKSTEP_CHECK(ElementTypeOf<T>::value == shape_.element_type());
    return absl::Span<const T>(reinterpret_cast<const T*>(data_.get()),
                               static_cast<size_t>(shape_.element_count()));
  }
  template <typename T>
  absl::Span<T> mutable_data() {
    LOCKSTEP_CHECK(ElementTypeOf<T>::value == shape_.element_type());
    return absl::Span<T>(reinterpret_cast<T*>(mutable_bytes()),
                         static_cast<size_t>(shape_.element_count()));
  }

  // Same element type, dims and bits.
  friend bool operator==(const Literal& a, const Literal& b);

 private:
  struct Free {
    void operator()(std::byte* p) const;

    std::shared_ptr<const void> owner;  // null: the literal
  };
  Literal(const Shape& shape, std::byte* data, Free free = {})
      : shape_(shape), data_(data, std::move(free)) {}

  Shape shape_;
  std::unique_ptr<std::byte[], Free> data_;
};

// NumPy's layout of the values: "[[1 2]\n [3 4]]"; long arrays are shortened
// with "...". Floats with the fewest digits that read back to the same value.
std::string ToString(const LiteralView& literal);

template <typename T>
Literal Literal::Scalar(T value) {
  return FromValues<T>(absl::Span<const int64_t>(), absl::MakeSpan(&value, 1));
}

template <typename T>
Literal Literal::FromValues(absl::Span<const int64_t> dims,
                            absl::Span<const T> values) {
  Literal literal(Shape(ElementTypeOf<T>::value, dims));
  LOCKSTEP_CHECK(static_cast<int64_t>(values.size()) ==
                 literal.shape().element_count());
  std::copy(values.begin(), values.end(), literal.mutable_data<T>().begin());
  return literal;
}

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_LITERAL_H_
