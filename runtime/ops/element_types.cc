#include "runtime/ops/element_types.h"

#include <utility>
#include <vector>

#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::string ElementTypes::ToString() const {
  static constexpr std::pair<ElementTypes, const char*> kNames[] = {
      {kPredTypes, "i1"},
      {kIntegerTypes, "integer"},
      {kSignedTypes, "signed integer"},
      {kUnsignedTypes, "unsigned integer"},
      {kFloatTypes, "float"},
      {kComplexTypes, "complex"},
  };
  if (*this == kAllTypes) return "any element type";
  std::vector<const char*> names;
  uint32_t rest = bits;
  for (const auto& [types, name] : kNames) {
    if ((rest & types.bits) != types.bits) continue;
    names.push_back(name);
    rest &= ~types.bits;
  }
  return absl::StrJoin(names, " or ");
}

}  // namespace lockstep::internal
