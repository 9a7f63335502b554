#include "client/pmap/pmap_options.h"

#include "absl/strings/str_cat.h"

namespace lockstep {

absl::Status MappedAxes::CheckCount(absl::string_view what, int count) const {
  if (!is_list_ || static_cast<int>(axes_.size()) == count) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(what, " has ", axes_.size(), " entries, expected ", count));
}

}  // namespace lockstep
