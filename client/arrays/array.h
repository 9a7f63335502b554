#ifndef LOCKSTEP_CLIENT_ARRAYS_ARRAY_H_
#define LOCKSTEP_CLIENT_ARRAYS_ARRAY_H_

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
#include "client/arrays/array_layout.h"
#include "client/arrays/sharding.h"
#include "client/arrays/view.h"
#include "runtime/mesh/shard_index.h"
#include "runtime/types/literal.h"

namespace lockstep {

struct ArrayShard;

// A value outside of programs. Either in host memory; or rows on devices, what
// mapped functions take and give; or of global shape, laid out over a mesh by a
// NamedSharding. On devices it may still be being computed.
//
// In the host view rows are those of this host's devices, and of an array of
// global shape only the shards on this host's devices are here: they are
// *addressable*. In the global view all of them are.
//
// Operations on arrays (array_operations.h) that fail give an array which
// carries their error: a scalar of float32 to which Await and Fetch give that.
//
// Immutable, cheap to copy (copies share), thread-safe. Ends on the devices
// when the last copy goes, or when it is donated to a launch; reading it then
// is FAILED_PRECONDITION. So is reading one that was moved from.
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
  // Shards of an array of global shape: those on the devices of the mesh that
  // are addressable, in the order of the mesh.
  Array(std::shared_ptr<const internal::ArrayLayout> layout,
        std::shared_ptr<internal::Shards> shards);

  const Shape& shape() const { return shape_; }
  ElementType dtype() const { return shape_.element_type(); }
  int64_t rank() const { return shape_.rank(); }
  int64_t size() const { return shape_.element_count(); }
  // Negative: counted from the last. Throws std::out_of_range for a dimension
  // that is not there.
  int64_t dim(int64_t i) const;

  Sharding sharding() const;
  // Devices with an addressable shard, in the order of the mesh, or of the
  // rows; empty for a host value.
  std::vector<GlobalDeviceId> devices() const;
  // All its devices are. True for a host value.
  bool is_fully_addressable() const;
  // Every device has the whole value. True for a host value.
  bool is_fully_replicated() const;
  // Whether Fetch asks no more than what is here (spec M-3): the addressable
  // shards hold every part of the value.
  bool is_fetchable() const;
  // The addressable shards, in the order of devices(); none of a host value.
  std::vector<ArrayShard> addressable_shards() const;
  // The same of all devices, in the order of the mesh: those that are not
  // addressable have no data.
  std::vector<ArrayShard> global_shards() const;
  // The i-th of the addressable shards. FAILED_PRECONDITION when there is none
  // at all, with the hosts that have them; INVALID_ARGUMENT when there are
  // fewer.
  absl::StatusOr<Array> addressable_data(int64_t i) const;
  // Bytes of all shards of all hosts.
  int64_t on_device_size_in_bytes() const;

  bool is_ready() const;
  // Waits. OK, or the error of the launch that should have computed the
  // addressable shards: ABORTED names the host at fault.
  absl::Status Await(absl::Time deadline = absl::InfiniteFuture()) const;
  // Waits, then the value. Where that is one large shard in memory that the
  // host may read, it is not copied; a launch that the array is donated to
  // meanwhile gets a copy. FAILED_PRECONDITION unless is_fetchable(): says how
  // much of it is here, and which hosts have the rest.
  absl::StatusOr<Literal> Fetch() const;
  // The elements, row-major. INVALID_ARGUMENT when T is not the element type.
  template <typename T>
  absl::StatusOr<std::vector<T>> ToVector() const;
  // Waits. NumPy's layout: "[28 29 30 31]".
  absl::StatusOr<std::string> ToString() const;
  // Which part is where, here and elsewhere; for people. Does not wait.
  std::string Describe() const;

  // For the library.
  const std::shared_ptr<internal::Shards>& shards() const { return shards_; }
  const RowPlacement& placement() const { return placement_; }
  // Null: not over a mesh.
  const std::shared_ptr<const internal::ArrayLayout>& layout() const {
    return layout_;
  }
  // An array that an operation should have made, and its error instead: what
  // reading it gives, and everything made from it. `devices` of `view`: those
  // of the operation, where other hosts may have the array and go on with it.
  static Array Failed(absl::Status error,
                      const std::shared_ptr<internal::View>& view = nullptr,
                      std::vector<GlobalDeviceId> devices = {});
  struct Error {
    absl::Status error;
    std::weak_ptr<internal::View> view;
    std::vector<GlobalDeviceId> devices;
  };
  const Error* failure() const { return failure_.get(); }
  // That error; FAILED_PRECONDITION: it was moved from.
  absl::Status CheckUsable() const;
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
  // The rows, or the one shard, follow each other in the value.
  bool IsInOrder() const;
  // Of the shards that the value is made of, among the addressable ones.
  std::vector<int64_t> FetchedPositions() const;
  absl::Status CheckFetchable() const;
  // Where their elements lie in it.
  std::vector<internal::Box> FetchedBoxes() const;
  absl::StatusOr<Literal> FetchBoxes() const;
  // The value, which is one shard.
  absl::StatusOr<Literal> FetchShard(absl::Span<const int64_t> position) const;
  ArrayShard ShardAt(int64_t i) const;  // of the addressable ones
  // "float32, (8, 2), NamedSharding(..)".
  std::string Signature() const;
  static absl::Status CheckCount(ElementType type,
                                 const std::vector<int64_t>& dims,
                                 size_t count);
  absl::Status CheckElementType(ElementType type) const;

  Shape shape_;
  std::shared_ptr<const Error> failure_;  // mostly null
  std::shared_ptr<const Literal> host_value_;
  std::shared_ptr<internal::Shards> shards_;
  RowPlacement placement_;
  std::shared_ptr<const internal::ArrayLayout> layout_;
};

// What one device has of an array.
struct ArrayShard {
  GlobalDeviceId device;
  // The part of the array; a mapped dimension is one row of it, and not a
  // dimension of the data.
  ShardIndex index;
  // Which of the copies of that part, from 0.
  int64_t replica_id = 0;
  // An array on that device alone; none: it is on another host.
  std::optional<Array> data;
};

// The value, for which it waits; "Array(shape=(8, 2), dtype=float32)" when it
// is not all here, with ": <error>" in it when there is none.
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

#endif  // LOCKSTEP_CLIENT_ARRAYS_ARRAY_H_
