#include "runtime/mesh/named_sharding.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

absl::Status CheckMemoryKind(const Mesh& mesh, const std::string& kind) {
  for (const Device& device : mesh.devices()) {
    std::vector<std::string> kinds = MemoryKinds(device);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    for (std::string& each : kinds) each = internal::QuotedName(each);
    return absl::InvalidArgumentError(absl::StrCat(
        ToString(device), " (", device.kind,
        "): expected one of its memory "
        "kinds ",
        absl::StrJoin(kinds, ", "), ", found ", internal::QuotedName(kind)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSpec(const AbstractMesh& mesh, const PartitionSpec& spec) {
  absl::flat_hash_set<absl::string_view> used;
  for (const SpecEntry& entry : spec.entries()) {
    for (const std::string& axis : entry.axes()) {
      RETURN_IF_ERROR(
          internal::Annotate(mesh.AxisIndex(axis).status(), spec.ToString()));
      if (!used.insert(axis).second) {
        return absl::InvalidArgumentError(
            absl::StrCat(spec.ToString(), ": axis ", internal::QuotedName(axis),
                         " is used twice"));
      }
    }
  }
  return absl::OkStatus();
}

NamedSharding::NamedSharding(Mesh mesh, PartitionSpec spec,
                             std::string memory_kind)
    : mesh_(std::move(mesh)),
      spec_(std::move(spec)),
      memory_kind_(std::move(memory_kind)) {}

absl::StatusOr<NamedSharding> NamedSharding::Create(Mesh mesh,
                                                    PartitionSpec spec,
                                                    std::string memory_kind) {
  RETURN_IF_ERROR(CheckSpec(mesh.abstract(), spec));
  // Every device has the default.
  if (memory_kind != kDeviceMemory) {
    RETURN_IF_ERROR(CheckMemoryKind(mesh, memory_kind));
  }
  return NamedSharding(std::move(mesh), std::move(spec),
                       std::move(memory_kind));
}

absl::StatusOr<NamedSharding> NamedSharding::with_memory_kind(
    std::string kind) const {
  return Create(mesh_, spec_, std::move(kind));
}

absl::StatusOr<std::vector<int64_t>> NamedSharding::ShardCounts(
    int64_t rank) const {
  if (spec_.size() > rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        ToString(), ": the spec has ", spec_.size(),
        " entries, but the value has rank ", rank,
        rank == 0 ? "; the spec of a scalar is PartitionSpec()" : ""));
  }
  std::vector<int64_t> counts(rank, 1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    for (const std::string& axis : spec_.entry(dim).axes()) {
      ASSIGN_OR_RETURN(const int64_t index, mesh_.abstract().AxisIndex(axis));
      counts[dim] *= mesh_.axes()[index].size;
    }
  }
  return counts;
}

absl::StatusOr<std::vector<int64_t>> NamedSharding::ShardShape(
    absl::Span<const int64_t> shape) const {
  ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                   ShardCounts(static_cast<int64_t>(shape.size())));
  std::vector<int64_t> shard_shape(shape.begin(), shape.end());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("dimension ", dim, " of shape ",
                       internal::TupleText(shape), " has a negative size"));
    }
    if (shape[dim] % counts[dim] != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          ToString(), ": dimension ", dim, " is split into ", counts[dim],
          " shards, which do not divide its size ", shape[dim], " (full shape ",
          internal::TupleText(shape), ", shards of every dimension ",
          internal::ListText(counts), ")"));
    }
    shard_shape[dim] /= counts[dim];
  }
  return shard_shape;
}

std::string NamedSharding::ToString() const {
  return absl::StrCat("NamedSharding(mesh=", mesh_.ToString(),
                      ", spec=", spec_.ToString(),
                      memory_kind_ == kDeviceMemory
                          ? ""
                          : absl::StrCat(", memory_kind=", memory_kind_),
                      ")");
}

}  // namespace lockstep
