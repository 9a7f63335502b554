#include "runtime/arrays/shard_rows.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

void CopyBytes(std::byte* target, const std::byte* source, int64_t size) {
  if (size > 0) std::memcpy(target, source, static_cast<size_t>(size));
}

}  // namespace

absl::StatusOr<std::vector<Literal>> SplitRows(const LiteralView& whole,
                                               int64_t rows) {
  const Shape& shape = whole.shape();
  if (shape.rank() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an array with leading size ", rows, ", found a scalar"));
  }
  if (shape.dim(0) != rows) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected leading size ", rows, ", found ", shape.ToString()));
  }
  const Shape row_shape(shape.element_type(), shape.dims().subspan(1));
  std::vector<Literal> result;
  result.reserve(static_cast<size_t>(rows));
  for (int64_t k = 0; k < rows; ++k) {
    ASSIGN_OR_RETURN(Literal row, Literal::Allocate(row_shape));
    CopyBytes(row.mutable_bytes(), whole.bytes() + k * row_shape.byte_size(),
              row_shape.byte_size());
    result.push_back(std::move(row));
  }
  return result;
}

absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> ShardRows(
    const LiteralView& whole, absl::Span<const GlobalDeviceId> devices) {
  ASSIGN_OR_RETURN(std::vector<Literal> rows,
                   SplitRows(whole, static_cast<int64_t>(devices.size())));
  std::vector<std::shared_ptr<Buffer>> shards;
  for (size_t k = 0; k < rows.size(); ++k) {
    shards.push_back(std::make_shared<Buffer>(std::move(rows[k]), devices[k]));
  }
  return shards;
}

absl::StatusOr<Literal> StackRows(absl::Span<const LiteralView> rows) {
  if (rows.empty()) {
    return absl::InvalidArgumentError("expected at least one row, found none");
  }
  const Shape& row_shape = rows[0].shape();
  for (size_t k = 1; k < rows.size(); ++k) {
    if (rows[k].shape() == row_shape) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "expected rows of one shape, row 0 is ", row_shape.ToString(), ", row ",
        k, " is ", rows[k].shape().ToString()));
  }
  Dims dims = {static_cast<int64_t>(rows.size())};
  dims.insert(dims.end(), row_shape.dims().begin(), row_shape.dims().end());
  ASSIGN_OR_RETURN(Shape shape, Shape::Create(row_shape.element_type(), dims));
  ASSIGN_OR_RETURN(Literal whole, Literal::Allocate(shape));
  const int64_t row_bytes = row_shape.byte_size();
  for (size_t k = 0; k < rows.size(); ++k) {
    CopyBytes(whole.mutable_bytes() + static_cast<int64_t>(k) * row_bytes,
              rows[k].bytes(), row_bytes);
  }
  return whole;
}

absl::StatusOr<Literal> StackShards(
    absl::Span<const std::shared_ptr<Buffer>> shards) {
  std::vector<LiteralView> rows;
  rows.reserve(shards.size());
  for (const std::shared_ptr<Buffer>& shard : shards) {
    RETURN_IF_ERROR(shard->Await());
    ASSIGN_OR_RETURN(LiteralView row, shard->View());
    rows.push_back(row);
  }
  return StackRows(rows);
}

}  // namespace lockstep
