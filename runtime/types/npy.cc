#include "runtime/types/npy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/types/canonical_elements.h"
#include "runtime/types/npy_data.h"
#include "runtime/types/npy_header.h"

namespace lockstep {
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

absl::StatusOr<Literal> ParseNpy(absl::string_view bytes) {
  ASSIGN_OR_RETURN(const NpyHeader header, ParseNpyHeader(bytes));
  const absl::string_view data = bytes.substr(header.data_offset);
  return ReadNpyData(header, static_cast<int64_t>(data.size()),
                     [&](std::byte* target) {
                       std::memcpy(target, data.data(), data.size());
                       return absl::OkStatus();
                     });
}

std::string SerializeNpy(const LiteralView& literal) {
  std::string bytes = FormatNpyHeader(literal.shape());
  bytes.append(reinterpret_cast<const char*>(literal.bytes()),
               literal.shape().byte_size());
  return bytes;
}

}  // namespace lockstep
