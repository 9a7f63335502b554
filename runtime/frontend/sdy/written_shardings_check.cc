#include "runtime/frontend/sdy/written_shardings_check.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/ir/op.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

// Of a valid sharding; what else is wrong with one is said at its place.
absl::Status CheckOrder(const TensorSharding& sharding,
                        const MeshTable& meshes) {
  if (sharding.unreduced.size() < 2) return absl::OkStatus();
  const auto found = MeshOfSharding(sharding, meshes);
  if (!found.ok() || !VerifySharding(sharding, **found).ok()) {
    return absl::OkStatus();
  }
  const ShardingMesh* mesh = *found;
  std::vector<AxisRef> sorted = sharding.unreduced;
  std::sort(sorted.begin(), sorted.end(),
            [&](const AxisRef& a, const AxisRef& b) {
              return IsBefore(a, b, mesh->abstract());
            });
  if (sorted == sharding.unreduced) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected unreduced axes in the order of the mesh, {",
                   AxisRefsText(sorted), "}, found {",
                   AxisRefsText(sharding.unreduced), "}"));
}

absl::Status CheckFunction(const Function& function, const MeshTable& meshes) {
  const auto check = [&](const AttributeMap& attributes, absl::string_view what,
                         size_t i) -> absl::Status {
    const TensorSharding* sharding = ShardingOf(attributes);
    if (sharding == nullptr) return absl::OkStatus();
    const absl::Status status = CheckOrder(*sharding, meshes);
    if (status.ok()) return status;
    return InvalidAt(function.location(),
                     absl::StrCat(what, " ", i, " of @", function.name(),
                                  ": sdy.sharding: ", status.message()));
  };
  for (size_t i = 0; i < function.body().arguments().size(); ++i) {
    RETURN_IF_ERROR(check(function.argument_attributes(static_cast<int>(i)),
                          "argument", i));
  }
  for (size_t i = 0; i < function.result_attributes().size(); ++i) {
    RETURN_IF_ERROR(check(function.result_attributes()[i], "result", i));
  }
  return absl::OkStatus();
}

class OpShardingsChecker {
 public:
  explicit OpShardingsChecker(const MeshTable& meshes) : meshes_(meshes) {}

  absl::Status Check(const Region& region) {
    for (const auto& op : region.ops()) {
      RETURN_IF_ERROR(CheckWithoutResults(*op));
      RETURN_IF_ERROR(CheckNamedComputation(*op));
      RETURN_IF_ERROR(CheckAttributes(*op));
      const size_t outside = manual_axes_.size();
      AddManualAxes(*op);
      for (const auto& inner : op->regions()) RETURN_IF_ERROR(Check(*inner));
      manual_axes_.resize(outside);
    }
    return absl::OkStatus();
  }

 private:
  void AddManualAxes(const Op& op) {
    if (op.name() != "sdy.manual_computation") return;
    const auto* axes = op.attribute("manual_axes")->As<Attribute::Array>();
    for (const Attribute& axis : axes->elements) {
      manual_axes_.push_back(axis.As<Attribute::String>()->value);
    }
  }

  absl::Status CheckOne(const Op& op, absl::string_view name,
                        const TensorSharding& sharding) const {
    for (const AxisRef& axis : sharding.replicated) {
      if (!IsManual(axis, manual_axes_)) continue;
      return op.Error(absl::StrCat(
          "expected a sharding along axes that are not manual around this op, "
          "found \"",
          axis.name(), "\" in ", ToSdyString(sharding)));
    }
    const absl::Status status = CheckOrder(sharding, meshes_);
    return status.ok() ? status
                       : op.Error(absl::StrCat(name, ": ", status.message()));
  }

  absl::Status CheckAttributes(const Op& op) const {
    const bool is_sdy = absl::StartsWith(op.name(), "sdy.");
    for (const auto& [name, attribute] : op.attributes().entries()) {
      if (!is_sdy && name != kShardingAttributeName) continue;
      if (const auto* one = attribute.As<Attribute::Sharding>()) {
        RETURN_IF_ERROR(CheckOne(op, name, one->value));
      } else if (const auto* all =
                     attribute.As<Attribute::ShardingPerValue>()) {
        for (const TensorSharding& sharding : all->values) {
          RETURN_IF_ERROR(CheckOne(op, name, sharding));
        }
      }
    }
    return absl::OkStatus();
  }

  // Which device it is on, or that it is on all of them.
  absl::Status CheckWithoutResults(const Op& op) const {
    const Attribute* attribute = op.attribute(kShardingAttributeName);
    if (attribute == nullptr || op.result_count() > 0) return absl::OkStatus();
    const auto* shardings = attribute->As<Attribute::ShardingPerValue>();
    for (const TensorSharding& sharding : shardings->values) {
      const absl::Status status = VerifyTokenSharding(sharding, meshes_);
      if (status.ok()) continue;
      return op.Error(absl::StrCat("sdy.sharding of an op without results: ",
                                   status.message()));
    }
    return absl::OkStatus();
  }

  absl::Status CheckNamedComputation(const Op& op) const {
    if (op.name() != "sdy.named_computation") return absl::OkStatus();
    RETURN_IF_ERROR(CheckValues(op, "in_shardings",
                                {op.operands().begin(), op.operands().end()}));
    std::vector<const Value*> results;
    for (const auto& result : op.results()) results.push_back(result.get());
    return CheckValues(op, "out_shardings", results);
  }

  absl::Status CheckValues(const Op& op, absl::string_view name,
                           const std::vector<const Value*>& values) const {
    const Attribute* attribute = op.attribute(name);
    const auto* shardings = attribute == nullptr
                                ? nullptr
                                : attribute->As<Attribute::ShardingPerValue>();
    if (shardings == nullptr || shardings->values.size() != values.size()) {
      return absl::OkStatus();
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const absl::Status status =
          VerifyShardingOf(shardings->values[i], meshes_, values[i]->type());
      if (status.ok()) continue;
      return op.Error(
          absl::StrCat(name, ": value ", i, ": ", status.message()));
    }
    return absl::OkStatus();
  }

  const MeshTable& meshes_;
  std::vector<std::string> manual_axes_;  // around the region
};

}  // namespace

absl::Status CheckWrittenShardings(const Module& module) {
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(CheckFunction(*function, module.meshes()));
    RETURN_IF_ERROR(
        OpShardingsChecker(module.meshes()).Check(function->body()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
