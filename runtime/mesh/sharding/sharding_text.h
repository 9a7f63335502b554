#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TEXT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Meshes and shardings as the sdy dialect of Shardy writes them (row Y-3).
//
// The parsers take all of `text`, white space around it too, with or without
// the name of the attribute in front ("#sdy.sharding"). INVALID_ARGUMENT names
// the column, from 1, and what was expected there. Meshes are checked, as by
// ShardingMesh::Create; whether shardings fit to their mesh is not, see
// VerifySharding. The printers write the exact form of Shardy, and what they
// write is parsed as the same value.

// "<[\"a\"=2, \"b\"=4]>", "<[\"a\"=2], device_ids=[1, 0]>".
absl::StatusOr<ShardingMesh> ParseSdyMesh(absl::string_view text);

// "<@mesh, [{\"x\"}, {\"y\":(2)2, ?}p1], replicated={\"z\"}>".
absl::StatusOr<TensorSharding> ParseSdySharding(absl::string_view text);

// "<[<@mesh, [{\"x\"}]>, <@mesh, []>]>": one for each value.
absl::StatusOr<std::vector<TensorSharding>> ParseSdyShardingPerValue(
    absl::string_view text);

// "{\"x\", \"y\":(2)2}", also "#sdy.axis_ref_list<..>" of it.
absl::StatusOr<std::vector<AxisRef>> ParseSdyAxisRefs(absl::string_view text);

// "[{\"x\"}, {}]": one list for each dimension.
absl::StatusOr<std::vector<std::vector<AxisRef>>> ParseSdyAxisLists(
    absl::string_view text);
std::string ToSdyString(absl::Span<const std::vector<AxisRef>> axis_lists);

// The minor axes of one dimension that become those of another one. A value
// type.
struct AxesMove {
  std::vector<AxisRef> axes;
  int64_t source_dim = 0;
  int64_t target_dim = 0;
};
// "[{\"x\"}: 0->2, {\"y\"}: 1->3]".
absl::StatusOr<std::vector<AxesMove>> ParseSdyAxesMoves(absl::string_view text);
std::string ToSdyString(absl::Span<const AxesMove> moves);

// As in the ops of the dialect: without "#sdy.sharding".
std::string ToSdyString(const TensorSharding& sharding);
std::string ToSdyString(absl::Span<const TensorSharding> sharding_per_value);
// As attributes of other ops: "#sdy.sharding<..>",
// "#sdy.sharding_per_value<..>".
std::string ToSdyAttribute(const TensorSharding& sharding);
std::string ToSdyAttribute(absl::Span<const TensorSharding> sharding_per_value);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TEXT_H_
