#include "runtime/frontend/sdy/unreduced_axes_check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/frontend/sdy/written_sharding.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/mesh/sharding/unreduced_kind.h"

namespace lockstep::internal {
namespace {

std::string Text(const TensorSharding& sharding) {
  if (sharding.unreduced.empty()) return "none";
  return absl::StrCat(ReductionName(sharding.reduction), "{",
                      AxisRefsText(sharding.unreduced), "}");
}

bool IsChangeOfSharding(const Op& op) {
  return op.name() == "sdy.reshard" || op.name() == "sdy.sharding_constraint";
}

// The value that barriers pass on.
const Value& BehindBarriers(const Value& value) {
  const Value* behind = &value;
  while (behind->defining_op() != nullptr &&
         behind->defining_op()->name() == "sdy.propagation_barrier") {
    behind = behind->defining_op()->operand(0);
  }
  return *behind;
}

// What the program says of an operand, or of a result.
struct Side {
  std::string what;  // "operand 0"
  const TensorSharding* sharding;
};

Side OperandSide(const Op& op, int i) {
  return {absl::StrCat("operand ", i),
          WrittenSharding(BehindBarriers(*op.operand(i)))};
}

// The same; none of a value that has just got its sharding, where the change
// may be anything.
Side PassedOperand(const Op& op, int i) {
  Side side = OperandSide(op, i);
  const Op* from = BehindBarriers(*op.operand(i)).defining_op();
  if (from != nullptr && IsChangeOfSharding(*from)) side.sharding = nullptr;
  return side;
}

Side ResultSide(const Op& op, int i) {
  return {absl::StrCat("result ", i), WrittenSharding(*op.result(i))};
}

bool AreAllKnown(const std::vector<Side>& sides) {
  return std::all_of(sides.begin(), sides.end(),
                     [](const Side& side) { return side.sharding != nullptr; });
}

bool AreOnOneMesh(const std::vector<Side>& from, const std::vector<Side>& to,
                  const Module& module) {
  const ShardingMesh* common = nullptr;
  for (const auto* sides : {&from, &to}) {
    for (const Side& side : *sides) {
      if (side.sharding == nullptr) continue;
      const auto mesh = MeshOfSharding(*side.sharding, module.meshes());
      if (!mesh.ok()) return false;
      if (common != nullptr && *common != **mesh) return false;
      common = *mesh;
    }
  }
  return true;
}

// Whether the axis is unreduced on one of the sides, in part at least.
bool IsUnreducedIn(const AxisRef& axis, const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    if (side.sharding == nullptr) continue;
    for (const AxisRef& other : side.sharding->unreduced) {
      if (axis.Overlaps(other)) return true;
    }
  }
  return false;
}

// `added`: the reduction of the axes that the op adds; none: it adds none.
absl::Status CheckAdded(const Op& op, const std::vector<Side>& from,
                        const std::vector<Side>& to,
                        std::optional<UnreducedKind> added) {
  for (const Side& side : to) {
    if (side.sharding == nullptr) continue;
    for (const AxisRef& axis : side.sharding->unreduced) {
      if (IsUnreducedIn(axis, from)) continue;
      if (added == side.sharding->reduction) continue;
      return op.Error(absl::StrCat(
          side.what, ": ",
          added.has_value()
              ? absl::StrCat("expected axes that become unreduced to be of ",
                             ReductionName(*added))
              : "expected no axes that become unreduced",
          ", found ", axis.ToString(), " in ", Text(*side.sharding)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckKept(const Op& op, const Side& from, const Side& to) {
  if (from.sharding == nullptr || to.sharding == nullptr ||
      from.sharding->reduction == to.sharding->reduction) {
    return absl::OkStatus();
  }
  for (const AxisRef& axis : to.sharding->unreduced) {
    if (!IsUnreducedIn(axis, {from})) continue;
    return op.Error(
        absl::StrCat(to.what, ": expected unreduced axis ", axis.ToString(),
                     " to be of ", ReductionName(from.sharding->reduction),
                     ", as in ", from.what, ", found ", Text(*to.sharding)));
  }
  return absl::OkStatus();
}

absl::Status CheckChange(const Op& op, const std::vector<Side>& from,
                         const std::vector<Side>& to,
                         std::optional<UnreducedKind> added,
                         const Module& module) {
  if (!AreOnOneMesh(from, to, module)) return absl::OkStatus();
  for (const Side& source : from) {
    for (const Side& target : to) {
      RETURN_IF_ERROR(CheckKept(op, source, target));
    }
  }
  return AreAllKnown(from) ? CheckAdded(op, from, to, added) : absl::OkStatus();
}

// Of a value that is passed on, both sides of which are known.
absl::Status CheckSame(const Op& op, const Side& from, const Side& to,
                       const Module& module) {
  if (from.sharding == nullptr || to.sharding == nullptr ||
      !AreOnOneMesh({from}, {to}, module)) {
    return absl::OkStatus();
  }
  const std::vector<AxisRef>& given = from.sharding->unreduced;
  const std::vector<AxisRef>& axes = to.sharding->unreduced;
  if (std::is_permutation(given.begin(), given.end(), axes.begin(),
                          axes.end())) {
    return absl::OkStatus();
  }
  return op.Error(absl::StrCat(to.what, ": expected unreduced axes ",
                               Text(*from.sharding), ", as in ", from.what,
                               ", found ", Text(*to.sharding)));
}

absl::Status CheckCall(const Op& op, const Module& module) {
  const auto* callee = op.attribute("callee")->As<Attribute::Symbol>();
  const Function& function = *module.FindFunction(callee->name);
  for (int i = 0; i < op.operand_count(); ++i) {
    const Side argument = {
        absl::StrCat("argument ", i, " of @", function.name()),
        ShardingOf(function.argument_attributes(i))};
    RETURN_IF_ERROR(CheckSame(op, PassedOperand(op, i), argument, module));
  }
  for (int i = 0; i < op.result_count(); ++i) {
    Side returned = {absl::StrCat("result ", i, " of @", function.name()),
                     ShardingOf(function.result_attributes()[i])};
    const Side result = ResultSide(op, i);
    TensorSharding without;
    // Nothing behind the call makes it unreduced.
    if (returned.sharding == nullptr && result.sharding != nullptr) {
      without = *result.sharding;
      without.unreduced.clear();
      returned.sharding = &without;
    }
    RETURN_IF_ERROR(CheckSame(op, returned, result, module));
  }
  return absl::OkStatus();
}

// What the body of a reduce combines elements to; none for other bodies.
std::optional<UnreducedKind> KindOfBody(const Region& body) {
  std::optional<UnreducedKind> kind;
  for (const Value* value : body.terminator()->operands()) {
    const Op* op = value->defining_op();
    if (op == nullptr) return std::nullopt;
    std::optional<UnreducedKind> of_value;
    if (op->name() == "stablehlo.add") of_value = UnreducedKind::kSum;
    if (op->name() == "stablehlo.maximum") of_value = UnreducedKind::kMax;
    if (op->name() == "stablehlo.minimum") of_value = UnreducedKind::kMin;
    if (!of_value.has_value() || (kind.has_value() && kind != of_value)) {
      return std::nullopt;
    }
    kind = of_value;
  }
  return kind;
}

// Ops that compute results from operands: neither collectives, which change
// partial results, nor those that run regions or code of others.
bool PassesAxesOn(const Op& op) {
  return absl::StartsWith(op.name(), "stablehlo.") && op.regions().empty() &&
         op.def()->kind() != OpKind::kCollective &&
         op.def()->kind() != OpKind::kCustomCall &&
         op.def()->kind() != OpKind::kTerminator;
}

bool HasUnreducedResult(const Op& op) {
  for (const auto& result : op.results()) {
    const TensorSharding* sharding = WrittenSharding(*result);
    if (sharding != nullptr && !sharding->unreduced.empty()) return true;
  }
  return false;
}

}  // namespace

absl::Status CheckUnreducedAxes(const Op& op, const Module& module) {
  if (op.name() == "func.call") return CheckCall(op, module);
  const bool is_change = IsChangeOfSharding(op);
  const bool is_reduce = op.name() == "stablehlo.reduce";
  if (!is_change && !is_reduce && !PassesAxesOn(op)) return absl::OkStatus();
  if (!HasUnreducedResult(op)) return absl::OkStatus();
  const std::optional<UnreducedKind> added =
      is_reduce ? KindOfBody(op.region()) : UnreducedKind::kSum;
  std::vector<Side> from;
  // Initial values of a reduce are on every device.
  const int count = is_reduce ? op.result_count() : op.operand_count();
  for (int i = 0; i < count; ++i) {
    from.push_back(is_change ? OperandSide(op, i) : PassedOperand(op, i));
  }
  std::vector<Side> to;
  for (int i = 0; i < op.result_count(); ++i) to.push_back(ResultSide(op, i));
  return CheckChange(op, from, to, added, module);
}

}  // namespace lockstep::internal
