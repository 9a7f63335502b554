#include "runtime/mesh/builders/torus_assignment.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using internal::ListText;
using internal::ProductOf;

absl::Status CheckSizes(absl::Span<const int64_t> physical,
                        absl::Span<const int64_t> logical) {
  for (absl::Span<const int64_t> sizes : {physical, logical}) {
    for (int64_t size : sizes) {
      if (size >= 1) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("sizes ", ListText(sizes), " of a mesh are below 1"));
    }
  }
  if (ProductOf(physical) == ProductOf(logical)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("mesh ", ListText(logical), " takes ", ProductOf(logical),
                   " devices, the torus ", ListText(physical), " has ",
                   ProductOf(physical)));
}

// The first subset of `axes` whose sizes multiply to `product`, larger subsets
// first, then in lexicographic order; none also when that is the empty one.
std::optional<std::vector<int64_t>> AxesWithProduct(
    absl::Span<const int64_t> axes, absl::Span<const int64_t> sizes,
    int64_t product) {
  std::optional<std::vector<int64_t>> best;
  for (uint32_t subset = 1; subset < uint32_t{1} << axes.size(); ++subset) {
    std::vector<int64_t> chosen;
    int64_t chosen_product = 1;
    for (size_t i = 0; i < axes.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      chosen.push_back(axes[i]);
      chosen_product *= sizes[axes[i]];
    }
    if (chosen_product != product) continue;
    if (!best.has_value() || chosen.size() > best->size() ||
        (chosen.size() == best->size() && chosen < *best)) {
      best = std::move(chosen);
    }
  }
  return best;
}

// Calls `visit` with every vector whose elements divide those of `remaining`
// and multiply to `size`.
void ForEachSplit(absl::Span<const int64_t> remaining, int64_t size,
                  std::vector<int64_t>& split,
                  const std::function<void()>& visit) {
  const size_t axis = split.size();
  if (axis == remaining.size()) {
    if (size == 1) visit();
    return;
  }
  for (int64_t part = 1; part <= std::min(size, remaining[axis]); ++part) {
    if (remaining[axis] % part != 0 || size % part != 0) continue;
    split.push_back(part);
    ForEachSplit(remaining, size / part, split, visit);
    split.pop_back();
  }
}

// What S-3 maximises, the most important first.
using Preference = std::tuple<int64_t, int64_t, int64_t, std::vector<int64_t>>;

Preference PreferenceOf(const std::vector<int64_t>& split,
                        absl::Span<const int64_t> physical,
                        absl::Span<const int64_t> remaining) {
  int64_t whole_product = 1;
  int64_t whole_count = 0;
  int64_t shared_product = 1;
  for (size_t axis = 0; axis < split.size(); ++axis) {
    if (split[axis] == physical[axis]) {
      whole_product *= split[axis];
      if (split[axis] > 1) ++whole_count;
    }
    if (remaining[axis] < physical[axis]) shared_product *= split[axis];
  }
  return {whole_product, whole_count, shared_product, split};
}

}  // namespace

absl::StatusOr<TorusAssignment> AssignTorusAxes(
    absl::Span<const int64_t> physical, absl::Span<const int64_t> logical) {
  RETURN_IF_ERROR(CheckSizes(physical, logical));
  TorusAssignment assignment;
  assignment.matrix.assign(physical.size(),
                           std::vector<int64_t>(logical.size(), 1));
  std::vector<int64_t> free_axes(physical.size());
  for (size_t i = 0; i < free_axes.size(); ++i) {
    free_axes[i] = static_cast<int64_t>(i);
  }
  for (size_t axis = logical.size(); axis-- > 0;) {
    const auto chosen = AxesWithProduct(free_axes, physical, logical[axis]);
    if (!chosen.has_value()) {
      if (logical[axis] == 1) continue;
      std::vector<int64_t> remaining;
      for (int64_t free_axis : free_axes) {
        remaining.push_back(physical[free_axis]);
      }
      return absl::UnimplementedError(absl::StrCat(
          "axis ", axis, " of size ", logical[axis], " of the mesh ",
          ListText(logical), " is no product of whole axes of the torus ",
          ListText(physical), ", of which ", ListText(remaining),
          " remain; it may be allowed to split the axes of the torus"));
    }
    for (int64_t taken : *chosen) {
      assignment.matrix[taken][axis] = physical[taken];
      std::erase(free_axes, taken);
    }
  }
  return assignment;
}

absl::StatusOr<TorusAssignment> AssignSplitTorusAxes(
    absl::Span<const int64_t> physical, absl::Span<const int64_t> logical) {
  RETURN_IF_ERROR(CheckSizes(physical, logical));
  TorusAssignment assignment;
  assignment.matrix.assign(physical.size(),
                           std::vector<int64_t>(logical.size(), 1));
  std::vector<int64_t> remaining(physical.begin(), physical.end());
  for (size_t axis = logical.size(); axis-- > 0;) {
    std::optional<Preference> best;
    std::vector<int64_t> split;
    ForEachSplit(remaining, logical[axis], split, [&] {
      Preference preference = PreferenceOf(split, physical, remaining);
      if (!best.has_value() || preference > *best) best = std::move(preference);
    });
    // There is one: what remains is the product of the logical sizes that do.
    const std::vector<int64_t>& chosen = std::get<3>(*best);
    for (size_t i = 0; i < chosen.size(); ++i) {
      assignment.matrix[i][axis] = chosen[i];
      remaining[i] /= chosen[i];
    }
  }
  return assignment;
}

namespace internal {

IndexGrid ArrangeTorus(const TorusAssignment& assignment,
                       absl::Span<const int64_t> logical) {
  std::vector<int64_t> dims;
  for (const std::vector<int64_t>& row : assignment.matrix) {
    dims.insert(dims.end(), row.begin(), row.end());
  }
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < logical.size(); ++axis) {
    for (size_t i = 0; i < assignment.matrix.size(); ++i) {
      permutation.push_back(static_cast<int64_t>(i * logical.size() + axis));
    }
  }
  return IndexGrid::Iota(std::move(dims))
      .Transposed(permutation)
      .Reshaped({logical.begin(), logical.end()});
}

}  // namespace internal

}  // namespace lockstep
