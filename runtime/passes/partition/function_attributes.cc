#include "runtime/passes/partition/function_attributes.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/gspmd_attributes.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/sharding/exported_sharding.h"
#include "runtime/sharding/propagate_shardings.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<bool> IsSet(const Module& module, absl::string_view name) {
  const Attribute* attribute = module.attributes().Find(name);
  if (attribute == nullptr) return false;
  if (attribute->As<Attribute::Unit>() != nullptr) return true;
  return absl::InvalidArgumentError(
      absl::StrCat("module attribute ", name,
                   ": expected a unit attribute, found one with "
                   "a value"));
}

}  // namespace

absl::Status FunctionAttributes::Read() {
  const auto& arguments = function_.body().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TensorSharding* sharding =
        ShardingOf(function_.argument_attributes()[i]);
    if (sharding != nullptr) {
      shardings_.values.Set(arguments[i].get(), *sharding);
    }
  }
  for (const AttributeMap& attributes : function_.result_attributes()) {
    const TensorSharding* sharding = ShardingOf(attributes);
    shardings_.results.push_back(
        sharding == nullptr ? std::nullopt : std::optional(*sharding));
  }
  return ReadRegion(function_.body());
}

absl::Status FunctionAttributes::Propagate(
    const Module& module, ShardingChangeObserver on_change,
    const std::function<void(absl::string_view)>& after_priority) {
  PropagationOptions options;
  ASSIGN_OR_RETURN(options.is_conservative,
                   IsSet(module, kConservativePropagation));
  ASSIGN_OR_RETURN(const bool is_gspmd, IsSet(module, kGspmdPropagation));
  if (is_gspmd) options.algorithm = PropagationAlgorithm::kGspmd;
  options.on_change = std::move(on_change);
  if (after_priority != nullptr) {
    options.observer = [&](absl::string_view stage,
                           const FunctionShardings& shardings) {
      if (absl::StrContains(stage, "_op_priority_")) return;
      WriteAsIs(shardings);
      after_priority(stage);
    };
  }
  for (auto& [id, members] : groups_) {
    options.groups.push_back(std::move(members));
  }
  return PropagateShardings(function_, module.meshes(), shardings_, options);
}

void FunctionAttributes::Write() {
  const auto& arguments = function_.body().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value* argument = arguments[i].get();
    WriteBorder(shardings_.values.Find(argument), argument->type(),
                function_.argument_attributes()[i]);
  }
  for (size_t i = 0; i < shardings_.results.size(); ++i) {
    const auto& sharding = shardings_.results[i];
    WriteBorder(sharding.has_value() ? &*sharding : nullptr,
                function_.result_types()[i], function_.result_attributes()[i]);
  }
  WriteRegion(function_.body());
}

absl::Status FunctionAttributes::ReadRegion(const Region& region) {
  for (const auto& op : region.ops()) {
    for (int i = 0; i < op->result_count(); ++i) {
      const TensorSharding* sharding = ResultSharding(*op, i);
      if (sharding != nullptr) {
        shardings_.values.Set(op->result(i), *sharding);
      }
    }
    if (op->name() == "sdy.sharding_constraint" ||
        op->name() == "sdy.reshard") {
      shardings_.values.Set(
          op->result(),
          op->attribute("sharding")->As<Attribute::Sharding>()->value);
    } else if (op->name() == "sdy.sharding_group") {
      ASSIGN_OR_RETURN(const int64_t id, op->IntegerAttribute("group_id"));
      groups_[id].push_back(op->operand(0));
    } else if (op->name() == "sdy.manual_computation") {
      RETURN_IF_ERROR(ReadManual(*op));
    }
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(ReadRegion(*inner));
    }
  }
  return absl::OkStatus();
}

absl::Status FunctionAttributes::ReadManual(const Op& op) {
  ASSIGN_OR_RETURN(ManualShardings manual, ManualShardingsOf(op));
  ManualShardings& known = shardings_.manual_computations[&op];
  known.manual_axes = std::move(manual.manual_axes);
  for (const TensorSharding& sharding : manual.in) {
    known.in.push_back(WithManualAxes(sharding, known.manual_axes));
  }
  for (const TensorSharding& sharding : manual.out) {
    known.out.push_back(WithManualAxes(sharding, known.manual_axes));
  }
  return absl::OkStatus();
}

