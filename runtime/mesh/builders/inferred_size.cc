#include "runtime/mesh/builders/inferred_size.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {

absl::StatusOr<std::vector<int64_t>> InferSize(absl::Span<const int64_t> sizes,
                                               int64_t count) {
  const auto invalid = [&](absl::string_view problem) {
    return absl::InvalidArgumentError(absl::StrCat(
        "mesh sizes ", ListText(sizes), " ", problem, " ", count, " devices"));
  };
  if (std::count(sizes.begin(), sizes.end(), -1) > 1) {
    return invalid("have more than one -1 to infer for");
  }
  int64_t left = count;
  for (int64_t size : sizes) {
    if (size == -1) continue;
    if (size < 1 || left < 1 || left % size != 0) {
      return invalid("do not divide");
    }
    left /= size;
  }
  std::vector<int64_t> result(sizes.begin(), sizes.end());
  const auto inferred = std::find(result.begin(), result.end(), -1);
  if (inferred != result.end()) {
    *inferred = left;
  } else if (left != 1) {
    return invalid("do not make up");
  }
  return result;
}

}  // namespace lockstep::internal
