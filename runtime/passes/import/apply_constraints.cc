#include "runtime/passes/import/apply_constraints.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/module_mesh.h"

namespace lockstep::internal {
namespace {

// What constraints ask of each value; the values in the order in which they
// were found.
struct Demands {
  std::vector<Value*> values;
  absl::flat_hash_map<const Value*, std::vector<TensorSharding>> shardings;

  void Add(Value* value, const TensorSharding& sharding) {
    auto& asked = shardings[value];
    if (asked.empty()) values.push_back(value);
    asked.push_back(sharding);
  }
};

absl::Status Collect(const Region& region, Demands& demands) {
  for (const auto& op : region.ops()) {
    if (op->name() == "sdy.sharding_constraint") {
      demands.Add(op->operand(0),
                  op->attribute("sharding")->As<Attribute::Sharding>()->value);
    } else if (op->name() == "sdy.manual_computation") {
      ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(*op));
      for (int i = 0; i < op->operand_count(); ++i) {
        demands.Add(op->operand(i), manual.in[i]);
      }
    }
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(Collect(*inner, demands));
    }
  }
  return absl::OkStatus();
}

bool IsClosed(const TensorSharding& sharding) {
  return std::all_of(sharding.dims.begin(), sharding.dims.end(),
                     [](const DimSharding& dim) { return dim.is_closed; });
}

void Apply(Value* value, const TensorSharding& sharding, Function& function) {
  Op* op = value->defining_op();
  if (op == nullptr) {
    if (value->region() != &function.body()) return;
    AttributeMap& attributes = function.argument_attributes()[value->index()];
    if (ShardingOf(attributes) == nullptr) SetSharding(attributes, sharding);
    return;
  }
  const bool is_flow = op->def() == nullptr ||
                       op->def()->kind() == OpKind::kControlFlow ||
                       op->name() == "stablehlo.optimization_barrier";
  // A constraint has a sharding already.
  if (is_flow || op->name() == "sdy.sharding_constraint" ||
      op->name() == "sdy.reshard") {
    return;
  }
  std::vector<TensorSharding> shardings;
  for (int i = 0; i < op->result_count(); ++i) {
    const TensorSharding* known = ResultSharding(*op, i);
    if (i == value->index() && known != nullptr) return;
    shardings.push_back(i == value->index() ? sharding
                        : known != nullptr
                            ? *known
                            : UnshardedOn(sharding.mesh,
                                          RankOf(op->result(i)->type()),
                                          /*is_closed=*/false));
  }
  SetResultShardings(*op, std::move(shardings));
}

}  // namespace

absl::Status ApplyConstraints(Function& function) {
  Demands demands;
  RETURN_IF_ERROR(Collect(function.body(), demands));
  for (Value* value : demands.values) {
    const std::vector<TensorSharding>& asked = demands.shardings[value];
    const bool is_agreed =
        std::all_of(asked.begin(), asked.end(),
                    [&](const TensorSharding& s) { return s == asked[0]; });
    if (is_agreed && IsClosed(asked[0]) && asked[0].unreduced.empty()) {
      Apply(value, asked[0], function);
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
