#include "runtime/mesh/sharding/gspmd_export.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tile_assignment.h"

namespace lockstep::internal {
namespace {

// The axes of a mesh, split so far that all refs of a sharding are products of
// neighbours, and the tiles made of them so far.
class TileBuilder {
 public:
  TileBuilder(const AbstractMesh& mesh, const TensorSharding& sharding)
      : mesh_(mesh) {
    for (const MeshAxis& axis : mesh.axes()) {
      std::set<int64_t> begins = {1};
      for (const DimSharding& dim : sharding.dims) {
        AddBegins(axis, dim.axes, begins);
      }
      AddBegins(axis, sharding.unreduced, begins);
      begins.erase(axis.size);
      if (axis.size == 1) begins = {1};
      for (auto begin = begins.begin(); begin != begins.end();) {
        const int64_t pre_size = *begin;
        const int64_t next = ++begin == begins.end() ? axis.size : *begin;
        pieces_.push_back(
            {.axis = axis.name, .pre_size = pre_size, .size = next / pre_size});
      }
    }
  }

  // A dimension of the tensor, split by `refs`, major to minor.
  void AddDim(absl::Span<const AxisRef> refs) {
    int64_t tiles = 1;
    for (const AxisRef& ref : refs) {
      for (Piece& piece : pieces_) {
        if (IsWithin(piece, ref)) tiles *= Take(piece);
      }
    }
    dims_.push_back(tiles);
    is_one_tile_ = is_one_tile_ && tiles == 1;
  }

  // A subgroup of all pieces that are left and that `is_in` accepts; none
  // without any.
  template <typename IsIn>
  void AddSubgroup(GspmdSubgroup subgroup, IsIn is_in) {
    std::optional<int64_t> devices;
    for (Piece& piece : pieces_) {
      if (piece.is_taken || !is_in(piece)) continue;
      devices = devices.value_or(1) * Take(piece);
    }
    if (!devices.has_value()) return;
    if (subgroup == GspmdSubgroup::kReplicated && subgroups_.empty() &&
        *devices == 1 && !is_one_tile_) {
      return;
    }
    dims_.push_back(*devices);
    subgroups_.push_back(subgroup);
  }

  void AddSubgroupOf(GspmdSubgroup subgroup, absl::Span<const AxisRef> refs) {
    AddSubgroup(subgroup, [&](const Piece& piece) {
      return absl::c_any_of(
          refs, [&](const AxisRef& ref) { return IsWithin(piece, ref); });
    });
  }

  absl::StatusOr<GspmdSharding> Build(const ShardingMesh& mesh) && {
    if (is_one_tile_ && subgroups_.size() == 1) return OfAll(subgroups_[0]);
    std::vector<int64_t> reshape_dims;
    for (const Piece& piece : pieces_) reshape_dims.push_back(piece.size);
    ASSIGN_OR_RETURN(TileAssignment tiles,
                     TileAssignment::FromIota(dims_, reshape_dims, order_));
    if (!mesh.device_ids().empty()) {
      std::vector<int64_t> devices = tiles.Devices();
      for (int64_t& device : devices) device = mesh.DeviceAt(device);
      ASSIGN_OR_RETURN(tiles,
                       TileAssignment::FromDevices(dims_, std::move(devices)));
    }
    return GspmdSharding::Tiled(std::move(tiles), std::move(subgroups_));
  }

 private:
  struct Piece {
    std::string axis;
    int64_t pre_size = 1;
    int64_t size = 1;
    bool is_taken = false;
  };

  void AddBegins(const MeshAxis& axis, absl::Span<const AxisRef> refs,
                 std::set<int64_t>& begins) const {
    for (const AxisRef& ref : refs) {
      if (ref.name() != axis.name) continue;
      begins.insert(ref.pre_size());
      begins.insert(ref.NextPreSize(mesh_));
    }
  }

