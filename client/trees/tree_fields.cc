#include "client/trees/tree_fields.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {

std::vector<std::string> SplitFieldNames(absl::string_view names) {
  std::vector<std::string> result;
  for (absl::string_view name : absl::StrSplit(names, ',')) {
    result.emplace_back(absl::StripAsciiWhitespace(name));
  }
  return result;
}

}  // namespace lockstep::internal
