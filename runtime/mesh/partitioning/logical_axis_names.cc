#include "runtime/mesh/partitioning/logical_axis_names.h"

#include "absl/strings/str_cat.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

std::string LogicalAxisNames::ToString() const {
  std::vector<std::string> texts;
  for (const SpecEntry& name : names_) texts.push_back(name.ToString());
  return absl::StrCat("AxisNames", internal::TupleOfTexts(texts));
}

}  // namespace lockstep