  bool IsWithin(const Piece& piece, const AxisRef& ref) const {
    return piece.axis == ref.name() && piece.pre_size >= ref.pre_size() &&
           piece.pre_size * piece.size <= ref.NextPreSize(mesh_);
  }

  int64_t Take(Piece& piece) {
    piece.is_taken = true;
    order_.push_back(&piece - pieces_.data());
    return piece.size;
  }

  static GspmdSharding OfAll(GspmdSubgroup subgroup) {
    switch (subgroup) {
      case GspmdSubgroup::kManual:
        return GspmdSharding(GspmdSharding::Kind::kManual);
      case GspmdSubgroup::kUnreduced:
        return GspmdSharding(GspmdSharding::Kind::kUnreduced);
      case GspmdSubgroup::kReplicated:
        break;
    }
    return GspmdSharding(GspmdSharding::Kind::kReplicated);
  }

  const AbstractMesh& mesh_;
  std::vector<Piece> pieces_;   // in mesh order
  std::vector<int64_t> order_;  // of the pieces that are taken
  std::vector<int64_t> dims_;
  bool is_one_tile_ = true;
  std::vector<GspmdSubgroup> subgroups_;
};

absl::StatusOr<GspmdSharding> ShardingOnMesh(
    const ShardingMesh& mesh, const TensorSharding& sharding,
    absl::Span<const std::string> manual_axes) {
  if (mesh.is_maximal()) return GspmdSharding::Maximal(mesh.device_ids()[0]);
  if (mesh.is_empty()) return GspmdSharding(GspmdSharding::Kind::kReplicated);
  TileBuilder builder(mesh.abstract(), sharding);
  for (const DimSharding& dim : sharding.dims) builder.AddDim(dim.axes);
  std::vector<AxisRef> manual;
  for (const std::string& axis : manual_axes) manual.emplace_back(axis);
  builder.AddSubgroupOf(GspmdSubgroup::kManual, manual);
  builder.AddSubgroupOf(GspmdSubgroup::kUnreduced, sharding.unreduced);
  builder.AddSubgroup(GspmdSubgroup::kReplicated,
                      [](const auto&) { return true; });
  return std::move(builder).Build(mesh);
}

}  // namespace

absl::StatusOr<GspmdAnnotation> ToGspmd(
    const ShardingMesh& mesh, const TensorSharding& sharding,
    absl::Span<const std::string> manual_axes) {
  RETURN_IF_ERROR(VerifySharding(sharding, mesh));
  for (const std::string& axis : manual_axes) {
    RETURN_IF_ERROR(
        Annotate(CheckAxisRef(AxisRef(axis), mesh.abstract()), "manual axes"));
  }
  if (sharding.reduction != UnreducedKind::kSum &&
      !sharding.unreduced.empty()) {
    return absl::UnimplementedError(
        "GSPMD has no unreduced axes whose reduction is not the sum");
  }
  ASSIGN_OR_RETURN(GspmdSharding gspmd,
                   ShardingOnMesh(mesh, sharding, manual_axes));
  std::vector<int64_t> unspecified_dims;
  for (int64_t dim = 0; dim < sharding.rank(); ++dim) {
    if (!sharding.dims[dim].is_closed) unspecified_dims.push_back(dim);
  }
  return GspmdAnnotation{.sharding = std::move(gspmd),
                         .unspecified_dims = std::move(unspecified_dims)};
}

absl::StatusOr<std::string> ToGspmdString(
    const ShardingMesh& mesh, const PartitionSpec& spec, int64_t rank,
    absl::Span<const std::string> manual_axes) {
  ASSIGN_OR_RETURN(const TensorSharding sharding,
                   ShardingOfSpec(mesh, spec, rank));
  ASSIGN_OR_RETURN(const GspmdAnnotation annotation,
                   ToGspmd(mesh, sharding, manual_axes));
  return annotation.sharding.ToString();
}

}  // namespace lockstep::internal
