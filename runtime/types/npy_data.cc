#include "runtime/types/npy_data.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/types/canonical_elements.h"

namespace lockstep::internal {
namespace {

// `target` in row-major, `source` in column-major order.
void CopyFromFortranOrder(const std::byte* source, const Shape& shape,
                          std::byte* target) {
  const int64_t size = ByteSize(shape.element_type());
  Dims strides(shape.rank());
  int64_t stride = size;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    strides[i] = stride;
    stride *= shape.dim(i);
  }
  Dims index(shape.rank());
  int64_t offset = 0;
  for (int64_t n = 0; n < shape.element_count(); ++n) {
    std::memcpy(target + n * size, source + offset, size);
    for (int64_t i = shape.rank() - 1; i >= 0; --i) {
      offset += strides[i];
      if (++index[i] < shape.dim(i)) break;
      offset -= strides[i] * index[i];
      index[i] = 0;
    }
  }
}

void ReverseBytes(absl::Span<std::byte> bytes, int64_t size) {
  for (auto it = bytes.begin(); it != bytes.end(); it += size) {
    std::reverse(it, it + size);
  }
}

}  // namespace

absl::StatusOr<Literal> ReadNpyData(
    const NpyHeader& header, int64_t data_bytes,
    absl::FunctionRef<absl::Status(std::byte*)> read) {
  const Shape& shape = header.shape;
  if (data_bytes != shape.byte_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("npy: expected ", shape.byte_size(), " bytes of data for ",
                     shape.ToString(), ", found ", data_bytes));
  }
  ASSIGN_OR_RETURN(Literal literal, Literal::Allocate(shape));
  if (data_bytes == 0) return literal;
  if (header.is_fortran_order) {
    ASSIGN_OR_RETURN(Literal columns,
                     Literal::Allocate(Shape(ElementType::kU8, {data_bytes})));
    RETURN_IF_ERROR(read(columns.mutable_bytes()));
    CopyFromFortranOrder(columns.bytes(), shape, literal.mutable_bytes());
  } else {
    RETURN_IF_ERROR(read(literal.mutable_bytes()));
  }
  const absl::Span<std::byte> elements = literal.mutable_view().byte_span();
  if (header.is_big_endian) {
    ReverseBytes(elements, ByteSize(RealType(shape.element_type())));
  }
  CanonicalizeElements(literal.mutable_view());
  return literal;
}

}  // namespace lockstep::internal
