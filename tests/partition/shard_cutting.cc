#include "tests/partition/shard_cutting.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {
namespace {

// Calls f(place in the whole, place in the shard) for each element.
template <typename F>
void ForEachElement(const Shape& whole, const Shape& shard,
                    const std::vector<int64_t>& start, F f) {
  std::vector<int64_t> index(static_cast<size_t>(shard.rank()), 0);
  for (int64_t i = 0; i < shard.element_count(); ++i) {
    int64_t place = 0;
    int64_t rest = i;
    for (int64_t dim = shard.rank(); dim-- > 0;) {
      index[dim] = rest % shard.dim(dim);
      rest /= shard.dim(dim);
    }
    for (int64_t dim = 0; dim < shard.rank(); ++dim) {
      place = place * whole.dim(dim) + start[dim] + index[dim];
    }
    f(place, i);
  }
}

struct Shard {
  Shape shape;
  std::vector<int64_t> start;
};

absl::StatusOr<Shard> ShardOf(const TensorLayout& layout,
                              const ShardingMesh& of_program, int64_t device) {
  const auto* own = std::get_if<ShardingMesh>(&layout.sharding.mesh);
  const ShardingMesh& mesh = own == nullptr ? of_program : *own;
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   LocalShape(layout.sharding, mesh, layout.shape.dims()));
  Shard shard{Shape(layout.shape.element_type(), dims), {}};
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    ASSIGN_OR_RETURN(
        const int64_t index,
        ShardIndexOf(device, layout.sharding.dims[dim].axes, mesh));
    shard.start.push_back(index * dims[dim]);
  }
  return shard;
}

}  // namespace

absl::StatusOr<Literal> CutShard(const Literal& whole,
                                 const TensorLayout& layout,
                                 const ShardingMesh& mesh, int64_t device) {
  ASSIGN_OR_RETURN(const Shard shard, ShardOf(layout, mesh, device));
  Literal part(shard.shape);
  const size_t size = static_cast<size_t>(ByteSize(shard.shape.element_type()));
  ForEachElement(layout.shape, shard.shape, shard.start,
                 [&](int64_t from, int64_t to) {
                   std::memcpy(part.mutable_bytes() + to * size,
                               whole.bytes() + from * size, size);
                 });
  return part;
}

absl::StatusOr<Literal> JoinShards(const std::vector<Literal>& shards,
                                   const TensorLayout& layout,
                                   const ShardingMesh& mesh, size_t result) {
  Literal whole(layout.shape);
  std::vector<bool> is_known(static_cast<size_t>(layout.shape.element_count()));
  const size_t size =
      static_cast<size_t>(ByteSize(layout.shape.element_type()));
  std::optional<std::string> problem;
  for (size_t device = 0; device < shards.size(); ++device) {
    ASSIGN_OR_RETURN(const Shard shard,
                     ShardOf(layout, mesh, static_cast<int64_t>(device)));
    if (shards[device].shape() != shard.shape) {
      return absl::InternalError(absl::StrCat(
          "result ", result, ": expected shards ", shard.shape.ToString(),
          ", found ", shards[device].shape().ToString()));
    }
    ForEachElement(
        layout.shape, shard.shape, shard.start, [&](int64_t to, int64_t from) {
          std::byte* at = whole.mutable_bytes() + to * size;
          const std::byte* bits = shards[device].bytes() + from * size;
          if (is_known[to] && std::memcmp(at, bits, size) != 0) {
            problem =
                absl::StrCat("result ", result, " element ", to, ": device ",
                             device, " has other bits than the first");
          }
          std::memcpy(at, bits, size);
          is_known[to] = true;
        });
  }
  if (problem.has_value()) return absl::InternalError(*problem);
  return whole;
}

}  // namespace lockstep::internal
