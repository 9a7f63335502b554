#include "runtime/mesh/partitioning/local_chunker.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

// By axis of a mesh: whether it shards something.
using AxisSet = absl::InlinedVector<bool, 4>;

absl::StatusOr<IndexSlice> ChunkOf(absl::Span<const int64_t> shape, int64_t dim,
                                   int64_t num_chunks, int64_t chunk_id) {
  const int64_t size = shape[dim];
  if (size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", dim, " of shape ",
                     internal::TupleText(shape), " has a negative size"));
  }
  if (const int64_t lost = size % num_chunks; lost != 0) {
    internal::LogWarning(absl::StrCat(
        "dimension ", dim, " of shape ", internal::TupleText(shape), " has ",
        num_chunks, " chunks, which do not divide it: its last ", lost,
        " rows belong to no host"));
  }
  const int64_t chunk = size / num_chunks;
  return IndexSlice(chunk_id * chunk, (chunk_id + 1) * chunk);
}

int64_t SizeOf(const AxisRange& range) { return range.stop - range.start; }

// Boxes of one size that fill a mesh are a grid of its axes: their size divides
// every axis, and their starts are multiples of it.
absl::Status CheckHostsHaveOneSize(const Mesh& mesh) {
  const HostId first = mesh.hosts()[0];
  ASSIGN_OR_RETURN(const std::vector<AxisRange> expected,
                   mesh.LocalHull(first));
  for (HostId other : mesh.hosts().subspan(1)) {
    ASSIGN_OR_RETURN(const std::vector<AxisRange> found, mesh.LocalHull(other));
    for (int64_t axis = 0; axis < mesh.rank(); ++axis) {
      if (SizeOf(found[axis]) == SizeOf(expected[axis])) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "the hosts of ", mesh.ToString(), " have chunks of different sizes: ",
          "along axis ", internal::QuotedName(mesh.axes()[axis].name), " host ",
          first.value(), " has ", SizeOf(expected[axis]), ", host ",
          other.value(), " has ", SizeOf(found[axis])));
    }
  }
  return absl::OkStatus();
}

}  // namespace

LocalChunker::LocalChunker(Mesh mesh, HostId host)
    : mesh_(std::move(mesh)), host_(host) {}

absl::StatusOr<LocalChunker> LocalChunker::Create(Mesh mesh, HostId host) {
  RETURN_IF_ERROR(mesh.CheckHasDevices(host));
  RETURN_IF_ERROR(CheckHostsHaveOneSize(mesh));
  ASSIGN_OR_RETURN(const std::vector<AxisRange> hull, mesh.LocalHull(host));
  LocalChunker chunker(std::move(mesh), host);
  for (size_t axis = 0; axis < hull.size(); ++axis) {
    const int64_t local_size = SizeOf(hull[axis]);
    chunker.num_chunks_.push_back(chunker.mesh_.axes()[axis].size / local_size);
    chunker.chunk_ids_.push_back(hull[axis].start / local_size);
  }
  return chunker;
}

absl::StatusOr<int64_t> LocalChunker::NumChunks(absl::string_view axis) const {
  ASSIGN_OR_RETURN(const int64_t index, mesh_.abstract().AxisIndex(axis));
  return num_chunks_[index];
}

absl::StatusOr<int64_t> LocalChunker::ChunkId(absl::string_view axis) const {
  ASSIGN_OR_RETURN(const int64_t index, mesh_.abstract().AxisIndex(axis));
  return chunk_ids_[index];
}

absl::StatusOr<LocalChunkInfo> LocalChunker::ChunkInfo(
    absl::Span<const int64_t> global_shape, const PartitionSpec& axes) const {
  RETURN_IF_ERROR(CheckSpec(mesh_.abstract(), axes));
  LocalChunkInfo info;
  info.slice.resize(global_shape.size());
  AxisSet is_sharded(mesh_.rank());
  const int64_t dims =
      std::min(axes.size(), static_cast<int64_t>(global_shape.size()));
  for (int64_t dim = 0; dim < dims; ++dim) {
    const SpecEntry& entry = axes.entry(dim);
    if (entry.is_null()) continue;
    if (!entry.is_axis()) {
      return absl::UnimplementedError(
          absl::StrCat(axes.ToString(), ": the chunk of dimension ", dim,
                       " takes one axis or None, found ", entry.ToString()));
    }
    const int64_t axis = *mesh_.abstract().FindAxis(entry.axes()[0]);
    is_sharded[axis] = true;
    ASSIGN_OR_RETURN(
        info.slice[dim],
        ChunkOf(global_shape, dim, num_chunks_[axis], chunk_ids_[axis]));
  }
  info.replica_id = ReplicaIdWithout(is_sharded);
  return info;
}

absl::StatusOr<int64_t> LocalChunker::ShardId(const SpecEntry& axes) const {
  RETURN_IF_ERROR(CheckSpec(mesh_.abstract(), PartitionSpec(axes)));
  int64_t id = 0;
  for (const std::string& name : axes.axes()) {
    const int64_t axis = *mesh_.abstract().FindAxis(name);
    id = id * num_chunks_[axis] + chunk_ids_[axis];
  }
  return id;
}

absl::StatusOr<int64_t> LocalChunker::ReplicaId(const SpecEntry& axes) const {
  RETURN_IF_ERROR(CheckSpec(mesh_.abstract(), PartitionSpec(axes)));
  AxisSet is_sharded(mesh_.rank());
  for (const std::string& name : axes.axes()) {
    is_sharded[*mesh_.abstract().FindAxis(name)] = true;
  }
  return ReplicaIdWithout(is_sharded);
}

int64_t LocalChunker::ReplicaIdWithout(
    absl::Span<const bool> is_sharded) const {
  int64_t id = 0;
  for (int64_t axis = 0; axis < mesh_.rank(); ++axis) {
    if (!is_sharded[axis]) id = id * num_chunks_[axis] + chunk_ids_[axis];
  }
  return id;
}

}  // namespace lockstep
