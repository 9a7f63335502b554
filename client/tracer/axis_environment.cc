#include "client/tracer/axis_environment.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {
namespace {

std::string Quoted(absl::Span<const std::string> names) {
  return absl::StrJoin(names, ", ", [](std::string* out, const auto& name) {
    absl::StrAppend(out, "'", name, "'");
  });
}

absl::Status UnboundAxis(absl::string_view axis,
                         const std::vector<std::string>& names) {
  std::vector<std::string> bound;
  for (const std::string& name : names) {
    if (!name.empty()) bound.push_back(name);
  }
  return absl::NotFoundError(absl::StrCat(
      "axis '", axis,
      "' is not bound; bound axes: ", bound.empty() ? "none" : Quoted(bound)));
}

}  // namespace

AxisEnvironment AxisEnvironment::OneAxis(absl::string_view name, int64_t size) {
  return {.replica_count = size, .names = {std::string(name)}, .sizes = {size}};
}

absl::StatusOr<std::vector<int64_t>> AxisEnvironment::Find(
    absl::Span<const std::string> axes) const {
  std::vector<int64_t> positions;
  for (const std::string& axis : axes) {
    int64_t position = static_cast<int64_t>(names.size()) - 1;
    while (position >= 0 && (axis.empty() || names[position] != axis)) {
      --position;
    }
    if (position < 0) return UnboundAxis(axis, names);
    positions.push_back(position);
  }
  for (size_t i = 0; i < positions.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (positions[i] != positions[j]) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("axis '", axes[i], "' occurs twice in the axes (",
                       Quoted(axes), ")"));
    }
  }
  return positions;
}

}  // namespace lockstep
