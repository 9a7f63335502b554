#include "client/arrays/row_layout.h"

#include <cstring>

namespace lockstep::internal {
namespace {

// Runs of bytes that stay together when a dimension is taken out: `count` of
// them per row, `size` bytes each.
struct Runs {
  int64_t count = 1;
  int64_t size = 1;
};

Runs RunsOf(const Shape& row, int64_t dim) {
  Runs runs;
  for (int64_t i = 0; i < dim; ++i) runs.count *= row.dim(i);
  runs.size = ByteSize(row.element_type());
  for (int64_t i = dim; i < row.rank(); ++i) runs.size *= row.dim(i);
  return runs;
}

}  // namespace

Shape RowShape(const Shape& whole, int64_t dim) {
  Dims dims(whole.dims().begin(), whole.dims().end());
  dims.erase(dims.begin() + dim);
  return Shape(whole.element_type(), dims);
}

Shape StackedShape(const Shape& row, int64_t dim, int64_t count) {
  Dims dims(row.dims().begin(), row.dims().end());
  dims.insert(dims.begin() + dim, count);
  return Shape(row.element_type(), dims);
}

std::vector<Literal> SplitAlong(const LiteralView& whole, int64_t dim) {
  const Shape row = RowShape(whole.shape(), dim);
  const int64_t rows = whole.shape().dim(dim);
  const Runs runs = RunsOf(row, dim);
  std::vector<Literal> result;
  for (int64_t r = 0; r < rows; ++r) {
    Literal& literal = result.emplace_back(row);
    for (int64_t i = 0; i < runs.count && runs.size > 0; ++i) {
      std::memcpy(literal.mutable_bytes() + i * runs.size,
                  whole.bytes() + (i * rows + r) * runs.size, runs.size);
    }
  }
  return result;
}

Literal StackAlong(absl::Span<const Literal> rows, int64_t dim) {
  const int64_t count = static_cast<int64_t>(rows.size());
  Literal whole(StackedShape(rows[0].shape(), dim, count));
  const Runs runs = RunsOf(rows[0].shape(), dim);
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t i = 0; i < runs.count && runs.size > 0; ++i) {
      std::memcpy(whole.mutable_bytes() + (i * count + r) * runs.size,
                  rows[r].bytes() + i * runs.size, runs.size);
    }
  }
  return whole;
}

}  // namespace lockstep::internal
