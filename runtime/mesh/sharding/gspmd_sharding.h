#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_SHARDING_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_SHARDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/tile_assignment.h"

namespace lockstep::internal {

// What the devices of one tile have of it.
enum class GspmdSubgroup {
  kReplicated,  // each all of it
  kManual,      // what the program says; the partitioner leaves it alone
  kUnreduced,   // partial results
};

// Values whose shardings are the same (shard_as), or one like the other
// (shard_like).
struct GspmdShardGroup {
  int64_t id = 0;
  bool is_shard_as = true;
  friend bool operator==(const GspmdShardGroup&,
                         const GspmdShardGroup&) = default;
};

// The sharding of a value in the text of GSPMD, the attribute mhlo.sharding
// (row Y-2). Metadata is not kept; forms that name a mesh, "{mesh['x'=8], ..}",
// are not read. A value type.
class GspmdSharding {
 public:
  enum class Kind {
    kReplicated,
    kManual,
    kUnknown,
    kUnreduced,
    kMaximal,
    kTiled
  };

  // One that says all of it: not kMaximal or kTiled.
  explicit GspmdSharding(Kind kind) : kind_(kind) {}
  // All of the value on one device.
  static GspmdSharding Maximal(int64_t device);
  // The last dimensions of `tiles` are the subgroups; `subgroups` has no more
  // entries than `tiles` has dimensions.
  static GspmdSharding Tiled(TileAssignment tiles,
                             std::vector<GspmdSubgroup> subgroups);

  // Of "{devices=[4,2]<=[8]}" and the like. INVALID_ARGUMENT names the column,
  // from 1, and what was expected there.
  static absl::StatusOr<GspmdSharding> Parse(absl::string_view text);
  // Of a tuple, "{{replicated}, {manual}}", or of one sharding, which gives a
  // list of one. Errors as those of Parse.
  static absl::StatusOr<std::vector<GspmdSharding>> ParseTuple(
      absl::string_view text);

  Kind kind() const { return kind_; }
  // Of kMaximal.
  int64_t device() const { return device_; }
  // Of kTiled, also those below.
  const TileAssignment& tiles() const { return *tiles_; }
  absl::Span<const GspmdSubgroup> subgroups() const { return subgroups_; }
  // The rank of the value, and into how many tiles each dimension is split.
  int64_t rank() const;
  absl::Span<const int64_t> tile_dims() const;

  const std::optional<GspmdShardGroup>& shard_group() const {
    return shard_group_;
  }
  void set_shard_group(GspmdShardGroup group) { shard_group_ = group; }

  // The exact form of XLA: "{devices=[4,1,2]<=[8] last_tile_dim_replicate}".
  std::string ToString() const;
  friend bool operator==(const GspmdSharding&, const GspmdSharding&) = default;

 private:
  Kind kind_;
  int64_t device_ = 0;
  std::optional<TileAssignment> tiles_;
  std::vector<GspmdSubgroup> subgroups_;
  std::optional<GspmdShardGroup> shard_group_;
};

// "{{replicated}, {manual}}".
std::string GspmdTupleText(absl::Span<const GspmdSharding> shardings);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_SHARDING_H_
