#include "runtime/passes/import/join_meshes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/gspmd_import.h"
#include "runtime/mesh/sharding/gspmd_sharding.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/mesh/sharding/tile_assignment.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/device_order.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/import/sharding_attributes.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/exported_sharding.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kManualComputation = "sdy.manual_computation";

// A mesh that shardings are on.
struct UsedMesh {
  std::string name;
  ShardingMesh mesh;
  AnnotationSite first_site;
  // An argument or a result of the program lies on it.
  bool is_outside = false;
  // Bodies of manual computations see which device they are on.
  bool is_manual = false;
  // Its shards are exchanged for those on the devices in the order of the first
  // mesh.
  bool is_reordered = false;
  // Its axes as those of the joined mesh, major to minor.
  std::vector<std::vector<AxisRef>> axes;

  std::string ToString() const {
    return absl::StrCat("@", name, " ", mesh.ToString());
  }
};

std::vector<TensorSharding> ShardingsIn(const Attribute& attribute) {
  if (const auto* one = attribute.As<Attribute::Sharding>()) {
    return {one->value};
  }
  const auto* all = attribute.As<Attribute::ShardingPerValue>();
  return all == nullptr ? std::vector<TensorSharding>() : all->values;
}

bool IsManual(const AnnotationSite& site) {
  return site.op != nullptr && site.op->name() == kManualComputation;
}

bool NamesAxes(const TensorSharding& sharding) {
  return HasAxes(sharding) || !sharding.replicated.empty();
}

// Those of which axes are used, first those that cannot change, then those seen
// from outside, in the order in which they are found; if there are none, the
// first mesh with axes.
absl::StatusOr<std::vector<UsedMesh>> UsedMeshes(const Module& module) {
  std::vector<UsedMesh> unsharded;
  std::vector<UsedMesh> used;
  const auto visit = [&](const AnnotationSite& site) -> absl::Status {
    for (const AttributeMap::Entry& entry : site.attributes->entries()) {
      for (const TensorSharding& sharding : ShardingsIn(entry.second)) {
        ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                         MeshOfSharding(sharding, module.meshes()));
        if (mesh->is_empty()) continue;
        UsedMesh use{.name = std::get<std::string>(sharding.mesh),
                     .mesh = *mesh,
                     .first_site = site,
                     .axes = {}};
        if (!NamesAxes(sharding) && !IsManual(site)) {
          if (unsharded.empty()) unsharded.push_back(std::move(use));
          continue;
        }
        auto found =
            std::find_if(used.begin(), used.end(),
                         [&](const UsedMesh& u) { return u.name == use.name; });
        if (found == used.end()) found = used.insert(found, std::move(use));
        found->is_outside |= site.op == nullptr;
        found->is_manual |= IsManual(site);
      }
    }
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(ForEachSite(module, visit));
  std::stable_partition(used.begin(), used.end(), [](const UsedMesh& u) {
    return u.is_outside || u.is_manual;
  });
  std::stable_partition(used.begin(), used.end(),
                        [](const UsedMesh& u) { return u.is_manual; });
  return used.empty() ? unsharded : used;
}

// A tensor with a dimension for each axis, split along all of them, on the
// devices of `order`: by their positions on the first mesh, in whose order
// meshes are joined, whatever that is.
absl::StatusOr<GspmdValue> TilesOf(const ShardingMesh& mesh,
                                   const ShardingMesh& order,
                                   const ShardingMesh& first) {
  const auto count = static_cast<size_t>(order.device_count());
  std::vector<int64_t> positions(count);
  for (size_t i = 0; i < count; ++i) {
    positions[first.DeviceAt(static_cast<int64_t>(i))] =
        static_cast<int64_t>(i);
  }
  std::vector<int64_t> devices(count);
  for (size_t i = 0; i < count; ++i) {
    devices[i] = positions[order.DeviceAt(static_cast<int64_t>(i))];
  }
  ASSIGN_OR_RETURN(TileAssignment tiles,
                   TileAssignment::FromDevices(mesh.abstract().axis_sizes(),
                                               std::move(devices)));
  return GspmdValue{
      GspmdSharding::Tiled(std::move(tiles), {}), mesh.abstract().rank(), {}};
}

std::vector<std::string> ManualAxes(const Op& op) {
  std::vector<std::string> axes;
  for (const Attribute& axis :
       op.attribute("manual_axes")->As<Attribute::Array>()->elements) {
    axes.push_back(axis.As<Attribute::String>()->value);
  }
  return axes;
}

// Of a manual computation without values nothing says on which mesh it is:
// axes that the mesh of the program lacks mean nothing.
absl::Status DropUnknownManualAxes(Module& module, const AbstractMesh& mesh) {
  return ForEachOp(module, [&](Op& op) {
    if (op.name() != kManualComputation || !op.operands().empty() ||
        op.result_count() > 0) {
      return absl::OkStatus();
    }
    Attribute::Array known;
    for (const std::string& axis : ManualAxes(op)) {
      if (mesh.FindAxis(axis))
        known.elements.push_back(Attribute::String{axis});
    }
    op.mutable_attributes().Set("manual_axes", std::move(known));
    return absl::OkStatus();
  });
}

