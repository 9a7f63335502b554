#include "runtime/base/at_path.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::Status AtPath(const absl::Status& status, absl::string_view path,
                    absl::string_view below) {
  if (path.empty() && below.empty()) return status;
  const bool has_both = !path.empty() && !below.empty();
  return Annotate(status, absl::StrCat(path, has_both ? "/" : "", below));
}

}  // namespace lockstep::internal
