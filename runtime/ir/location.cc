#include "runtime/ir/location.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string Location::ToString() const {
  if (line == 0) return "<unknown>";
  std::string place =
      absl::StrCat(file == nullptr ? "<unknown>" : *file, ":", line);
  if (column != 0) absl::StrAppend(&place, ":", column);
  if (source == nullptr) return place;
  return absl::StrCat(source->ToString(), " (", place, ")");
}

absl::Status ErrorAt(const Location& location, absl::StatusCode code,
                     absl::string_view message) {
  return absl::Status(code, absl::StrCat(location.ToString(), ": ", message));
}

absl::Status InvalidAt(const Location& location, absl::string_view message) {
  return ErrorAt(location, absl::StatusCode::kInvalidArgument, message);
}

}  // namespace lockstep::internal