class MeshJoiner {
 public:
  MeshJoiner(Module& module, std::vector<UsedMesh> used)
      : module_(module), used_(std::move(used)) {}

  absl::Status Run() {
    for (UsedMesh& mesh : used_) RETURN_IF_ERROR(Add(mesh));
    RETURN_IF_ERROR(NameMesh());
    RETURN_IF_ERROR(SetDeviceOrders());
    for (size_t i = 0; i < used_.size(); ++i) {
      for (const DimSharding& axis : joined_.shardings[i].dims) {
        used_[i].axes.push_back(Renamed(axis.axes));
      }
    }
    RETURN_IF_ERROR(ForEachOp(module_, [&](Op& op) {
      return op.name() == kManualComputation ? ChangeManualAxes(op)
                                             : absl::OkStatus();
    }));
    return ChangeShardings(
        module_, [&](TensorSharding& sharding) { return Change(sharding); });
  }

 private:
  absl::Status Add(UsedMesh& next) {
    const UsedMesh& first = used_[0];
    if (next.mesh.device_count() == first.mesh.device_count()) {
      if (AddTiles(next.mesh, next.mesh)) return absl::OkStatus();
      if (!next.is_manual && AddTiles(next.mesh, first.mesh)) {
        next.is_reordered = true;
        return absl::OkStatus();
      }
    }
    return next.first_site.Error(
        absl::StrCat("expected shardings on one mesh, or on some whose axes "
                     "are parts of those of one, found ",
                     first.ToString(), " and ", next.ToString()),
        absl::StatusCode::kUnimplemented);
  }

  // Whether one mesh has these and those before.
  bool AddTiles(const ShardingMesh& mesh, const ShardingMesh& order) {
    absl::StatusOr<GspmdValue> tiles = TilesOf(mesh, order, used_[0].mesh);
    if (!tiles.ok()) return false;
    tiles_.push_back(*std::move(tiles));
    absl::StatusOr<ImportedShardings> joined = ImportGspmd(tiles_);
    if (joined.ok()) {
      joined_ = *std::move(joined);
      return true;
    }
    tiles_.pop_back();
    return false;
  }

  // One of those that are declared, if one is the same but for names.
  absl::Status NameMesh() {
    std::vector<int64_t> devices;
    for (int64_t i = 0; i < joined_.mesh.device_count(); ++i) {
      devices.push_back(used_[0].mesh.DeviceAt(joined_.mesh.DeviceAt(i)));
    }
    ASSIGN_OR_RETURN(mesh_, ShardingMesh::Create(joined_.mesh.abstract(),
                                                 std::move(devices)));
    for (const UsedMesh& mesh : used_) {
      if (mesh.mesh.abstract().axis_sizes() != mesh_.abstract().axis_sizes() ||
          mesh.mesh.device_ids() != mesh_.device_ids()) {
        continue;
      }
      name_ = mesh.name;
      mesh_ = mesh.mesh;
      return absl::OkStatus();
    }
    name_ = module_.meshes().FreeName();
    return module_.meshes().Add(name_, mesh_);
  }

  // Of arguments and results on meshes in another order, by position on the
  // joined mesh.
  absl::Status SetDeviceOrders() const {
    return ForEachSite(module_, [&](const AnnotationSite& site) {
      if (site.op != nullptr) return absl::OkStatus();
      const TensorSharding* sharding = ShardingOf(*site.attributes);
      if (sharding == nullptr || !HasAxes(*sharding)) return absl::OkStatus();
      const UsedMesh* mesh = Find(*sharding);
      if (mesh != nullptr && mesh->is_reordered) {
        SetDeviceOrder(OrderOf(*mesh), *site.attributes);
      }
      return absl::OkStatus();
    });
  }

  // Where the first mesh has the device at a position of the joined one, `mesh`
  // has another.
  std::vector<int64_t> OrderOf(const UsedMesh& mesh) const {
    const auto count = static_cast<size_t>(mesh_.device_count());
    std::vector<int64_t> own(count);
    for (size_t i = 0; i < count; ++i) {
      const auto place = static_cast<int64_t>(i);
      own[used_[0].mesh.DeviceAt(place)] = mesh.mesh.DeviceAt(place);
    }
    std::vector<int64_t> order(count);
    for (size_t i = 0; i < count; ++i) {
      order[i] = own[mesh_.DeviceAt(static_cast<int64_t>(i))];
    }
    return order;
  }

  std::vector<AxisRef> Renamed(const std::vector<AxisRef>& axes) const {
    std::vector<AxisRef> renamed;
    for (const AxisRef& axis : axes) {
      const int64_t place = *joined_.mesh.abstract().FindAxis(axis.name());
      renamed.emplace_back(mesh_.axes()[place].name);
    }
    return renamed;
  }

