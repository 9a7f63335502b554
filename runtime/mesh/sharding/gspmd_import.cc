#include "runtime/mesh/sharding/gspmd_import.h"

#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tile_assignment.h"

namespace lockstep::internal {
namespace {

using Kind = GspmdSharding::Kind;

// The part of all devices that runs from the product `begin` of sizes up to
// `end`: a sub-axis of the axis of all devices.
struct Piece {
  int64_t begin = 1;
  int64_t end = 1;
};

// For each dimension of tiles its pieces, major to minor.
using TilePieces = std::vector<std::vector<Piece>>;

// Walks the tiles and the permuted dimensions of the devices together; none if
// a tile ends within a part of a dimension that divides neither.
std::optional<TilePieces> PiecesOf(const TileAssignment& tiles) {
  std::vector<Piece> devices;
  for (const int64_t dim : tiles.transpose_perm()) {
    const auto before = tiles.reshape_dims().first(dim);
    const int64_t begin =
        absl::c_accumulate(before, int64_t{1}, std::multiplies<>());
    devices.push_back({begin, begin * tiles.reshape_dims()[dim]});
  }
  TilePieces pieces;
  auto next = devices.begin();
  for (int64_t rest : tiles.dims()) {
    pieces.emplace_back();
    while (rest > 1) {
      const int64_t size = std::gcd(rest, next->end / next->begin);
      if (size == 1) return std::nullopt;
      pieces.back().push_back({next->begin, next->begin * size});
      rest /= size;
      next->begin *= size;
      if (next->begin == next->end) ++next;
    }
  }
  return pieces;
}

absl::Status CheckValue(const GspmdValue& value) {
  if (value.sharding.shard_group().has_value()) {
    return absl::UnimplementedError(
        absl::StrCat(value.sharding.ToString(),
                     ": groups of values with the same sharding"));
  }
  if (value.sharding.kind() == Kind::kTiled &&
      value.sharding.rank() != value.rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        value.sharding.ToString(), " is of rank ", value.sharding.rank(),
        ", but the value has rank ", value.rank));
  }
  for (const int64_t dim : value.unspecified_dims) {
    if (dim >= 0 && dim < value.rank) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(value.sharding.ToString(), ": the unspecified dimension ",
                     dim, " is none of a value of rank ", value.rank));
  }
  return absl::OkStatus();
}

// The shardings of a module, one after the other.
class Importer {
 public:
  Importer(absl::Span<const GspmdValue> values,
           const GspmdImportOptions& options)
      : values_(values), options_(options) {}

  absl::StatusOr<ImportedShardings> Run() {
    for (const GspmdValue& value : values_) RETURN_IF_ERROR(CheckValue(value));
    RETURN_IF_ERROR(FindDevices());
    RETURN_IF_ERROR(FindPieces());
    ASSIGN_OR_RETURN(ImportedShardings imported, MakeMesh());
    for (size_t i = 0; i < values_.size(); ++i) {
      ASSIGN_OR_RETURN(TensorSharding sharding,
                       Convert(values_[i], pieces_[i]));
      imported.shardings.push_back(std::move(sharding));
      imported.manual_axes.push_back(
          ManualAxes(values_[i].sharding, pieces_[i]));
    }
    return imported;
  }

 private:
  // Their number, and their order: that of the first list without iota form.
  absl::Status FindDevices() {
    for (const GspmdValue& value : values_) {
      if (value.sharding.kind() != Kind::kTiled) continue;
      const TileAssignment& tiles = value.sharding.tiles();
      if (device_count_ == 0) device_count_ = tiles.device_count();
      if (device_count_ != tiles.device_count()) {
        return absl::InvalidArgumentError(absl::StrCat(
            value.sharding.ToString(), " has ", tiles.device_count(),
            " devices, but another sharding of the module has ",
            device_count_));
      }
      if (device_ids_.empty() && !tiles.AsIota().has_value()) {
        device_ids_ = tiles.Devices();
      }
    }
    return absl::OkStatus();
  }

  // The tiles with positions in the mesh for devices.
  absl::StatusOr<TileAssignment> OnPositions(
      const TileAssignment& tiles) const {
    if (device_ids_.empty()) return *tiles.AsIota();
    std::vector<int64_t> position_of(device_ids_.size());
    for (size_t i = 0; i < device_ids_.size(); ++i) {
      position_of[device_ids_[i]] = static_cast<int64_t>(i);
    }
    std::vector<int64_t> positions = tiles.Devices();
    for (int64_t& position : positions) position = position_of[position];
    ASSIGN_OR_RETURN(
        const TileAssignment listed,
        TileAssignment::FromDevices({tiles.dims().begin(), tiles.dims().end()},
                                    std::move(positions)));
    std::optional<TileAssignment> iota = listed.AsIota();
    if (iota.has_value()) return *std::move(iota);
    return absl::UnimplementedError(
        "no order of the devices makes parts of mesh axes of the tiles of "
        "all shardings of the module");
  }

  absl::Status FindPieces() {
    pieces_.resize(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      const GspmdSharding& sharding = values_[i].sharding;
      if (sharding.kind() != Kind::kTiled) continue;
      absl::StatusOr<TileAssignment> tiles = OnPositions(sharding.tiles());
      RETURN_IF_ERROR(Annotate(tiles.status(), sharding.ToString()));
      std::optional<TilePieces> pieces = PiecesOf(*tiles);
      if (!pieces.has_value()) {
        return absl::UnimplementedError(absl::StrCat(
            sharding.ToString(), ": the tiles are no parts of mesh axes"));
      }
      pieces_[i] = *std::move(pieces);
    }
    return absl::OkStatus();
  }

