#include "client/eager/reduction_layout.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Devices that differ in nothing but their places along `axes`.
ReplicaGroups GroupsAlong(const AbstractMesh& mesh,
                          const std::vector<std::string>& axes) {
  // By the places along all other axes.
  std::map<std::vector<int64_t>, std::vector<int64_t>> groups;
  for (int64_t position = 0; position < mesh.size(); ++position) {
    std::vector<int64_t> others;
    int64_t rest = position;
    for (int64_t i = mesh.rank() - 1; i >= 0; --i) {
      const MeshAxis& axis = mesh.axes()[i];
      if (std::count(axes.begin(), axes.end(), axis.name) == 0) {
        others.push_back(rest % axis.size);
      }
      rest /= axis.size;
    }
    groups[others].push_back(position);
  }
  ReplicaGroups result;
  for (auto& [others, positions] : groups) {
    result.push_back(std::move(positions));
  }
  return result;
}

}  // namespace

std::vector<int64_t> AscendingDims(absl::Span<const int64_t> dims,
                                   int64_t rank) {
  std::vector<int64_t> ascending;
  for (int64_t dim : dims) ascending.push_back(dim < 0 ? dim + rank : dim);
  std::sort(ascending.begin(), ascending.end());
  ascending.erase(std::unique(ascending.begin(), ascending.end()),
                  ascending.end());
  return ascending;
}

absl::StatusOr<ReductionLayout> LayReduction(const NamedSharding& operand,
                                             int64_t rank,
                                             absl::Span<const int64_t> dims,
                                             bool keep_dims) {
  std::vector<SpecEntry> entries;
  std::vector<std::string> reduced;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const SpecEntry& entry = operand.spec().entry(dim);
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) {
      entries.push_back(entry);
      continue;
    }
    reduced.insert(reduced.end(), entry.axes().begin(), entry.axes().end());
    if (keep_dims) entries.emplace_back();
  }
  ASSIGN_OR_RETURN(
      NamedSharding result,
      NamedSharding::Create(operand.mesh(),
                            PartitionSpec::FromEntries(std::move(entries)),
                            operand.memory_kind()));
  ReplicaGroups groups = GroupsAlong(operand.mesh().abstract(), reduced);
  if (groups[0].size() == 1) groups.clear();
  return ReductionLayout{std::move(result), std::move(groups)};
}

}  // namespace lockstep::internal