  const UsedMesh* Find(const TensorSharding& sharding) const {
    const auto* name = std::get_if<std::string>(&sharding.mesh);
    if (name == nullptr) return nullptr;
    const auto found =
        std::find_if(used_.begin(), used_.end(),
                     [&](const UsedMesh& u) { return u.name == *name; });
    return found == used_.end() ? nullptr : &*found;
  }

  absl::Status Change(TensorSharding& sharding) const {
    if (!NamesAxes(sharding)) {
      sharding.mesh = name_;
      return absl::OkStatus();
    }
    const UsedMesh* from = Find(sharding);
    if (from == nullptr) return absl::OkStatus();
    sharding.mesh = name_;
    for (DimSharding& dim : sharding.dims) {
      RETURN_IF_ERROR(Change(*from, dim.axes));
    }
    RETURN_IF_ERROR(Change(*from, sharding.replicated));
    RETURN_IF_ERROR(Change(*from, sharding.unreduced));
    sharding.replicated =
        SortedAndMerged(std::move(sharding.replicated), mesh_.abstract());
    sharding.unreduced =
        SortedAndMerged(std::move(sharding.unreduced), mesh_.abstract());
    return absl::OkStatus();
  }

  absl::Status Change(const UsedMesh& from, std::vector<AxisRef>& axes) const {
    std::vector<AxisRef> changed;
    for (const AxisRef& axis : axes) {
      RETURN_IF_ERROR(Append(from, axis, changed));
    }
    axes = std::move(changed);
    return absl::OkStatus();
  }

  // The parts of the joined mesh between the ends of `axis` in its own axis.
  absl::Status Append(const UsedMesh& from, const AxisRef& axis,
                      std::vector<AxisRef>& changed) const {
    const AbstractMesh& own = from.mesh.abstract();
    const int64_t begin = axis.pre_size();
    const int64_t end = axis.NextPreSize(own);
    int64_t at = 1;
    for (const AxisRef& part : from.axes[*own.FindAxis(axis.name())]) {
      const int64_t size = part.Size(mesh_.abstract());
      const int64_t from_here = std::max(begin, at);
      const int64_t to_here = std::min(end, at * size);
      if (from_here < to_here) {
        const int64_t pre_size = from_here / at;
        const int64_t kept = to_here / from_here;
        if (from_here % at != 0 || to_here % from_here != 0 ||
            size % (pre_size * kept) != 0) {
          return absl::UnimplementedError(absl::StrCat(
              axis.ToString(), " of ", from.ToString(),
              " is no product of axes of @", name_, " ", mesh_.ToString()));
        }
        const AxisRef piece =
            kept == size ? part : AxisRef(part.name(), pre_size, kept);
        AppendAxes({piece}, mesh_.abstract(), changed);
      }
      at *= size;
    }
    return absl::OkStatus();
  }

  // All parts of the axes that are manual.
  absl::Status ChangeManualAxes(Op& op) const {
    const UsedMesh* from = nullptr;
    for (const absl::string_view name : {"in_shardings", "out_shardings"}) {
      for (const TensorSharding& sharding : ShardingsIn(*op.attribute(name))) {
        if (from == nullptr) from = Find(sharding);
      }
    }
    Attribute::Array names;
    for (const std::string& axis : ManualAxes(op)) {
      // One without values lies on any mesh that has the axis.
      const UsedMesh* mesh = from;
      for (size_t i = 0; mesh == nullptr && i < used_.size(); ++i) {
        if (used_[i].mesh.abstract().FindAxis(axis)) mesh = &used_[i];
      }
      if (mesh == nullptr) continue;
      const std::optional<int64_t> place = mesh->mesh.abstract().FindAxis(axis);
      if (!place.has_value()) continue;
      for (const AxisRef& part : mesh->axes[*place]) {
        names.elements.push_back(Attribute::String{part.name()});
      }
    }
    op.mutable_attributes().Set("manual_axes", std::move(names));
    return absl::OkStatus();
  }

  Module& module_;
  std::vector<UsedMesh> used_;
  std::vector<GspmdValue> tiles_;  // by mesh
  ImportedShardings joined_;
  // The joined mesh.
  std::string name_;
  ShardingMesh mesh_;
};

}  // namespace

absl::Status JoinMeshes(Module& module) {
  RETURN_IF_ERROR(ForEachSite(module, [](const AnnotationSite& site) {
    if (site.op == nullptr) SetDeviceOrder({}, *site.attributes);
    return absl::OkStatus();
  }));
  ASSIGN_OR_RETURN(std::vector<UsedMesh> used, UsedMeshes(module));
  if (used.size() > 1) return MeshJoiner(module, std::move(used)).Run();
  RETURN_IF_ERROR(DropUnknownManualAxes(
      module, used.empty() ? AbstractMesh() : used[0].mesh.abstract()));
  if (used.empty()) return absl::OkStatus();
  return ChangeShardings(module, [&](TensorSharding& sharding) {
    if (!NamesAxes(sharding)) sharding.mesh = used[0].name;
    return absl::OkStatus();
  });
}

}  // namespace lockstep::internal
