#ifndef LOCKSTEP_CLIENT_ARRAY_H_
#define LOCKSTEP_CLIENT_ARRAY_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/view.h"
#include "runtime/types/literal.h"

namespace lockstep {

// How rows of an array lie on devices.
struct RowPlacement {
  // The mapped dimension, which has one row per device; none: every device has
  // the whole value.
  std::optional<int64_t> dim;
  // Devices per row: a row lies on so many devices in turn (more than 1 with
  // nested maps).
  int64_t copies = 1;
  friend bool operator==(const RowPlacement&, const RowPlacement&) = default;
};

// A value outside of programs: what mapped functions take and give. Either a
// value in host memory, or rows on devices, which may still be being computed.
// In the host view it has the rows of this host's devices, in the global view
// all rows.
//
// Immutable, cheap to copy (copies share), thread-safe. Ends on the devices
// when the last copy goes, or when it is donated to a launch; reading it then
// is FAILED_PRECONDITION.
class Array {
 public:
  // A float32 scalar 0.
  Array() : Array(Literal()) {}

  // From host values, which are copied; implicit, so that they can be passed
  // where an Array is expected.
  Array(Literal value);  // NOLINT
  template <typename T>
    requires std::is_arithmetic_v<T> && (!std::same_as<T, bool>)
  Array(const std::vector<T>& values)  // NOLINT
      : Array(Vector(absl::MakeConstSpan(values))) {}
  // Array({1.f, 2.f}).
  template <typename T>
    requires std::is_arithmetic_v<T>
  Array(std::initializer_list<T> values)
      : Array(Vector(absl::MakeConstSpan(values.begin(), values.size()))) {}
  // Row-major. INVALID_ARGUMENT when the number of values is not that of
  // `dims`.
  template <typename T>
  static absl::StatusOr<Array> FromValues(const std::vector<int64_t>& dims,
                                          const std::vector<T>& values);

  // Rows on devices.
  Array(std::shared_ptr<internal::Shards> shards, RowPlacement placement);

  const Shape& shape() const { return shape_; }
  ElementType dtype() const { return shape_.element_type(); }
  int64_t rank() const { return shape_.rank(); }
  int64_t size() const { return shape_.element_count(); }
  // Negative: counted from the last. Throws std::out_of_range for a dimension
  // that is not there.
  int64_t dim(int64_t i) const;

  // Devices with a shard, in order of the rows; empty for a host value.
  std::vector<GlobalDeviceId> devices() const;

  bool is_ready() const;
  // Waits. OK, or the error of the launch that should have computed this:
  // ABORTED names the host at fault.
  absl::Status Await(absl::Time deadline = absl::InfiniteFuture()) const;
  // Waits, then the value.
  absl::StatusOr<Literal> Fetch() const;
  // The elements, row-major. INVALID_ARGUMENT when T is not the element type.
  template <typename T>
  absl::StatusOr<std::vector<T>> ToVector() const;
  // Waits. NumPy's layout: "[28 29 30 31]".
  absl::StatusOr<std::string> ToString() const;

  // For the library.
  const std::shared_ptr<internal::Shards>& shards() const { return shards_; }
  const RowPlacement& placement() const { return placement_; }
  // The value in host memory; null when it is on devices.
  const Literal* host_value() const { return host_value_.get(); }
  // As Fetch, but a host value is not copied.
  absl::StatusOr<internal::HostTensor> Share() const;

 private:
  template <typename T>
  static Literal Vector(absl::Span<const T> values) {
    const int64_t size = static_cast<int64_t>(values.size());
    return Literal::FromValues<T>(absl::MakeConstSpan(&size, 1), values);
  }
  // Waits, then the bytes of the value, row-major, in pieces.
  absl::Status Read(const internal::ByteSink& sink) const;
  // Of the shards that the value is made of.
  std::vector<int64_t> FetchedPositions() const;
  static absl::Status CheckCount(ElementType type,
                                 const std::vector<int64_t>& dims,
                                 size_t count);
  absl::Status CheckElementType(ElementType type) const;

  Shape shape_;
  std::shared_ptr<const Literal> host_value_;
  std::shared_ptr<internal::Shards> shards_;
  RowPlacement placement_;
};

// The value; "Array(shape=(8, 2), dtype=float32: <error>)" when there is none.
// Waits.
std::ostream& operator<<(std::ostream& os, const Array& array);

template <typename T>
absl::StatusOr<Array> Array::FromValues(const std::vector<int64_t>& dims,
                                        const std::vector<T>& values) {
  absl::Status status =
      CheckCount(ElementTypeOf<T>::value, dims, values.size());
  if (!status.ok()) return status;
  return Array(Literal::FromValues<T>(absl::MakeConstSpan(dims),
                                      absl::MakeConstSpan(values)));
}

template <typename T>
absl::StatusOr<std::vector<T>> Array::ToVector() const {
  absl::Status status = CheckElementType(ElementTypeOf<T>::value);
  if (!status.ok()) return status;
  std::vector<T> elements;
  elements.reserve(static_cast<size_t>(size()));
  status = Read([&elements](absl::Span<const std::byte> bytes) {
    const T* begin = reinterpret_cast<const T*>(bytes.data());
    elements.insert(elements.end(), begin, begin + bytes.size() / sizeof(T));
  });
  if (!status.ok()) return status;
  return elements;
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_ARRAY_H_
