#include "runtime/passes/import/manual_regions.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/manual_computation_builder.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/import/shard_components.h"
#include "runtime/passes/import/value_origins.h"

namespace lockstep::internal {
namespace {

using Axes = std::vector<std::string>;
using Ops = std::vector<std::unique_ptr<Op>>;

absl::Status CheckChanges(const Module& module, const ShapeChanges& changes) {
  return ForEachOp(module, [&](const Op& op) {
    const absl::string_view target = CustomCallTarget(op);
    if (target != kFullToShard && target != kShardToFull) {
      return absl::OkStatus();
    }
    if (op.operand_count() != 1 || op.result_count() != 1) {
      return op.Error(
          absl::StrCat("@", target, ": expected an operand and a result"));
    }
    if (changes.contains(&op)) return absl::OkStatus();
    return op.Error(
        absl::StrCat("@", target, ": expected the attribute mhlo.sharding"));
  });
}

const TensorSharding* DeclaredSharding(const Value& value) {
  if (value.defining_op() != nullptr) {
    return ResultSharding(*value.defining_op(), value.index());
  }
  const Function* function = value.region()->parent_function();
  return function == nullptr
             ? nullptr
             : ShardingOf(function->argument_attributes(value.index()));
}

class ManualRegions {
 public:
  ManualRegions(Module& module, const ShapeChanges& changes)
      : module_(module), changes_(changes), origins_(module, changes) {}

  absl::Status Run() {
    for (const auto& function : module_.functions()) {
      RETURN_IF_ERROR(Rebuild(function->body(), {}));
    }
    for (const auto& function : module_.functions()) Sweep(function->body());
    return absl::OkStatus();
  }

 private:
  // `outer` are manual in the region.
  absl::Status Rebuild(Region& region, const Axes& outer) {
    const std::vector<ShardComponent> components =
        FindShardComponents(region, changes_, origins_);
    Ops ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    absl::flat_hash_set<const Op*> members;
    absl::flat_hash_map<size_t, const ShardComponent*> ending;
    for (const ShardComponent& component : components) {
      ending[component.last()] = &component;
      for (const auto* indices :
           {&component.to_shards, &component.inner, &component.to_whole}) {
        for (const size_t i : *indices) {
          members.insert(ops[i].get());
          for (const auto& result : ops[i]->results()) {
            pending_.insert(result.get());
          }
        }
      }
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      const bool is_member = members.contains(ops[i].get());
      const auto end = ending.find(i);
      if (end != ending.end()) {
        RETURN_IF_ERROR(Build(*end->second, ops, region, outer));
      } else if (!is_member) {
        RETURN_IF_ERROR(CheckKnown(*ops[i], FreeValues(*ops[i])));
        RemapOperands(*ops[i], map_);
        RETURN_IF_ERROR(
            RebuildInside(*region.Append(std::move(ops[i])), outer));
      }
    }
    for (std::unique_ptr<Op>& op : ops) {
      if (op != nullptr) replaced_.push_back(std::move(op));
    }
    return absl::OkStatus();
  }

  absl::Status RebuildInside(const Op& op, const Axes& outer) {
    Axes axes = outer;
    if (op.name() == "sdy.manual_computation") {
      ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(op));
      absl::c_copy(manual.manual_axes, std::back_inserter(axes));
    }
    for (const auto& inner : op.regions()) {
      RETURN_IF_ERROR(Rebuild(*inner, axes));
    }
    return absl::OkStatus();
  }

  // That `op` uses no values of a computation which ends behind it.
  absl::Status CheckKnown(const Op& op,
                          const std::vector<Value*>& values) const {
    for (const Value* value : values) {
      if (!pending_.contains(value)) continue;
      return op.Unimplemented(
          "a value that it uses is inside of a computation with shards, or "
          "known only behind it");
    }
    return absl::OkStatus();
  }

  absl::Status Build(const ShardComponent& component, Ops& ops, Region& region,
                     const Axes& outer) {
    ManualComputationBuilder builder(region, map_, origins_);
    RETURN_IF_ERROR(AddInputs(component, ops, builder));
    if (component.inner.empty() && component.to_whole.empty()) {
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const Axes axes, AxesOf(component, ops, outer));
    const Location location = ops[component.first()]->location();
    std::vector<const Value*> inside;
    for (const size_t i : component.inner) {
      for (const auto& result : ops[i]->results()) {
        inside.push_back(result.get());
      }
      builder.AddOp(std::move(ops[i]));
    }
    for (const size_t i : component.to_whole) {
      const ShapeChange& change = changes_.at(ops[i].get());
      for (int k = 0; k < ops[i]->result_count(); ++k) {
        builder.AddOutput(ops[i]->operand(k), change.shardings[k],
                          ops[i]->result(k)->type());
      }
    }
    ASSIGN_OR_RETURN(const Op* made, builder.Build(axes, location));
    RETURN_IF_ERROR(CheckKnown(*made, made->operands()));
    maybe_dead_.insert(builder.copied().begin(), builder.copied().end());
    int next = 0;
    for (const size_t i : component.to_whole) {
      for (const auto& whole : ops[i]->results()) {
        map_.Set(whole.get(), made->result(next++));
        pending_.erase(whole.get());
      }
    }
    for (const Value* value : inside) pending_.erase(value);
    RETURN_IF_ERROR(RebuildInside(*made, outer));
    pending_.insert(inside.begin(), inside.end());
    return absl::OkStatus();
  }

