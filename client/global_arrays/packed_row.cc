#include "client/global_arrays/packed_row.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/numeric/bits.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

int64_t PackedSize(int64_t bytes) {
  const auto power = static_cast<int64_t>(
      absl::bit_floor(static_cast<uint64_t>(std::max<int64_t>(bytes, 1))));
  const int64_t unit = std::max<int64_t>(power / 8, 4096);
  return (bytes + unit - 1) / unit * unit;
}

int64_t SumOfBytes(absl::Span<const Shape> shapes) {
  int64_t bytes = 0;
  for (const Shape& shape : shapes) bytes += shape.byte_size();
  return bytes;
}

absl::string_view BytesOf(const LiteralView& value) {
  return {reinterpret_cast<const char*>(value.bytes()),
          static_cast<size_t>(value.shape().byte_size())};
}

void Pack(absl::Span<const absl::string_view> values,
          absl::Span<std::byte> row) {
  std::byte* to = row.data();
  for (absl::string_view value : values) {
    if (!value.empty()) std::memcpy(to, value.data(), value.size());
    to += value.size();
  }
}

absl::StatusOr<Literal> PackedRow(absl::Span<const absl::string_view> values,
                                  int64_t size) {
  ASSIGN_OR_RETURN(const Shape shape, Shape::Create(ElementType::kU8, {size}));
  ASSIGN_OR_RETURN(Literal row, Literal::Allocate(shape));
  Pack(values, row.mutable_view().byte_span());
  return row;
}

absl::StatusOr<std::vector<Array>> Unpack(absl::Span<const Shape> shapes,
                                          absl::Span<const std::byte> row) {
  std::vector<Array> values;
  for (const Shape& shape : shapes) {
    ASSIGN_OR_RETURN(Literal value, Literal::Allocate(shape));
    const auto size = static_cast<size_t>(shape.byte_size());
    if (size > 0) std::memcpy(value.mutable_bytes(), row.data(), size);
    row.remove_prefix(size);
    values.push_back(Array(std::move(value)));
  }
  return values;
}

}  // namespace lockstep::internal
