#include "runtime/mesh/partition_spec.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

absl::Span<const std::string> SpecEntry::axes() const {
  if (const auto* axis = std::get_if<std::string>(&value_)) {
    return absl::MakeConstSpan(axis, 1);
  }
  if (const auto* axes = std::get_if<AxisTuple>(&value_)) return axes->names;
  return {};
}

std::string SpecEntry::ToString() const {
  if (is_null()) return "None";
  if (is_unconstrained()) return "UNCONSTRAINED";
  if (is_axis()) return internal::QuotedName(axes()[0]);
  return internal::QuotedNames(axes());
}

PartitionSpec PartitionSpec::FromEntries(std::vector<SpecEntry> entries) {
  PartitionSpec spec;
  spec.entries_ = std::move(entries);
  return spec;
}

const SpecEntry& PartitionSpec::entry(int64_t dim) const {
  static const SpecEntry null;
  return dim < size() ? entries_[dim] : null;
}

std::vector<std::string> PartitionSpec::axes() const {
  std::vector<std::string> axes;
  for (const SpecEntry& entry : entries_) {
    axes.insert(axes.end(), entry.axes().begin(), entry.axes().end());
  }
  return axes;
}

std::string PartitionSpec::ToString() const {
  std::vector<std::string> texts;
  for (const SpecEntry& entry : entries_) texts.push_back(entry.ToString());
  return absl::StrCat("PartitionSpec", internal::TupleOfTexts(texts));
}

bool SameAxes(const PartitionSpec& a, const PartitionSpec& b) {
  for (int64_t dim = 0; dim < std::max(a.size(), b.size()); ++dim) {
    if (a.entry(dim).is_unconstrained() != b.entry(dim).is_unconstrained() ||
        a.entry(dim).axes() != b.entry(dim).axes()) {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep
