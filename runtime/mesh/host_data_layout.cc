#include "runtime/mesh/host_data_layout.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/addressable_slices.h"
#include "runtime/mesh/host_shapes.h"
#include "runtime/mesh/python_text.h"
#include "runtime/mesh/shard_layout.h"

namespace lockstep {
namespace {

// Longer lists of hosts are cut.
constexpr size_t kShownHosts = 10;

// "host 0: 0, 1; host 1: 2, 3"
std::string SlicesOfHosts(const Mesh& mesh, absl::Span<const int64_t> blocks) {
  std::vector<std::string> texts;
  for (HostId host : mesh.hosts()) {
    if (texts.size() == kShownHosts) {
      texts.push_back(
          absl::StrCat(mesh.hosts().size() - kShownHosts, " more hosts"));
      break;
    }
    texts.push_back(absl::StrCat(
        "host ", host.value(), ": ",
        absl::StrJoin(internal::BlocksOfHost(mesh, host, blocks), ", ")));
  }
  return absl::StrJoin(texts, "; ");
}

// How many distinct sets of slices the hosts have.
absl::StatusOr<int64_t> SetCount(const NamedSharding& sharding,
                                 std::optional<HostId> host, int64_t dim,
                                 int64_t rank) {
  if (!host.has_value()) return 1;
  RETURN_IF_ERROR(sharding.mesh().CheckHasDevices(*host));
  ASSIGN_OR_RETURN(const std::vector<int64_t> blocks,
                   internal::BlocksOfDevices(sharding, dim, rank));
  const auto place = HostIndexAndCount(sharding, *host, dim, rank);
  if (place.ok()) return place->count;
  return absl::InvalidArgumentError(absl::StrCat(
      sharding.ToString(), ": dimension ", dim,
      " is not uniform over the hosts, which have the slices ",
      SlicesOfHosts(sharding.mesh(), blocks), "; pass the global shape"));
}

std::vector<int64_t> PositionsOf(const Mesh& mesh, std::optional<HostId> host) {
  if (host.has_value()) {
    const auto local = mesh.LocalPositions(*host);
    return {local.begin(), local.end()};
  }
  std::vector<int64_t> all(mesh.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// By place in `positions`: where the shard begins in dimension `dim` of the
// data.
absl::StatusOr<std::vector<int64_t>> StartsIn(
    const HostDataLayout& data, const ShardLayout& layout, int64_t dim,
    absl::Span<const int64_t> positions) {
  std::vector<int64_t> starts;
  for (int64_t position : positions) {
    starts.push_back(layout.Index(position)[dim].start());
  }
  const int64_t size = data.data_shape[dim];
  if (size == data.global_shape[dim]) return starts;
  std::vector<int64_t> distinct = starts;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const int64_t shard = data.shard_shape[dim];
  const int64_t held = shard * static_cast<int64_t>(distinct.size());
  if (size != held) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dimension ", dim, " of the host's data has size ", size,
        ", but its devices hold ", held, " elements of the array of shape ",
        internal::TupleText(data.global_shape)));
  }
  for (int64_t& start : starts) {
    const auto it = std::lower_bound(distinct.begin(), distinct.end(), start);
    start = std::distance(distinct.begin(), it) * shard;
  }
  return starts;
}

}  // namespace

absl::StatusOr<HostDataLayout> LayOutHostData(
    const NamedSharding& sharding, std::optional<HostId> host,
    absl::Span<const int64_t> data_shape,
    std::optional<absl::Span<const int64_t>> global_shape) {
  const auto rank = static_cast<int64_t>(data_shape.size());
  HostDataLayout data;
  data.data_shape.assign(data_shape.begin(), data_shape.end());
  if (host.has_value()) {
    RETURN_IF_ERROR(sharding.mesh().CheckHasDevices(*host));
  }
  if (global_shape.has_value()) {
    data.global_shape.assign(global_shape->begin(), global_shape->end());
    if (data.global_shape.size() != data_shape.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the host's data has shape ", internal::TupleText(data_shape),
          ", of another rank than the global shape ",
          internal::TupleText(data.global_shape)));
    }
  } else {
    RETURN_IF_ERROR(sharding.ShardCounts(rank).status());
    for (int64_t dim = 0; dim < rank; ++dim) {
      ASSIGN_OR_RETURN(const int64_t sets, SetCount(sharding, host, dim, rank));
      data.global_shape.push_back(data_shape[dim] * sets);
    }
  }
  ASSIGN_OR_RETURN(const ShardLayout layout,
                   ShardLayout::Create(sharding, data.global_shape));
  data.shard_shape.assign(layout.shard_shape().begin(),
                          layout.shard_shape().end());
  const std::vector<int64_t> positions = PositionsOf(sharding.mesh(), host);
  data.starts.assign(positions.size(), std::vector<int64_t>(rank));
  for (int64_t dim = 0; dim < rank; ++dim) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> starts,
                     StartsIn(data, layout, dim, positions));
    for (size_t i = 0; i < starts.size(); ++i) data.starts[i][dim] = starts[i];
  }
  return data;
}

absl::StatusOr<HostDataLayout> LayOutLocalMesh(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> data_shape) {
  HostDataLayout data;
  ASSIGN_OR_RETURN(data.global_shape,
                   LocalToGlobalShape(sharding, host, data_shape));
  data.data_shape.assign(data_shape.begin(), data_shape.end());
  ASSIGN_OR_RETURN(Mesh local_mesh, sharding.mesh().LocalMesh(host));
  ASSIGN_OR_RETURN(
      const NamedSharding local,
      NamedSharding::Create(std::move(local_mesh), sharding.spec()));
  ASSIGN_OR_RETURN(const ShardLayout layout,
                   ShardLayout::Create(local, data_shape));
  data.shard_shape.assign(layout.shard_shape().begin(),
                          layout.shard_shape().end());
  for (int64_t i = 0; i < layout.device_count(); ++i) {
    std::vector<int64_t>& starts = data.starts.emplace_back();
    for (IndexSlice slice : layout.Index(i)) starts.push_back(slice.start());
  }
  return data;
}

absl::StatusOr<HostDataLayout> LayOutRows(
    const NamedSharding& sharding, HostId host, int64_t host_count,
    absl::Span<const int64_t> data_shape) {
  RETURN_IF_ERROR(sharding.mesh().CheckHasDevices(host));
  const auto devices =
      static_cast<int64_t>(sharding.mesh().LocalPositions(host).size());
  if (data_shape.empty() || data_shape[0] % devices != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the rows of the host's data of shape ",
        internal::TupleText(data_shape), " are not divided by its ", devices,
        " devices in the mesh"));
  }
  HostDataLayout data;
  data.data_shape.assign(data_shape.begin(), data_shape.end());
  data.global_shape = data.data_shape;
  data.global_shape[0] *= host_count;
  ASSIGN_OR_RETURN(data.shard_shape, sharding.ShardShape(data.global_shape));
  const int64_t rows = data_shape[0] / devices;
  if (data.shard_shape[0] != rows) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a device of host ", host.value(), " would get ", rows,
        " rows of the array of shape ", internal::TupleText(data.global_shape),
        ", but a shard of ", sharding.ToString(), " has ",
        data.shard_shape[0]));
  }
  for (int64_t i = 0; i < devices; ++i) {
    data.starts.emplace_back(data_shape.size())[0] = i * rows;
  }
  return data;
}

absl::StatusOr<HostDataLayout> LayOutBatch(
    const NamedSharding& sharding, int64_t batch_dim,
    absl::Span<const GlobalDeviceId> local, int64_t host_count,
    absl::Span<const int64_t> data_shape) {
  const auto devices = static_cast<int64_t>(local.size());
  const auto rank = static_cast<int64_t>(data_shape.size());
  if (batch_dim < 0 || batch_dim >= rank) {
    return absl::InvalidArgumentError(
        absl::StrCat("the data of shape ", internal::TupleText(data_shape),
                     " has no batch dimension ", batch_dim));
  }
  if (devices == 0 || data_shape[batch_dim] % devices != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the batch of ", data_shape[batch_dim],
                     " of data of shape ", internal::TupleText(data_shape),
                     " is not divided by the ", devices, " local devices"));
  }
  HostDataLayout data;
  data.data_shape.assign(data_shape.begin(), data_shape.end());
  data.global_shape = data.data_shape;
  data.global_shape[batch_dim] *= host_count;
  ASSIGN_OR_RETURN(data.shard_shape, sharding.ShardShape(data.global_shape));
  const int64_t part = data_shape[batch_dim] / devices;
  if (data.shard_shape[batch_dim] != part) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a device gets ", part, " of the batch of the array of shape ",
        internal::TupleText(data.global_shape), ", but a shard of ",
        sharding.ToString(), " has ", data.shard_shape[batch_dim],
        ": expected a mesh of all devices of all hosts"));
  }
  // By position in the mesh: which of the local devices it is.
  std::map<int64_t, int64_t> places;
  for (int64_t i = 0; i < devices; ++i) {
    const auto position = sharding.mesh().PositionOf(local[i]);
    if (!position.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("device ", local[i].value(), " is not in ",
                       sharding.mesh().ToString(),
                       ", so its part of the batch would be lost"));
    }
    places.emplace(*position, i);
  }
  for (const auto& [position, place] : places) {
    data.starts.emplace_back(data_shape.size())[batch_dim] = place * part;
  }
  return data;
}

}  // namespace lockstep