  // The coarsest axes of which all pieces are products.
  absl::StatusOr<ImportedShardings> MakeMesh() {
    std::set<int64_t> begins = {1};
    if (device_count_ > 0) begins.insert(device_count_);
    for (const TilePieces& pieces : pieces_) {
      for (const std::vector<Piece>& dim : pieces) {
        for (const Piece& piece : dim) {
          begins.insert(piece.begin);
          begins.insert(piece.end);
        }
      }
    }
    begins_.assign(begins.begin(), begins.end());
    std::vector<MeshAxis> axes;
    for (size_t i = 1; i < begins_.size(); ++i) {
      if (begins_[i] % begins_[i - 1] != 0) {
        return absl::UnimplementedError(absl::StrCat(
            "the shardings of the module split the devices into ",
            begins_[i - 1], " and into ", begins_[i], ", which no mesh does"));
      }
      axes.push_back({AxisName(i - 1), begins_[i] / begins_[i - 1]});
    }
    ASSIGN_OR_RETURN(AbstractMesh mesh, AbstractMesh::Create(std::move(axes)));
    ImportedShardings imported;
    ASSIGN_OR_RETURN(imported.mesh,
                     ShardingMesh::Create(std::move(mesh), device_ids_));
    return imported;
  }

  static std::string AxisName(size_t axis) {
    return absl::StrCat("_axis_", axis);
  }

  void AppendAxes(const Piece& piece, std::vector<AxisRef>& refs) const {
    for (size_t i = 0; i + 1 < begins_.size(); ++i) {
      if (begins_[i] >= piece.begin && begins_[i] < piece.end) {
        refs.emplace_back(AxisName(i));
      }
    }
  }

  // In mesh order.
  std::vector<AxisRef> AxesOf(std::vector<Piece> pieces) const {
    absl::c_sort(pieces, [](const Piece& a, const Piece& b) {
      return a.begin < b.begin;
    });
    std::vector<AxisRef> refs;
    for (const Piece& piece : pieces) AppendAxes(piece, refs);
    return refs;
  }

  void ConvertTiles(const GspmdSharding& gspmd, const TilePieces& pieces,
                    TensorSharding& sharding) const {
    for (int64_t dim = 0; dim < gspmd.rank(); ++dim) {
      for (const Piece& piece : pieces[dim]) {
        AppendAxes(piece, sharding.dims[dim].axes);
      }
    }
    sharding.replicated =
        SubgroupAxes(gspmd, pieces, GspmdSubgroup::kReplicated);
    sharding.unreduced = SubgroupAxes(gspmd, pieces, GspmdSubgroup::kUnreduced);
  }

  // Of all subgroups of the kind.
  std::vector<AxisRef> SubgroupAxes(const GspmdSharding& gspmd,
                                    const TilePieces& pieces,
                                    GspmdSubgroup kind) const {
    std::vector<Piece> of_kind;
    for (size_t i = 0; i < gspmd.subgroups().size(); ++i) {
      if (gspmd.subgroups()[i] != kind) continue;
      absl::c_copy(pieces[gspmd.rank() + i], std::back_inserter(of_kind));
    }
    return AxesOf(std::move(of_kind));
  }

  std::vector<AxisRef> ManualAxes(const GspmdSharding& gspmd,
                                  const TilePieces& pieces) const {
    if (gspmd.kind() == Kind::kManual) return AxesOf({{1, begins_.back()}});
    if (gspmd.kind() != Kind::kTiled) return {};
    return SubgroupAxes(gspmd, pieces, GspmdSubgroup::kManual);
  }

  absl::StatusOr<TensorSharding> Convert(const GspmdValue& value,
                                         const TilePieces& pieces) const {
    const Kind kind = value.sharding.kind();
    if (kind == Kind::kMaximal) {
      ASSIGN_OR_RETURN(ShardingMesh mesh,
                       ShardingMesh::Create({}, {value.sharding.device()}));
      return UnshardedOn(std::move(mesh), /*rank=*/0, /*is_closed=*/true);
    }
    const bool is_open =
        kind == Kind::kUnknown ||
        (kind == Kind::kReplicated && !options_.replicated_is_closed);
    TensorSharding sharding =
        UnshardedOn(options_.mesh_name, value.rank, !is_open);
    if (kind == Kind::kTiled) {
      ConvertTiles(value.sharding, pieces, sharding);
    } else if (kind == Kind::kUnreduced) {
      if (device_count_ == 0) {
        return absl::InvalidArgumentError(
            "{unreduced}: no sharding of the module says how many devices "
            "there are");
      }
      sharding.unreduced = AxesOf({{1, begins_.back()}});
    }
    for (const int64_t dim : value.unspecified_dims) {
      sharding.dims[dim].is_closed = false;
    }
    if (!value.unspecified_dims.empty()) sharding.replicated.clear();
    return sharding;
  }

  const absl::Span<const GspmdValue> values_;
  const GspmdImportOptions& options_;
  int64_t device_count_ = 0;
  std::vector<int64_t> device_ids_;  // empty: ascending
  std::vector<TilePieces> pieces_;   // by value; empty unless tiled
  // Where the axes of the mesh begin, as products of sizes; the last is the
  // number of devices.
  std::vector<int64_t> begins_;
};

}  // namespace

absl::StatusOr<ImportedShardings> ImportGspmd(
    absl::Span<const GspmdValue> values, const GspmdImportOptions& options) {
  return Importer(values, options).Run();
}

}  // namespace lockstep::internal