TensorSharding FunctionAttributes::WithManualAxes(
    const TensorSharding& sharding,
    const std::vector<std::string>& manual_axes) const {
  TensorSharding complete = sharding;
  std::vector<AxisRef> replicated;
  for (const MeshAxis& axis : mesh_.mesh.axes()) {
    bool is_manual = false;
    for (const std::string& name : manual_axes) {
      is_manual |= name == axis.name;
    }
    const AxisRef whole(axis.name);
    bool is_used = false;
    for (const DimSharding& dim : sharding.dims) {
      for (const AxisRef& used : dim.axes) is_used |= used.Overlaps(whole);
    }
    for (const AxisRef& used : sharding.unreduced) {
      is_used |= used.Overlaps(whole);
    }
    if (is_manual && !is_used && axis.size > 1) {
      replicated.push_back(whole);
      continue;
    }
    for (const AxisRef& given : sharding.replicated) {
      if (given.name() == axis.name) replicated.push_back(given);
    }
  }
  complete.replicated = std::move(replicated);
  return complete;
}

TensorSharding FunctionAttributes::Exported(const TensorSharding& sharding,
                                            const Type& type) const {
  if (!type.is_tensor()) return ClosedSharding(sharding);
  return ClosedSharding(WithoutSubAxesOfOpenDims(
      DivisiblePrefix(sharding, mesh_.mesh.abstract(), type.shape().dims())));
}

void FunctionAttributes::WriteBorder(const TensorSharding* sharding,
                                     const Type& type,
                                     AttributeMap& attributes) {
  SetSharding(attributes,
              sharding == nullptr
                  ? UnshardedOn(mesh_.name, RankOf(type), /*is_closed=*/true)
                  : Exported(*sharding, type));
}

void FunctionAttributes::WriteRegion(const Region& region) {
  for (const auto& op : region.ops()) {
    WriteResults(shardings_, *op);
    const auto manual = shardings_.manual_computations.find(op.get());
    if (manual != shardings_.manual_computations.end()) {
      WriteManual(manual->second, *op);
    }
    for (const auto& inner : op->regions()) WriteRegion(*inner);
  }
}

void FunctionAttributes::WriteAsIs(const FunctionShardings& shardings) {
  const auto& arguments = function_.body().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TensorSharding* sharding = shardings.values.Find(arguments[i].get());
    if (sharding != nullptr) {
      SetSharding(function_.argument_attributes()[i], *sharding);
    }
  }
  for (size_t i = 0; i < shardings.results.size(); ++i) {
    if (shardings.results[i].has_value()) {
      SetSharding(function_.result_attributes()[i], *shardings.results[i]);
    }
  }
  WriteAsIs(shardings, function_.body());
}

void FunctionAttributes::WriteAsIs(const FunctionShardings& shardings,
                                   const Region& region) {
  for (const auto& op : region.ops()) {
    WriteResults(shardings, *op);
    for (const auto& inner : op->regions()) WriteAsIs(shardings, *inner);
  }
}

void FunctionAttributes::WriteResults(const FunctionShardings& all, Op& op) {
  if (op.result_count() == 0) return;
  std::vector<TensorSharding> shardings;
  bool has_any = false;
  for (const auto& result : op.results()) {
    const TensorSharding* found = all.values.Find(result.get());
    has_any |= found != nullptr;
    shardings.push_back(found != nullptr
                            ? *found
                            : UnshardedOn(mesh_.name, RankOf(result->type()),
                                          /*is_closed=*/false));
  }
  if (has_any) SetResultShardings(op, std::move(shardings));
}

void FunctionAttributes::WriteManual(const ManualShardings& manual, Op& op) {
  Attribute::ShardingPerValue in, out;
  for (int i = 0; i < op.operand_count(); ++i) {
    in.values.push_back(Exported(manual.in[i], op.operand(i)->type()));
  }
  for (int i = 0; i < op.result_count(); ++i) {
    out.values.push_back(Exported(manual.out[i], op.result(i)->type()));
  }
  op.mutable_attributes().Set("in_shardings", std::move(in));
  op.mutable_attributes().Set("out_shardings", std::move(out));
}

}  // namespace lockstep::internal