  // Those that are not manual around it.
  absl::StatusOr<Axes> AxesOf(const ShardComponent& component, const Ops& ops,
                              const Axes& outer) const {
    std::optional<Axes> axes;
    for (const auto* indices : {&component.to_shards, &component.to_whole}) {
      for (const size_t i : *indices) {
        const std::optional<Axes>& said = changes_.at(ops[i].get()).manual_axes;
        if (!said.has_value()) continue;
        if (axes.has_value() && *axes != *said) {
          return ops[i]->Unimplemented(absl::StrCat(
              "shards that are manual along {", absl::StrJoin(*said, ", "),
              "} meet others that are along {", absl::StrJoin(*axes, ", "),
              "}"));
        }
        axes = said;
      }
    }
    const Op& first = *ops[component.first()];
    if (!axes.has_value()) {
      return first.Unimplemented(
          "nothing says along which axes its shards are manual");
    }
    Axes own;
    absl::c_copy_if(*axes, std::back_inserter(own),
                    [&](const std::string& axis) {
                      return !absl::c_linear_search(outer, axis);
                    });
    if (!own.empty() || axes->empty()) return own;
    return first.Unimplemented(absl::StrCat(
        "its shards are manual along {", absl::StrJoin(*axes, ", "),
        "}, which is manual around it already"));
  }

  absl::Status AddInputs(const ShardComponent& component, const Ops& ops,
                         ManualComputationBuilder& builder) {
    for (const size_t i : component.to_shards) {
      for (int k = 0; k < ops[i]->operand_count(); ++k) {
        ASSIGN_OR_RETURN(Input input, InputOf(*ops[i], k));
        builder.AddInput(input.whole, std::move(input.sharding),
                         ops[i]->result(k));
      }
    }
    return absl::OkStatus();
  }

  struct Input {
    Value* whole;
    TensorSharding sharding;
  };

  // The operand of a shape change, or of the constraint before it: its sharding
  // holds for the computation.
  absl::StatusOr<Input> InputOf(const Op& op, int k) {
    Value* whole = op.operand(k);
    const ShapeChange& change = changes_.at(&op);
    if (!change.shardings.empty()) return Input{whole, change.shardings[k]};
    const Op* from = whole->defining_op();
    if (from != nullptr && from->name() == "sdy.sharding_constraint") {
      maybe_dead_.insert(from);
      return Input{
          from->operand(0),
          from->attribute("sharding")->As<Attribute::Sharding>()->value};
    }
    const TensorSharding* declared = DeclaredSharding(*whole);
    if (declared != nullptr) return Input{whole, *declared};
    return op.Unimplemented("no sharding of its operand says what a shard is");
  }

  // Removes what was copied and is not used any more.
  void Sweep(Region& region) {
    Ops& ops = region.mutable_ops();
    for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
      const bool is_used = absl::c_any_of(
          (*it)->results(),
          [&](const auto& result) { return used_.contains(result.get()); });
      if (!is_used && maybe_dead_.contains(it->get())) {
        it->reset();
        continue;
      }
      used_.insert((*it)->operands().begin(), (*it)->operands().end());
      for (const auto& inner : (*it)->regions()) Sweep(*inner);
    }
    ops.erase(std::remove(ops.begin(), ops.end(), nullptr), ops.end());
  }

  Module& module_;
  const ShapeChanges& changes_;
  ValueOrigins origins_;
  // Whole values of shape changes; those that are not computed yet, with all
  // others of their computations.
  ValueMap map_;
  absl::flat_hash_set<const Value*> pending_;
  // Ops without effects whose users may be gone.
  absl::flat_hash_set<const Op*> maybe_dead_;
  absl::flat_hash_set<const Value*> used_;
  // Kept until the end: the addresses of their results are keys of maps.
  Ops replaced_;
};

}  // namespace

absl::Status BuildManualRegions(Module& module, const ShapeChanges& changes) {
  RETURN_IF_ERROR(CheckChanges(module, changes));
  if (changes.empty()) return absl::OkStatus();
  return ManualRegions(module, changes).Run();
}

}  // namespace lockstep::internal
