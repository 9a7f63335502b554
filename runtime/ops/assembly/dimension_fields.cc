#include "runtime/ops/assembly/dimension_fields.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {

absl::StatusOr<DimensionFields> ParseDimensionFields(absl::string_view text) {
  DimensionFields fields;
  std::string name;
  for (absl::string_view part :
       absl::StrSplit(text, absl::ByAnyChar(" \t\n\r,[]="))) {
    if (part.empty()) continue;
    int64_t value;
    if (!absl::SimpleAtoi(part, &value)) {
      name = std::string(part);
      fields[name];
    } else if (!name.empty()) {
      fields[name].push_back(value);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("expected a field's name, found ", part));
    }
  }
  return fields;
}

}  // namespace lockstep::internal
