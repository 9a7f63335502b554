#include "client/jit/replication.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "client/jit/device_numbers.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/lockstep/ragged_all_to_all.h"
#include "runtime/ops/sdy/manual_computation.h"

namespace lockstep::internal {
namespace {

// By axis of the mesh: whether a value is equal along it.
using Equal = std::vector<bool>;

class ReplicationAnalysis {
 public:
  explicit ReplicationAnalysis(const AbstractMesh& mesh)
      : mesh_(mesh), numbers_(mesh.size()) {}

  // Of what the region returns.
  std::vector<Equal> OfRegion(const Region& region,
                              const std::vector<Equal>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      equal_[region.arguments()[i].get()] = arguments[i];
    }
    // Sends and recvs match within one region.
    Transfers outer = std::exchange(transfers_, {});
    for (const auto& op : region.ops()) {
      if (op.get() != region.terminator()) Visit(*op);
    }
    transfers_ = std::move(outer);
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
    numbers_.Visit(op);
    const OpKind kind =
        op.def() == nullptr ? OpKind::kCustomCall : op.def()->kind();
    if (op.result_count() == 1 && numbers_.Find(op.result(0)) != nullptr) {
      Set(op, OfNumbers(*numbers_.Find(op.result(0))));
    } else if (op.name() == "stablehlo.while") {
      VisitWhile(op);
    } else if (op.name() == "stablehlo.case" || op.name() == "stablehlo.if") {
      VisitBranches(op);
    } else if (op.name() == "sdy.manual_computation") {
      VisitManual(op);
    } else if (op.name() == "stablehlo.send") {
      VisitSend(op);
    } else if (op.name() == "stablehlo.recv") {
      Set(op, OfReceived(op));
    } else if (kind == OpKind::kCollective || IsRaggedAllToAll(op)) {
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
    for (const auto& op : region.ops()) {
      Meet(OfOperands(*op), equal);
      for (const auto& inner : op->regions()) MeetCaptured(*inner, equal);
    }
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

  // What a device's result is made of: devices with equal lists have equal
  // results.
  using Sources = std::vector<int64_t>;

  // The number of the device that stands for all whose values are equal to
  // those of `device`.
  int64_t Representative(int64_t device, const Equal& equal) const {
    int64_t stride = mesh_.size();
    int64_t representative = 0;
    for (int64_t axis = 0; axis < mesh_.rank(); ++axis) {
      stride /= mesh_.axes()[axis].size;
      const int64_t position = device / stride % mesh_.axes()[axis].size;
      if (!equal[axis]) representative += position * stride;
    }
    return representative;
  }

  // Along which axes the sources of devices are the same.
  Equal OfSources(const std::vector<Sources>& by_device) const {
    Equal equal = Everywhere();
    int64_t stride = mesh_.size();
    for (int64_t axis = 0; axis < mesh_.rank(); ++axis) {
      const int64_t size = mesh_.axes()[axis].size;
      stride /= size;
      for (int64_t device = 0; device < mesh_.size(); ++device) {
        const int64_t first = device - device / stride % size * stride;
        equal[axis] = equal[axis] && by_device[device] == by_device[first];
      }
    }
    return equal;
  }

  static bool IsRaggedAllToAll(const Op& op) {
    return CustomCallTargetName(op) == kRaggedAllToAllTarget;
  }

  // The devices that the collective names, row by row.
  static std::vector<Sources> RowsOf(const Op& op, absl::string_view name) {
    const Attribute* rows =
        IsRaggedAllToAll(op) ? CallConfig(op).Find(name) : op.attribute(name);
    const auto* table =
        rows == nullptr ? nullptr : rows->As<Attribute::Elements>();
    if (table == nullptr || table->shape.rank() != 2) return {};
    const auto devices = IntegersOf(*rows);
    if (!devices.ok()) return {};
    std::vector<Sources> result(table->shape.dim(0));
    for (size_t i = 0; i < devices->size(); ++i) {
      result[i / table->shape.dim(1)].push_back((*devices)[i]);
    }
    return result;
  }

  bool IsDevice(int64_t number) const {
    return number >= 0 && number < mesh_.size();
  }

  // Of what the op moves along its pairs.
  Equal OfPairs(const Op& op, const Equal& operands) const {
    std::vector<Sources> by_device(mesh_.size());
    for (const Sources& pair : RowsOf(op, "source_target_pairs")) {
      if (pair.size() != 2 || !IsDevice(pair[1])) continue;
      by_device[pair[1]] = {Representative(pair[0], operands)};
    }
    return OfSources(by_device);
  }

  void VisitSend(const Op& op) {
    if (transfers_.early > 0) {
      --transfers_.early;
    } else {
      transfers_.sent.push_back(Of(op.operand(0)));
    }
  }

  // The n-th recv gets what the n-th send has sent; what is sent later is
  // not known yet.
  Equal OfReceived(const Op& recv) {
    if (transfers_.sent.empty()) {
      ++transfers_.early;
      return Equal(mesh_.rank(), false);
    }
    const Equal sent = std::move(transfers_.sent.front());
    transfers_.sent.pop_front();
    return OfPairs(recv, sent);
  }

  Equal OfCollective(const Op& op) const {
    const Equal operands = OfOperands(op);
    std::vector<Sources> by_device(mesh_.size());
    if (op.name() == "stablehlo.collective_permute") {
      return OfPairs(op, operands);
    }
    const std::vector<Sources> groups = RowsOf(op, "replica_groups");
    if (groups.empty()) return Equal(mesh_.rank(), false);
    for (const Sources& group : groups)
      AddGroup(op, group, operands, by_device);
    return OfSources(by_device);
  }

  // Sums and gathers are made of what all of the group have, in its order;
  // others also of the place of the device in it.
  void AddGroup(const Op& op, const Sources& group, const Equal& operands,
                std::vector<Sources>& by_device) const {
    const bool is_for_all = op.name() == "stablehlo.all_reduce" ||
                            op.name() == "stablehlo.all_gather";
    Sources sources;
    for (int64_t device : group) {
      if (IsDevice(device)) sources.push_back(Representative(device, operands));
    }
    if (op.name() == "stablehlo.collective_broadcast") {
      sources.resize(std::min<size_t>(sources.size(), 1));
    } else if (!is_for_all) {
      sources.push_back(0);
    }
    for (int64_t device : group) {
      if (!IsDevice(device)) continue;
      by_device[device] = sources;
      if (op.name() != "stablehlo.collective_broadcast" && !is_for_all) {
        ++sources.back();
      }
    }
  }

  Equal OfNumbers(const std::vector<int64_t>& by_device) const {
    std::vector<Sources> sources;
    for (int64_t number : by_device) sources.push_back({number});
    return OfSources(sources);
  }

  struct Transfers {
    std::deque<Equal> sent;  // and not received
    int early = 0;           // recvs before their sends
  };

  const AbstractMesh& mesh_;
  DeviceNumbers numbers_;
  absl::flat_hash_map<const Value*, Equal> equal_;
  Transfers transfers_;  // of the region that is visited
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
