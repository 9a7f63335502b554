#ifndef LOCKSTEP_CLIENT_EXAMPLES_ROW_BATCHES_H_
#define LOCKSTEP_CLIENT_EXAMPLES_ROW_BATCHES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/lockstep.h"

namespace lockstep::examples {

// What some files hold together.
struct RowCount {
  int64_t rows = 0;
  int64_t columns = 0;  // of every file
};

// By the headers alone. `paths` are .npy files, one at least. INVALID_ARGUMENT:
// one is not a matrix of float32, or has other columns than the first.
absl::StatusOr<RowCount> CountRows(const std::vector<std::string>& paths);

// Rows of one host. All batches have the same shapes; the last one is filled up
// with rows of weight 0.
struct RowBatch {
  Array rows;     // f32 [rows, columns]
  Array weights;  // f32 [rows, 1]: 1, or 0 where filled up
};

// The batch of a host that has no more rows.
RowBatch EmptyBatch(int64_t rows, int64_t columns);

// Cuts the rows of files, which follow each other, into batches: a batch may
// begin in one file and end in another. Holds one file and one batch at a time.
// Not thread-safe.
class RowBatches {
 public:
  // Both counts are positive.
  RowBatches(std::vector<std::string> paths, int64_t batch_rows,
             int64_t columns);

  // Nothing: no more rows. Errors of load_npy, which name the file.
  absl::StatusOr<std::optional<RowBatch>> Next();

 private:
  absl::Status ReadNextFile();

  const std::vector<std::string> paths_;
  const int64_t columns_;
  const size_t batch_size_;  // elements
  size_t next_path_ = 0;
  std::vector<float> read_;
  size_t taken_ = 0;  // of these, by batches
};

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_ROW_BATCHES_H_
