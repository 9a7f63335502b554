#include "runtime/mesh/partitioning/logical_axis_names.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {

std::string LogicalAxisNames::ToString() const {
  return absl::StrCat(
      "AxisNames(",
      absl::StrJoin(names_, ", ",
                    [](std::string* out, const SpecEntry& name) {
                      absl::StrAppend(out, name.ToString());
                    }),
      names_.size() == 1 ? ",)" : ")");
}

}  // namespace lockstep
