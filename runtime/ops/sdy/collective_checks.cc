#include "runtime/ops/sdy/collective_checks.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/unreduced_kind.h"
#include "runtime/ops/checks/enclosing_module.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

// What says the sharding of a value where it is made.
struct ValueSharding {
  // False: an argument of a region, whose sharding propagation finds.
  bool is_known = true;
  std::optional<TensorSharding> sharding;
};

ValueSharding ShardingOfArgument(const Value& value) {
  const Region& region = *value.region();
  if (const Function* function = region.parent_function()) {
    const TensorSharding* sharding =
        ShardingOf(function->argument_attributes(value.index()));
    if (sharding == nullptr) return {};
    return {true, *sharding};
  }
  const ValueSharding unknown = {/*is_known=*/false, std::nullopt};
  const Op* op = region.parent_op();
  if (op == nullptr || op->name() != "sdy.manual_computation") return unknown;
  const absl::StatusOr<ManualShardings> manual = ManualShardingsOf(*op);
  const auto index = static_cast<size_t>(value.index());
  if (!manual.ok() || index >= manual->in.size()) return unknown;
  return {true, FreePart(manual->in[index], manual->manual_axes)};
}

ValueSharding ShardingOfResult(const Value& value) {
  const Op& op = *value.defining_op();
  for (const absl::string_view name : {"sharding", "out_sharding"}) {
    const Attribute* attribute = op.attribute(name);
    const auto* sharding =
        attribute == nullptr ? nullptr : attribute->As<Attribute::Sharding>();
    if (sharding != nullptr) return {true, sharding->value};
  }
  const Attribute* out = op.attribute("out_shardings");
  const auto* all =
      out == nullptr ? nullptr : out->As<Attribute::ShardingPerValue>();
  if (all != nullptr &&
      static_cast<size_t>(value.index()) < all->values.size()) {
    return {true, all->values[value.index()]};
  }
  const TensorSharding* sharding = ResultSharding(op, value.index());
  if (sharding == nullptr) return {};
  return {true, *sharding};
}

absl::Status CheckTypes(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckResultCount(op, 1));
  if (op.result()->type() == op.operand(0)->type()) return absl::OkStatus();
  return op.Error(absl::StrCat("expected a result of the type of the operand, ",
                               op.operand(0)->type().ToString(), ", found ",
                               op.result()->type().ToString()));
}

std::string MeshText(const TensorSharding& sharding, const ShardingMesh& mesh) {
  const auto* name = std::get_if<std::string>(&sharding.mesh);
  return name == nullptr ? mesh.ToString()
                         : absl::StrCat("@", *name, " ", mesh.ToString());
}

// A permute may change the order of devices, and nothing else of the mesh.
absl::Status CheckMeshes(const Op& op, bool allows_other,
                         const CollectiveShardings& both) {
  const bool is_fine = allows_other ? both.mesh.axes() == both.in_mesh.axes() &&
                                          (both.in.mesh == both.out.mesh ||
                                           both.mesh != both.in_mesh)
                                    : both.mesh == both.in_mesh;
  if (is_fine) return absl::OkStatus();
  return op.Error(absl::StrCat(
      "out_sharding: expected ",
      !allows_other ? "the mesh of the operand, "
      : both.mesh.axes() == both.in_mesh.axes()
          ? "the mesh of the operand or one in another order of devices, "
          : "a mesh with the axes of that of the operand, ",
      MeshText(both.in, both.in_mesh), ", found ",
      MeshText(both.out, both.mesh)));
}

std::string ListText(absl::Span<const AxisRef> axes) {
  return absl::StrCat("{", AxisRefsText(axes), "}");
}

}  // namespace

absl::StatusOr<std::optional<CollectiveShardings>> CheckCollective(
    const Op& op, CollectiveTraits traits) {
  RETURN_IF_ERROR(CheckTypes(op));
  ASSIGN_OR_RETURN(
      TensorSharding out,
      ShardingAttribute(op, "out_sharding", op.operand(0)->type()));
  const Module* module = EnclosingModule(op);
  if (module == nullptr) return std::nullopt;
  ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                   MeshOfSharding(out, module->meshes()));
  const Value& operand = *op.operand(0);
  ValueSharding in = operand.defining_op() == nullptr
                         ? ShardingOfArgument(operand)
                         : ShardingOfResult(operand);
  if (!in.is_known) return std::nullopt;
  // What is wrong with it is said at its place.
  if (in.sharding.has_value() &&
      !VerifyShardingOf(*in.sharding, module->meshes(), operand.type()).ok()) {
    return std::nullopt;
  }
  if (!in.sharding.has_value()) {
    if (!traits.allows_missing_sharding) {
      return op.Error("expected an operand with a sharding, found none");
    }
    in.sharding = UnshardedOn(out.mesh, out.rank(), /*is_closed=*/true);
  }
  ASSIGN_OR_RETURN(const ShardingMesh* in_mesh,
                   MeshOfSharding(*in.sharding, module->meshes()));
  CollectiveShardings both = {*std::move(in.sharding), std::move(out), *mesh,
                              *in_mesh};
  RETURN_IF_ERROR(CheckMeshes(op, traits.allows_other_mesh, both));
  if (both.in.rank() != both.out.rank()) {
    return op.Error(absl::StrCat("out_sharding: expected ", both.in.rank(),
                                 " dimensions, as the operand has, found ",
                                 both.out.rank()));
  }
  return both;
}

