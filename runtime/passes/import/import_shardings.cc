#include "runtime/passes/import/import_shardings.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/apply_constraints.h"
#include "runtime/passes/import/collectives_as_reshards.h"
#include "runtime/passes/import/constraint_chains.h"
#include "runtime/passes/import/inline_named_computations.h"
#include "runtime/passes/import/join_meshes.h"
#include "runtime/passes/import/listed_groups.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/import/sharding_attributes.h"
#include "runtime/passes/import/single_device_values.h"
#include "runtime/passes/import/split_constants.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// Whether the attribute of an argument or result of a function (`op` is null),
// or of an op that is left here, says how values are split.
bool SaysShardings(const Op* op, absl::string_view name) {
  if (name == kShardingAttributeName) return true;
  if (op == nullptr) return false;
  if (op->name() == "sdy.manual_computation") {
    return name == "in_shardings" || name == "out_shardings";
  }
  return name == "sharding" &&
         (op->name() == "sdy.sharding_constraint" ||
          op->name() == "sdy.reshard" || op->name() == "sdy.data_flow_edge" ||
          op->name() == "sdy.func_data_flow_edge");
}

// Shardings may stand under any other name, where nobody reads or verifies
// them: passes are to find none but those that mean something.
absl::Status DropOtherShardings(const Module& module) {
  return ForEachSite(module, [](const AnnotationSite& site) {
    std::vector<std::string> others;
    for (const auto& [name, attribute] : site.attributes->entries()) {
      const bool is_sharding =
          attribute.As<Attribute::Sharding>() != nullptr ||
          attribute.As<Attribute::ShardingPerValue>() != nullptr;
      if (is_sharding && !SaysShardings(site.op, name)) others.push_back(name);
    }
    for (const std::string& name : others) site.attributes->Remove(name);
    return absl::OkStatus();
  });
}

// The first mesh that is equal to this one, which is declared if there is none.
absl::StatusOr<std::string> NameOf(const ShardingMesh& mesh,
                                   MeshTable& meshes) {
  for (const auto& [name, other] : meshes.entries()) {
    if (other == mesh) return name;
  }
  std::string name = meshes.FreeName();
  RETURN_IF_ERROR(meshes.Add(name, mesh));
  return name;
}

// Axes of size 1 split nothing. Parts of an axis may meet where one was.
void DropAxesOfOne(const AbstractMesh& mesh, TensorSharding& sharding) {
  const auto drop = [&](std::vector<AxisRef>& axes) {
    for (const AxisRef& axis : std::exchange(axes, {})) {
      if (axis.Size(mesh) > 1) AppendAxes({axis}, mesh, axes);
    }
  };
  for (DimSharding& dim : sharding.dims) {
    drop(dim.axes);
    // Without axes there is nothing that could wait for its turn.
    if (dim.axes.empty() && dim.is_closed) dim.priority.reset();
  }
  drop(sharding.replicated);
  drop(sharding.unreduced);
}

absl::Status UseOneMesh(Module& module) {
  MeshTable& meshes = module.meshes();
  RETURN_IF_ERROR(SpreadSingleDeviceValues(module));
  RETURN_IF_ERROR(
      ChangeShardings(module, [&](TensorSharding& sharding) -> absl::Status {
        ASSIGN_OR_RETURN(const ShardingMesh* found,
                         MeshOfSharding(sharding, meshes));
        const ShardingMesh mesh = *found;
        DropAxesOfOne(mesh.abstract(), sharding);
        ASSIGN_OR_RETURN(sharding.mesh, NameOf(mesh, meshes));
        return absl::OkStatus();
      }));
  // Where there is no mesh with axes, everything is on an empty one.
  if (meshes.empty()) RETURN_IF_ERROR(NameOf(ShardingMesh(), meshes).status());
  RETURN_IF_ERROR(JoinMeshes(module));
  ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
  // The empty mesh stands for any.
  return ChangeShardings(module, [&](TensorSharding& sharding) {
    sharding.mesh = mesh.name;
    return absl::OkStatus();
  });
}

// Removes what a body of scalars says of shardings.
void DropFromBody(Region& body) {
  ValueMap map;
  std::vector<std::unique_ptr<Op>> dropped;
  std::vector<std::unique_ptr<Op>> ops = std::move(body.mutable_ops());
  body.mutable_ops().clear();
  for (std::unique_ptr<Op>& op : ops) {
    for (int i = 0; i < op->operand_count(); ++i) {
      op->set_operand(i, map.Find(op->operand(i)));
    }
    op->mutable_attributes().Remove(kShardingAttributeName);
    if (op->name() == "sdy.sharding_constraint" ||
        op->name() == "sdy.reshard") {
      map.Set(op->result(), op->operand(0));
      dropped.push_back(std::move(op));
    } else {
      body.Append(std::move(op));
    }
  }
}

// Bodies of reductions and the like: functions traced under a constraint of all
// their values have some.
void DropFromBodies(const Region& region) {
  for (const auto& op : region.ops()) {
    for (const auto& inner : op->regions()) {
      if (op->def() != nullptr && op->def()->kind() == OpKind::kControlFlow) {
        DropFromBodies(*inner);
      } else {
        DropFromBody(*inner);
      }
    }
  }
}

// Calls are inlined, unless the program would become too large.
absl::Status CheckNoCalls(const Region& region) {
  for (const auto& op : region.ops()) {
    if (op->name() == "func.call" || op->name() == "stablehlo.composite") {
      return op->Unimplemented(
          "a call that is not inlined in a program that is split among "
          "partitions");
    }
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckNoCalls(*inner));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDevices(Module& module) {
  ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
  ASSIGN_OR_RETURN(const int32_t replicas, module.ReplicaCount());
  const int64_t devices = std::max<int64_t>(mesh.mesh.device_count(), 1);
  if (module.attributes().Find("mhlo.num_partitions") == nullptr) {
    module.attributes().Set("mhlo.num_partitions", Attribute::I32(devices));
  }
  ASSIGN_OR_RETURN(const int32_t partitions, module.PartitionCount());
  if (!mesh.mesh.is_empty() && partitions != devices) {
    return absl::InvalidArgumentError(
        absl::StrCat("mhlo.num_partitions: expected ", devices,
                     ", as many as mesh @", mesh.name, " ",
                     mesh.mesh.ToString(), " has devices, found ", partitions));
  }
  if (replicas > 1 && partitions > 1) {
    return absl::UnimplementedError(
        absl::StrCat("mhlo.num_replicas: expected 1 where values are split "
                     "among partitions, found ",
                     replicas));
  }
  return absl::OkStatus();
}

}  // namespace

Pass ImportShardings() {
  return {"import_shardings", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
            RETURN_IF_ERROR(CheckNoCalls(entry->body()));
            RETURN_IF_ERROR(InlineNamedComputations(entry->body()));
            for (const auto& function : module.functions()) {
              RETURN_IF_ERROR(MakeReshardsOfCollectives(function->body()));
            }
            RETURN_IF_ERROR(ListReplicaGroups(module));
            RETURN_IF_ERROR(DropOtherShardings(module));
            RETURN_IF_ERROR(UseOneMesh(module));
            RETURN_IF_ERROR(CheckDevices(module));
            DropFromBodies(entry->body());
            SplitConstants(entry->body());
            ReadEndsOfConstraintChains(*entry);
            return ApplyConstraints(*entry);
          }};
}

}  // namespace lockstep::internal
