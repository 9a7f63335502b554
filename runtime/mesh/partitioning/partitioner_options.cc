#include "runtime/mesh/partitioning/partitioner_options.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

absl::Status CheckPartitionerOptions(const PartitionerOptions& options) {
  const int64_t partitions = options.num_partitions;
  const std::vector<int64_t>& submesh = options.model_parallel_submesh;
  if (partitions < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_partitions is negative: ", partitions));
  }
  if (submesh.empty()) {
    if (partitions > 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "expected num_partitions or model_parallel_submesh, found neither");
  }
  if (submesh.size() != 4) {
    internal::LogError(absl::StrCat(
        "expected a model_parallel_submesh of 4 sizes, for hardware "
        "coordinates (x, y, z, core), found ",
        internal::TupleText(submesh)));
  }
  if (partitions > 0) {
    internal::LogError(absl::StrCat("num_partitions ", partitions,
                                    " is ignored, since there is a "
                                    "model_parallel_submesh ",
                                    internal::TupleText(submesh)));
  }
  return absl::OkStatus();
}

}  // namespace lockstep
