#include "client/jit/sample_shapes.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

SampleShapes::SampleShapes(const JitArguments& samples) {
  for (const ArgumentLeafValue& leaf : samples.leaves) {
    leaves_.push_back({leaf.path, leaf.value.shape()});
  }
}

absl::Status SampleShapes::Check(const JitArguments& arguments) const {
  for (size_t i = 0; i < leaves_.size() && i < arguments.leaves.size(); ++i) {
    const ArgumentLeafValue& found = arguments.leaves[i];
    if (found.path == leaves_[i].path &&
        found.value.shape() == leaves_[i].shape) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("the function was compiled for argument ", leaves_[i].path,
                     ": ", leaves_[i].shape.ToString(), ", found argument ",
                     found.path, ": ", found.value.shape().ToString()));
  }
  if (leaves_.size() == arguments.leaves.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the function was compiled for ", leaves_.size(),
                   " arrays, found ", arguments.leaves.size()));
}

}  // namespace lockstep::internal
