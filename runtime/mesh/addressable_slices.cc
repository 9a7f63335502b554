#include "runtime/mesh/addressable_slices.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/shard_layout.h"

namespace lockstep {

namespace internal {

std::vector<int64_t> BlocksOfHost(const Mesh& mesh, HostId host,
                                  absl::Span<const int64_t> blocks) {
  std::vector<int64_t> own;
  for (int64_t position : mesh.LocalPositions(host)) {
    own.push_back(blocks[position]);
  }
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return own;
}

absl::StatusOr<std::vector<int64_t>> BlocksOfDevices(
    const NamedSharding& sharding, int64_t dim, int64_t rank) {
  if (dim < 0 || dim >= rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dimension ", dim, " is out of range for a value of rank ", rank));
  }
  // With one element per shard, a slice starts at its number.
  ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                   sharding.ShardCounts(rank));
  ASSIGN_OR_RETURN(const ShardLayout layout,
                   ShardLayout::Create(sharding, counts));
  std::vector<int64_t> blocks;
  blocks.reserve(layout.device_count());
  for (int64_t i = 0; i < layout.device_count(); ++i) {
    blocks.push_back(layout.Index(i)[dim].start());
  }
  return blocks;
}

}  // namespace internal

namespace {

absl::Status NotUniform(const NamedSharding& sharding, int64_t dim, HostId host,
                        absl::Span<const int64_t> blocks, HostId other,
                        absl::Span<const int64_t> other_blocks) {
  return absl::InvalidArgumentError(absl::StrCat(
      sharding.ToString(), ": dimension ", dim,
      " is not uniform over the hosts: host ", host.value(), " has slices ",
      absl::StrJoin(blocks, ", "), ", host ", other.value(), " has slices ",
      absl::StrJoin(other_blocks, ", ")));
}

}  // namespace

absl::StatusOr<int64_t> AddressableIndexCount(const NamedSharding& sharding,
                                              HostId host, int64_t dim,
                                              absl::Span<const int64_t> shape) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> shard_shape,
                   sharding.ShardShape(shape));
  ASSIGN_OR_RETURN(const std::vector<int64_t> blocks,
                   internal::BlocksOfDevices(
                       sharding, dim, static_cast<int64_t>(shape.size())));
  const auto own = internal::BlocksOfHost(sharding.mesh(), host, blocks);
  return shard_shape[dim] * static_cast<int64_t>(own.size());
}

absl::StatusOr<HostIndex> HostIndexAndCount(const NamedSharding& sharding,
                                            HostId host, int64_t dim,
                                            int64_t rank) {
  const Mesh& mesh = sharding.mesh();
  ASSIGN_OR_RETURN(const std::vector<int64_t> blocks,
                   internal::BlocksOfDevices(sharding, dim, rank));
  RETURN_IF_ERROR(mesh.CheckHasDevices(host));
  // The distinct sets by their first slice, each with a host that has it.
  std::map<int64_t, std::pair<HostId, std::vector<int64_t>>> sets;
  std::map<int64_t, HostId> owners;  // of slices
  for (HostId other : mesh.hosts()) {
    std::vector<int64_t> own = internal::BlocksOfHost(mesh, other, blocks);
    const int64_t first_block = own.front();
    const auto known = sets.find(first_block);
    if (known != sets.end() && known->second.second == own) continue;
    const auto& [first_host, first] =
        sets.empty() ? std::pair(other, own) : sets.begin()->second;
    if (first.size() != own.size()) {
      return NotUniform(sharding, dim, first_host, first, other, own);
    }
    for (int64_t block : own) {
      const auto [owner, is_new] = owners.emplace(block, other);
      if (is_new) continue;
      return NotUniform(sharding, dim, owner->second,
                        internal::BlocksOfHost(mesh, owner->second, blocks),
                        other, own);
    }
    sets.emplace(first_block, std::pair(other, std::move(own)));
  }
  const int64_t first = internal::BlocksOfHost(mesh, host, blocks).front();
  return HostIndex{std::distance(sets.begin(), sets.find(first)),
                   static_cast<int64_t>(sets.size())};
}

}  // namespace lockstep
