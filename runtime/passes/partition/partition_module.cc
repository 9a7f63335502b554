#include "runtime/passes/partition/partition_module.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/device_order.h"
#include "runtime/passes/import/gspmd_attributes.h"
#include "runtime/passes/import/import_gspmd.h"
#include "runtime/passes/import/import_passes.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/passes.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMostDevices = int64_t{1} << 20;

TensorLayout LayoutOf(const Type& type, const ShardingMesh& mesh,
                      const AttributeMap& attributes) {
  TensorLayout layout{type.shape(), *ShardingOf(attributes)};
  std::optional<ShardingMesh> own = MeshInDeviceOrder(attributes, mesh);
  if (own.has_value()) layout.sharding.mesh = *std::move(own);
  return layout;
}

// Behind propagation, of functions of tensors.
absl::StatusOr<ProgramLayout> LayoutOf(const Module& module) {
  ProgramLayout layout;
  ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
  layout.mesh = mesh.mesh;
  ASSIGN_OR_RETURN(const Function* entry, module.EntryFunction());
  const std::vector<Type> arguments = entry->argument_types();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_tensor()) continue;
    layout.arguments.push_back(
        LayoutOf(arguments[i], mesh.mesh,
                 entry->argument_attributes(static_cast<int>(i))));
  }
  for (size_t i = 0; i < entry->result_types().size(); ++i) {
    if (!entry->result_types()[i].is_tensor()) continue;
    layout.results.push_back(LayoutOf(entry->result_types()[i], mesh.mesh,
                                      entry->result_attributes()[i]));
  }
  return layout;
}

}  // namespace

absl::Status CheckDeviceCount(const Module& module) {
  ASSIGN_OR_RETURN(const int64_t replicas, module.ReplicaCount());
  ASSIGN_OR_RETURN(int64_t partitions, module.PartitionCount());
  for (const auto& [name, mesh] : module.meshes().entries()) {
    partitions = std::max(partitions, mesh.device_count());
  }
  if (replicas <= kMostDevices / partitions) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a program of at most ", kMostDevices, " devices, found ",
      replicas, " replicas x ", partitions, " partitions"));
}

bool HasShardings(const Module& module) {
  if (!module.meshes().empty() || HasGspmdForms(module)) return true;
  const absl::Status none = ForEachSite(module, [](const AnnotationSite& site) {
    const bool says_sharding =
        site.attributes->Find(kShardingAttributeName) != nullptr ||
        (site.op != nullptr && absl::StartsWith(site.op->name(), "sdy."));
    return says_sharding ? absl::AlreadyExistsError("") : absl::OkStatus();
  });
  return !none.ok();
}

absl::StatusOr<std::optional<ProgramLayout>> PartitionModule(
    Module& module,
    std::function<void(absl::string_view pass, const Module&)> after_pass) {
  if (!HasShardings(module)) return std::nullopt;
  RETURN_IF_ERROR(CheckDeviceCount(module));
  PassManager::Options options;
  options.after_pass = after_pass;
  PassManager import(options);
  AddImportPasses(import);
  import.Add(PropagateShardings(std::move(after_pass)));
  RETURN_IF_ERROR(import.Run(module));
  // Shardings are as they will be, however they came.
  module.attributes().Remove(kGspmdPropagation);
  module.attributes().Remove(kConservativePropagation);
  ASSIGN_OR_RETURN(ProgramLayout layout, LayoutOf(module));
  PassManager lower(options);
  lower.Add(InsertReshards());
  lower.Add(LowerToShards());
  RETURN_IF_ERROR(lower.Run(module));
  return layout;
}

}  // namespace lockstep::internal
