#include "client/jit/replication.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/sdy/manual_computation.h"

namespace lockstep::internal {
namespace {

// By axis of the mesh: whether a value is equal along it.
using Equal = std::vector<bool>;

class ReplicationAnalysis {
 public:
  explicit ReplicationAnalysis(const AbstractMesh& mesh) : mesh_(mesh) {}

  // Of what the region returns.
  std::vector<Equal> OfRegion(const Region& region,
                              const std::vector<Equal>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      equal_[region.arguments()[i].get()] = arguments[i];
    }
    for (const auto& op : region.ops()) {
      if (op.get() != region.terminator()) Visit(*op);
    }
    std::vector<Equal> results;
    for (const Value* value : region.terminator()->operands()) {
      results.push_back(Of(value));
    }
    return results;
  }

  Equal Everywhere() const { return Equal(mesh_.rank(), true); }

  // Equal along the axes that the sharding does not name.
  Equal OfSharding(const TensorSharding& sharding) const {
    Equal equal = Everywhere();
    for (const DimSharding& dim : sharding.dims) {
      for (const AxisRef& axis : dim.axes) {
        equal[*mesh_.FindAxis(axis.name())] = false;
      }
    }
    return equal;
  }

 private:
  // Of a value from outside, which is the same on all devices of the region.
  Equal Of(const Value* value) const {
    const auto found = equal_.find(value);
    return found == equal_.end() ? Everywhere() : found->second;
  }

  static void Meet(const Equal& other, Equal& equal) {
    for (size_t i = 0; i < equal.size(); ++i) {
      equal[i] = equal[i] && other[i];
    }
  }

  Equal OfOperands(const Op& op) const {
    Equal equal = Everywhere();
    for (const Value* operand : op.operands()) Meet(Of(operand), equal);
    return equal;
  }

  void Set(const Op& op, const Equal& equal) {
    for (const auto& result : op.results()) equal_[result.get()] = equal;
  }

  void Visit(const Op& op) {
    const OpKind kind =
        op.def() == nullptr ? OpKind::kCustomCall : op.def()->kind();
    if (op.name() == "stablehlo.while") {
      VisitWhile(op);
    } else if (op.name() == "stablehlo.case" || op.name() == "stablehlo.if") {
      VisitBranches(op);
    } else if (op.name() == "sdy.manual_computation") {
      VisitManual(op);
    } else if (kind == OpKind::kCollective) {
      Set(op, OfCollective(op));
    } else if (op.name() == "stablehlo.partition_id" ||
               op.name() == "stablehlo.rng") {
      Set(op, Equal(mesh_.rank(), false));
    } else {
      Equal equal = OfOperands(op);
      for (const auto& region : op.regions()) MeetCaptured(*region, equal);
      Set(op, equal);
    }
  }

  // What bodies of scalars use from outside.
  void MeetCaptured(const Region& region, Equal& equal) const {
    for (const auto& op : region.ops()) Meet(OfOperands(*op), equal);
  }

  // Until a run of the body changes nothing: fewer axes each time.
  void VisitWhile(const Op& op) {
    std::vector<Equal> carried;
    for (const Value* operand : op.operands()) carried.push_back(Of(operand));
    while (true) {
      std::vector<Equal> next = carried;
      // Devices whose loops do not end together have nothing in common.
      const Equal condition = OfRegion(*op.regions()[0], carried)[0];
      const std::vector<Equal> returned = OfRegion(*op.regions()[1], carried);
      for (size_t i = 0; i < next.size(); ++i) {
        Meet(returned[i], next[i]);
        Meet(condition, next[i]);
      }
      if (next == carried) break;
      carried = std::move(next);
    }
    for (int i = 0; i < op.result_count(); ++i) {
      equal_[op.result(i)] = carried[i];
    }
  }

  void VisitBranches(const Op& op) {
    std::vector<Equal> results(op.result_count(), OfOperands(op));
    for (const auto& region : op.regions()) {
      const std::vector<Equal> returned = OfRegion(*region, {});
      for (size_t i = 0; i < results.size(); ++i) {
        Meet(returned[i], results[i]);
      }
    }
    for (int i = 0; i < op.result_count(); ++i) {
      equal_[op.result(i)] = results[i];
    }
  }

