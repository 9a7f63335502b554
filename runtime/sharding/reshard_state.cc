#include "runtime/sharding/reshard_state.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"

namespace lockstep::internal {
namespace {

// Where parts of an axis begin or end, as pre-sizes; by the name of the axis.
using Cuts = std::map<std::string, std::set<int64_t>>;

void AddCuts(const std::vector<DimSharding>& dims, const AbstractMesh& mesh,
             Cuts& cuts) {
  for (const DimSharding& dim : dims) {
    for (const AxisRef& axis : dim.axes) {
      cuts[axis.name()].insert({axis.pre_size(), axis.NextPreSize(mesh)});
    }
  }
}

void AppendCut(const AxisRef& axis, const std::set<int64_t>& cuts,
               const AbstractMesh& mesh, AxisList& axes) {
  const int64_t end = axis.NextPreSize(mesh);
  int64_t begin = axis.pre_size();
  for (auto cut = cuts.upper_bound(begin); cut != cuts.end() && *cut < end;
       ++cut) {
    axes.emplace_back(axis.name(), begin, *cut / begin);
    begin = *cut;
  }
  if (begin == axis.pre_size()) {
    axes.push_back(axis);
  } else {
    axes.emplace_back(axis.name(), begin, end / begin);
  }
}

std::vector<AxisList> CutDims(const std::vector<DimSharding>& dims,
                              const Cuts& cuts, const AbstractMesh& mesh) {
  std::vector<AxisList> lists;
  for (const DimSharding& dim : dims) {
    AxisList& axes = lists.emplace_back();
    for (const AxisRef& axis : dim.axes) {
      AppendCut(axis, cuts.at(axis.name()), mesh, axes);
    }
  }
  return lists;
}

}  // namespace

int64_t ShardsAlong(const AxisList& axes, const AbstractMesh& mesh) {
  int64_t count = 1;
  for (const AxisRef& axis : axes) count *= axis.Size(mesh);
  return count;
}

void AppendMerged(const AxisRef& axis, const AbstractMesh& mesh,
                  AxisList& axes) {
  std::optional<AxisRef> merged;
  if (!axes.empty()) merged = axes.back().Merge(axis, mesh);
  if (merged.has_value()) {
    axes.back() = *std::move(merged);
  } else {
    axes.push_back(axis);
  }
}

bool SizesDivide(const AxisRef& a, const AxisRef& b, const AbstractMesh& mesh) {
  const auto [low, high] = std::minmax({a.Size(mesh), b.Size(mesh)});
  return high % low == 0;
}

AxisParts TakeWithin(const AxisRef& axis, const AbstractMesh& mesh,
                     int64_t& capacity) {
  AxisParts parts;
  const int64_t size = axis.Size(mesh);
  if (capacity % size == 0) {
    capacity /= size;
    parts.taken = axis;
  } else if (capacity > 1 && size % capacity == 0) {
    const int64_t begin = axis.pre_size();
    parts.taken = AxisRef(axis.name(), begin, capacity);
    parts.rest = AxisRef(axis.name(), begin * capacity, size / capacity);
    capacity = 1;
  } else {
    parts.rest = axis;
  }
  return parts;
}

bool AreEmpty(const std::vector<AxisList>& lists) {
  return absl::c_all_of(lists, [](const AxisList& l) { return l.empty(); });
}

ReshardState::ReshardState(const AbstractMesh& mesh,
                           absl::Span<const int64_t> shape,
                           const std::vector<DimSharding>& from,
                           const std::vector<DimSharding>& to)
    : mesh(&mesh), shape(shape.begin(), shape.end()), settled(from.size()) {
  Cuts cuts;
  AddCuts(from, mesh, cuts);
  AddCuts(to, mesh, cuts);
  in = CutDims(from, cuts, mesh);
  out = CutDims(to, cuts, mesh);
  for (int64_t dim = 0; dim < rank(); ++dim) Settle(dim);
}

bool ReshardState::IsDone() const { return AreEmpty(in) && AreEmpty(out); }

std::vector<DimSharding> ReshardState::Dims() const {
  std::vector<DimSharding> dims(rank());
  for (int64_t dim = 0; dim < rank(); ++dim) {
    for (const AxisList* axes : {&settled[dim], &in[dim]}) {
      for (const AxisRef& axis : *axes) {
        AppendMerged(axis, *mesh, dims[dim].axes);
      }
    }
  }
  return dims;
}

std::optional<ReshardState::Place> ReshardState::TargetOf(
    const AxisRef& axis) const {
  for (int64_t dim = 0; dim < rank(); ++dim) {
    const auto place = absl::c_find(out[dim], axis);
    if (place == out[dim].end()) continue;
    return Place{.dim = dim,
                 .index = static_cast<size_t>(place - out[dim].begin())};
  }
  return std::nullopt;
}

bool ReshardState::IsIn(const AxisRef& axis) const {
  return absl::c_any_of(in, [&](const AxisList& axes) {
    return absl::c_linear_search(axes, axis);
  });
}

void ReshardState::Settle(int64_t dim) {
  const auto [in_end, out_end] = std::ranges::mismatch(in[dim], out[dim]);
  settled[dim].insert(settled[dim].end(), in[dim].begin(), in_end);
  in[dim].erase(in[dim].begin(), in_end);
  out[dim].erase(out[dim].begin(), out_end);
}

AxisList ReshardState::TakeAxes(AxisList& available, int64_t& capacity) {
  AxisList taken;
  AxisList left;
  for (const AxisRef& axis : available) {
    const AxisParts parts = TakeWithin(axis, *mesh, capacity);
    if (parts.taken.has_value()) taken.push_back(*parts.taken);
    if (parts.rest.has_value()) left.push_back(*parts.rest);
    if (parts.taken.has_value() && parts.rest.has_value()) {
      SplitTarget(axis, *parts.taken, *parts.rest);
    }
  }
  available = std::move(left);
  return taken;
}

void ReshardState::SplitTarget(const AxisRef& axis, const AxisRef& prefix,
                               const AxisRef& rest) {
  const std::optional<Place> target = TargetOf(axis);
  if (!target.has_value()) return;
  AxisList& axes = out[target->dim];
  axes[target->index] = rest;
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(target->index),
              prefix);
}

}  // namespace lockstep::internal
