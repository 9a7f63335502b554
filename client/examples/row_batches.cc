#include "client/examples/row_batches.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/status_macros.h"

namespace lockstep::examples {
namespace {

absl::Status CheckShape(const std::string& path, const Shape& shape,
                        std::optional<int64_t> columns) {
  if (shape.element_type() == ElementType::kF32 && shape.rank() == 2 &&
      shape.dim(1) > 0 && shape.dim(1) == columns.value_or(shape.dim(1))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": expected float32 rows of ",
                   columns.has_value() ? absl::StrCat(*columns) : "some",
                   " columns, found ", shape.ToString()));
}

// `elements` are those of at most `rows` rows.
RowBatch BatchOf(std::vector<float> elements, int64_t rows, int64_t columns) {
  const auto filled = static_cast<int64_t>(elements.size()) / columns;
  std::vector<float> weights(static_cast<size_t>(rows), 0.0f);
  std::fill_n(weights.begin(), filled, 1.0f);
  elements.resize(static_cast<size_t>(rows * columns), 0.0f);
  return {*Array::FromValues({rows, columns}, elements),
          *Array::FromValues({rows, 1}, weights)};
}

}  // namespace

absl::StatusOr<RowCount> CountRows(const std::vector<std::string>& paths) {
  RowCount count;
  std::optional<int64_t> columns;
  for (const std::string& path : paths) {
    LOCKSTEP_ASSIGN_OR_RETURN(const Shape shape, npy_shape(path));
    LOCKSTEP_RETURN_IF_ERROR(CheckShape(path, shape, columns));
    columns = shape.dim(1);
    count.rows += shape.dim(0);
  }
  count.columns = columns.value_or(0);
  return count;
}

RowBatch EmptyBatch(int64_t rows, int64_t columns) {
  return BatchOf({}, rows, columns);
}

RowBatches::RowBatches(std::vector<std::string> paths, int64_t batch_rows,
                       int64_t columns)
    : paths_(std::move(paths)),
      columns_(columns),
      batch_size_(static_cast<size_t>(batch_rows * columns)) {}

absl::StatusOr<std::optional<RowBatch>> RowBatches::Next() {
  while (read_.size() - taken_ < batch_size_ && next_path_ < paths_.size()) {
    LOCKSTEP_RETURN_IF_ERROR(ReadNextFile());
  }
  const size_t count = std::min(batch_size_, read_.size() - taken_);
  if (count == 0) return std::nullopt;
  const float* const begin = read_.data() + taken_;
  std::vector<float> elements(begin, begin + count);
  taken_ += count;
  return BatchOf(std::move(elements),
                 static_cast<int64_t>(batch_size_) / columns_, columns_);
}

absl::Status RowBatches::ReadNextFile() {
  const std::string& path = paths_[next_path_++];
  LOCKSTEP_ASSIGN_OR_RETURN(const Array rows, load_npy(path));
  LOCKSTEP_RETURN_IF_ERROR(CheckShape(path, rows.shape(), columns_));
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<float> elements,
                            rows.ToVector<float>());
  // Once per file, not per batch: what is left is moved to the front.
  read_.erase(read_.begin(),
              read_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
  read_.insert(read_.end(), elements.begin(), elements.end());
  return absl::OkStatus();
}

}  // namespace lockstep::examples