absl::StatusOr<std::vector<AxisRef>> WithoutSuffix(
    const Op& op, absl::string_view attribute, int64_t dim,
    std::vector<AxisRef> axes, absl::Span<const AxisRef> removed,
    const AbstractMesh& mesh) {
  const std::vector<AxisRef> all = axes;
  for (size_t i = removed.size(); i-- > 0;) {
    if (axes.empty() || !removed[i].IsSuffixOf(axes.back(), mesh)) {
      return op.Error(absl::StrCat(
          attribute, ": expected axes with which those of dimension ", dim,
          " of the operand end, ", ListText(all), ", found ",
          ListText(removed)));
    }
    const std::optional<AxisRef> left = axes.back().PrefixWithout(removed[i]);
    axes.pop_back();
    if (left.has_value()) axes.push_back(*left);
  }
  return axes;
}

std::vector<AxisRef> WithSuffix(std::vector<AxisRef> axes,
                                absl::Span<const AxisRef> added,
                                const AbstractMesh& mesh) {
  for (const AxisRef& axis : added) {
    const std::optional<AxisRef> merged =
        axes.empty() ? std::nullopt : axes.back().Merge(axis, mesh);
    if (merged.has_value()) {
      axes.back() = *merged;
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

std::vector<AxisRef> UnionOf(absl::Span<const AxisRef> axes,
                             absl::Span<const AxisRef> others,
                             const AbstractMesh& mesh) {
  std::vector<AxisRef> all(axes.begin(), axes.end());
  all.insert(all.end(), others.begin(), others.end());
  std::sort(all.begin(), all.end(), [&](const AxisRef& a, const AxisRef& b) {
    return IsBefore(a, b, mesh);
  });
  return WithSuffix({}, all, mesh);
}

absl::Status CheckAxisLists(const Op& op, absl::string_view attribute,
                            absl::Span<const std::vector<AxisRef>> lists,
                            const ShardingMesh& mesh) {
  TensorSharding all;
  for (const std::vector<AxisRef>& axes : lists) {
    all.dims.emplace_back().axes = axes;
  }
  const absl::Status status = VerifySharding(all, mesh);
  if (status.ok()) return status;
  return op.Error(absl::StrCat(attribute, ": ", status.message()));
}

absl::Status CheckSortedAxes(const Op& op, absl::string_view attribute,
                             const std::vector<AxisRef>& axes,
                             const ShardingMesh& mesh) {
  RETURN_IF_ERROR(CheckAxisLists(op, attribute, {axes}, mesh));
  const bool is_sorted = std::is_sorted(
      axes.begin(), axes.end(), [&](const AxisRef& a, const AxisRef& b) {
        return IsBefore(a, b, mesh.abstract());
      });
  if (is_sorted) return absl::OkStatus();
  return op.Error(absl::StrCat(attribute,
                               ": expected axes in the order of the mesh ",
                               mesh.ToString(), ", found ", ListText(axes)));
}

absl::Status CheckDisjoint(const Op& op, absl::string_view attribute,
                           absl::Span<const AxisRef> axes,
                           absl::Span<const AxisRef> taken,
                           absl::string_view what) {
  for (const AxisRef& axis : axes) {
    for (const AxisRef& other : taken) {
      if (!axis.Overlaps(other)) continue;
      return op.Error(absl::StrCat(attribute, ": expected none of the ", what,
                                   ", ", ListText(taken), ", found ",
                                   axis.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOutAxes(const Op& op, int64_t dim,
                          absl::Span<const AxisRef> expected,
                          const CollectiveShardings& shardings) {
  const std::vector<AxisRef>& found = shardings.out.dims[dim].axes;
  if (absl::MakeConstSpan(found) == expected) return absl::OkStatus();
  return op.Error(absl::StrCat("out_sharding: expected the axes ",
                               ListText(expected), " of dimension ", dim,
                               ", found ", ListText(found)));
}

absl::Status CheckOutUnreduced(const Op& op,
                               const std::vector<AxisRef>& expected,
                               const CollectiveShardings& shardings) {
  if (shardings.out.unreduced == expected) return absl::OkStatus();
  return op.Error(absl::StrCat("out_sharding: expected the unreduced axes ",
                               ListText(expected), ", found ",
                               ListText(shardings.out.unreduced)));
}

absl::Status CheckOutReduction(const Op& op, absl::string_view reduction,
                               const CollectiveShardings& shardings) {
  const absl::string_view found = ReductionName(shardings.out.reduction);
  if (found == reduction) return absl::OkStatus();
  return op.Error(absl::StrCat("out_sharding: expected partial results of ",
                               reduction, ", found ", found));
}

absl::Status CheckReducedAxes(const Op& op, absl::string_view reduction,
                              const CollectiveShardings& shardings) {
  const auto is_in = [](const AxisRef& axis, const TensorSharding& sharding) {
    // An axis is unreduced in parts, too.
    return std::any_of(
        sharding.unreduced.begin(), sharding.unreduced.end(),
        [&](const AxisRef& other) { return other.Overlaps(axis); });
  };
  for (const AxisRef& axis : shardings.out.unreduced) {
    if (is_in(axis, shardings.in)) continue;
    return op.Error(absl::StrCat(
        "out_sharding: expected no unreduced axes but those of the operand, ",
        ListText(shardings.in.unreduced), ", found ", axis.ToString()));
  }
  for (const AxisRef& axis : shardings.in.unreduced) {
    const absl::string_view kind = ReductionName(shardings.in.reduction);
    if (is_in(axis, shardings.out) || kind == reduction) continue;
    return op.Error(absl::StrCat("expected partial results of ", reduction,
                                 " along ", axis.ToString(), ", found ", kind));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