  // Along axes that are manual in it, its whole values are equal.
  void VisitManual(const Op& op) {
    const auto manual = ManualShardingsOf(op);
    std::vector<Equal> arguments;
    for (int i = 0; i < op.operand_count(); ++i) {
      Equal equal = Of(op.operand(i));
      if (manual.ok()) Meet(OfSharding(manual->in[i]), equal);
      arguments.push_back(std::move(equal));
    }
    const std::vector<Equal> returned = OfRegion(op.region(), arguments);
    for (int i = 0; i < op.result_count(); ++i) {
      Equal equal = returned[i];
      for (const std::string& axis :
           manual.ok() ? manual->manual_axes : std::vector<std::string>()) {
        equal[*mesh_.FindAxis(axis)] = true;
      }
      equal_[op.result(i)] = equal;
    }
  }

  // Sums and gathers are the same on all of a group. Other collectives give
  // each member its own.
  Equal OfCollective(const Op& op) const {
    Equal equal = OfOperands(op);
    const bool is_for_all = op.name() == "stablehlo.all_reduce" ||
                            op.name() == "stablehlo.all_gather" ||
                            op.name() == "stablehlo.collective_broadcast";
    const std::vector<int64_t> group_of = GroupOfDevices(op);
    if (group_of.empty()) return Equal(mesh_.rank(), false);
    for (int64_t axis = 0; axis < mesh_.rank(); ++axis) {
      if (!IsWithinGroups(axis, group_of)) continue;
      equal[axis] = is_for_all;
    }
    return equal;
  }

  // By device; empty where the op has no groups.
  std::vector<int64_t> GroupOfDevices(const Op& op) const {
    const Attribute* groups = op.attribute("replica_groups");
    const auto* table =
        groups == nullptr ? nullptr : groups->As<Attribute::Elements>();
    if (table == nullptr || table->shape.rank() != 2) return {};
    const auto devices = IntegersOf(*groups);
    if (!devices.ok()) return {};
    std::vector<int64_t> group_of(mesh_.size(), -1);
    const int64_t width = table->shape.dim(1);
    for (size_t i = 0; i < devices->size(); ++i) {
      const int64_t device = (*devices)[i];
      if (device >= 0 && device < mesh_.size()) {
        group_of[device] = static_cast<int64_t>(i) / width;
      }
    }
    return group_of;
  }

  // Whether devices that differ only along this axis are of one group.
  bool IsWithinGroups(int64_t axis,
                      const std::vector<int64_t>& group_of) const {
    int64_t stride = 1;
    for (int64_t i = axis + 1; i < mesh_.rank(); ++i) {
      stride *= mesh_.axes()[i].size;
    }
    const int64_t size = mesh_.axes()[axis].size;
    for (int64_t device = 0; device < mesh_.size(); ++device) {
      const int64_t first = device - device / stride % size * stride;
      if (group_of[device] != group_of[first]) return false;
    }
    return true;
  }

  const AbstractMesh& mesh_;
  absl::flat_hash_map<const Value*, Equal> equal_;
};

}  // namespace

absl::Status CheckReplication(const Region& body, const ManualShardings& manual,
                              const AbstractMesh& mesh, absl::string_view what,
                              const std::vector<std::string>& paths) {
  ReplicationAnalysis analysis(mesh);
  std::vector<Equal> arguments;
  for (const TensorSharding& sharding : manual.in) {
    arguments.push_back(analysis.OfSharding(sharding));
  }
  const std::vector<Equal> results = analysis.OfRegion(body, arguments);
  for (size_t i = 0; i < results.size(); ++i) {
    const Equal promised = analysis.OfSharding(manual.out[i]);
    for (int64_t axis = 0; axis < mesh.rank(); ++axis) {
      const std::string& name = mesh.axes()[axis].name;
      if (results[i][axis] || !promised[axis] ||
          !absl::c_linear_search(manual.manual_axes, name)) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat(
          what, ": ", paths[i], " may differ along the axis '", name,
          "', which its spec does not name: reduce or gather it along that "
          "axis, name the axis, or set check_replication = false"));
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
