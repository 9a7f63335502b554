#include "runtime/sharding/axis_list.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace lockstep::internal {
namespace {

void EraseFrom(size_t position, std::vector<AxisRef>& axes) {
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(position), axes.end());
}

// What is left of the parts of an axis without `other`.
std::vector<AxisRef> PartsWithout(absl::Span<const AxisRef> parts,
                                  const AxisRef& other,
                                  const AbstractMesh& mesh) {
  std::vector<AxisRef> left;
  for (const AxisRef& part : parts) {
    if (!part.Overlaps(other) || !part.CanCoexistWith(other)) {
      left.push_back(part);
      continue;
    }
    if (auto prefix = part.PrefixWithout(other)) left.push_back(*prefix);
    if (auto suffix = part.SuffixWithout(other, mesh)) left.push_back(*suffix);
  }
  return left;
}

}  // namespace

int64_t ShardCount(absl::Span<const AxisRef> axes, const AbstractMesh& mesh) {
  int64_t count = 1;
  for (const AxisRef& axis : axes) count *= axis.Size(mesh);
  return count;
}

void AppendAxes(absl::Span<const AxisRef> more, const AbstractMesh& mesh,
                std::vector<AxisRef>& axes) {
  if (more.empty()) return;
  const std::optional<AxisRef> merged =
      axes.empty() ? std::nullopt : axes.back().Merge(more.front(), mesh);
  if (merged.has_value()) {
    axes.back() = *merged;
    more.remove_prefix(1);
  }
  axes.insert(axes.end(), more.begin(), more.end());
}

bool AnyConflict(absl::Span<const AxisRef> axes,
                 absl::Span<const AxisRef> others) {
  return std::ranges::any_of(axes, [&](const AxisRef& axis) {
    return std::ranges::any_of(others, [&](const AxisRef& other) {
      return axis.Overlaps(other) || !axis.CanCoexistWith(other);
    });
  });
}

std::optional<AxisRef> PrefixWithout(absl::Span<const AxisRef> others,
                                     std::optional<AxisRef> axis) {
  for (const AxisRef& other : others) {
    if (!axis.has_value() || !axis->CanCoexistWith(other)) return std::nullopt;
    axis = axis->PrefixWithout(other);
  }
  return axis;
}

bool TruncateBefore(absl::Span<const AxisRef> others,
                    std::vector<AxisRef>& axes) {
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::optional<AxisRef> prefix = PrefixWithout(others, axes[i]);
    if (prefix == axes[i]) continue;
    EraseFrom(i, axes);
    if (prefix.has_value()) axes.push_back(*prefix);
    return true;
  }
  return false;
}

std::vector<AxisRef> DividingPrefix(absl::Span<const AxisRef> axes,
                                    int64_t size, const AbstractMesh& mesh) {
  std::vector<AxisRef> prefix;
  for (const AxisRef& axis : axes) {
    const int64_t axis_size = axis.Size(mesh);
    const int64_t common = std::gcd(axis_size, size);
    if (common < axis_size) {
      if (common > 1) {
        prefix.emplace_back(axis.name(), axis.pre_size(), common);
      }
      break;
    }
    prefix.push_back(axis);
    size /= common;
  }
  return prefix;
}

std::vector<AxisRef> CommonPrefix(absl::Span<const AxisRef> axes,
                                  absl::Span<const AxisRef> others) {
  const auto [end, other] = std::ranges::mismatch(axes, others);
  std::vector<AxisRef> common(axes.begin(), end);
  if (end != axes.end() && other != others.end()) {
    if (auto prefix = end->CommonPrefix(*other)) common.push_back(*prefix);
  }
  return common;
}

std::vector<AxisRef> AxesWithout(absl::Span<const AxisRef> axes,
                                 absl::Span<const AxisRef> others,
                                 const AbstractMesh& mesh) {
  std::vector<AxisRef> left;
  for (const AxisRef& axis : axes) {
    std::vector<AxisRef> parts = {axis};
    for (const AxisRef& other : others) {
      parts = PartsWithout(parts, other, mesh);
    }
    left.insert(left.end(), parts.begin(), parts.end());
  }
  return left;
}

std::vector<AxisRef> SortedAndMerged(std::vector<AxisRef> axes,
                                     const AbstractMesh& mesh) {
  std::ranges::sort(axes, [&](const AxisRef& a, const AxisRef& b) {
    return IsBefore(a, b, mesh);
  });
  std::vector<AxisRef> merged;
  for (const AxisRef& axis : axes) AppendAxes({axis}, mesh, merged);
  return merged;
}

}  // namespace lockstep::internal
