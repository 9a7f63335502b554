#include "runtime/passes/optimize/fusible_op.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/small_float_expansion.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMaxReduceBody = 16;
constexpr int kMaxOperands = 64;
// A transpose that reads with a stride in the innermost loop is harmless while
// the tensor stays in the first-level cache.
constexpr int64_t kMaxStridedBytes = 32 * 1024;
// Ops whose elements come from several places are worth fusing only where a
// kernel of their own costs more than what it does.
constexpr int64_t kMaxBranchingElements = 4096;

// Integers of less than a byte are only stored.
bool IsKernelType(const Type& type) {
  return type.is_tensor() && type.shape().element_count() > 0 &&
         (!IsSmall(type.shape().element_type()) ||
          IsSmallFloat(type.shape().element_type()));
}

bool HasKernelTypes(const Op& op) {
  return std::all_of(op.operands().begin(), op.operands().end(),
                     [](const Value* v) { return IsKernelType(v->type()); }) &&
         std::all_of(op.results().begin(), op.results().end(),
                     [](const auto& v) { return IsKernelType(v->type()); });
}

bool IsEmitted(const Op& op) {
  return op.def() != nullptr && op.def()->kind() == OpKind::kElementwise &&
         EmitsElements(op) && op.region_count() == 0;
}

bool IsSplat(const Op& constant) {
  const Attribute* value = constant.attribute("value");
  const auto* elements =
      value == nullptr ? nullptr : value->As<Attribute::Elements>();
  return elements != nullptr &&
         (elements->is_splat || elements->shape.element_count() == 1);
}

bool IsCacheFriendly(const Op& transpose) {
  const auto permutation = transpose.IntegersAttribute("permutation");
  if (!permutation.ok() || permutation->empty()) return false;
  if (permutation->back() == static_cast<int64_t>(permutation->size()) - 1) {
    return true;
  }
  return transpose.result()->shape().byte_size() <= kMaxStridedBytes;
}

// A body of scalar ops that are emitted, of what it is given alone.
bool IsScalarBody(const Region& body) {
  if (body.ops().size() > kMaxReduceBody + 1) return false;
  for (const auto& op : body.ops()) {
    for (const Value* operand : op->operands()) {
      const Region* home = operand->defining_op() != nullptr
                               ? operand->defining_op()->parent()
                               : operand->region();
      if (home != &body) return false;
    }
    if (op.get() != body.terminator() && !IsEmitted(*op)) return false;
  }
  return true;
}

// The init values are splats, so that they can be part of the kernel; the
// result has the operand's element type.
bool IsFusibleReduce(const Op& op) {
  const int count = op.result_count();
  for (int i = 0; i < count; ++i) {
    const Op* init = op.operand(count + i)->defining_op();
    if (init == nullptr || init->name() != "stablehlo.constant") return false;
    if (op.operand(i)->shape().element_type() !=
        op.result(i)->shape().element_type()) {
      return false;
    }
  }
  return IsScalarBody(op.region()) && !ReducedDimsOf(op).empty();
}

FusionRole RoleOfMovement(const Op& op) {
  const absl::string_view name = op.name();
  if (name == "stablehlo.broadcast_in_dim" || name == "stablehlo.reshape" ||
      name == "stablehlo.slice" || name == "stablehlo.dynamic_slice" ||
      name == "stablehlo.pad") {
    return FusionRole::kIndexMap;
  }
  if (name == "stablehlo.transpose") {
    return IsCacheFriendly(op) ? FusionRole::kIndexMap : FusionRole::kNone;
  }
  if (name == "stablehlo.reverse" || name == "stablehlo.concatenate") {
    return op.result()->shape().element_count() <= kMaxBranchingElements
               ? FusionRole::kIndexMap
               : FusionRole::kNone;
  }
  return FusionRole::kNone;
}

FusionRole RoleOf(const Op& op) {
  if (op.def() == nullptr || op.result_count() == 0 ||
      op.operand_count() > kMaxOperands || !HasKernelTypes(op)) {
    return FusionRole::kNone;
  }
  if (op.name() == "stablehlo.iota") return FusionRole::kLeaf;
  switch (op.def()->kind()) {
    case OpKind::kConstant:
      return IsSplat(op) ? FusionRole::kLeaf : FusionRole::kNone;
    case OpKind::kElementwise:
      return IsEmitted(op) ? FusionRole::kElementwise : FusionRole::kNone;
    case OpKind::kReduce:
      return op.name() == "stablehlo.reduce" && IsFusibleReduce(op)
                 ? FusionRole::kReduce
                 : FusionRole::kNone;
    default:
      return RoleOfMovement(op);
  }
}

}  // namespace

FusionRole FusionRoles::Of(const Op& op) {
  const auto [known, is_new] = roles_.try_emplace(&op, FusionRole::kNone);
  if (!is_new) return known->second;
  FusionRole role = RoleOf(op);
  if (role != FusionRole::kNone && can_fuse_ && !can_fuse_(op)) {
    role = FusionRole::kNone;
  }
  known->second = role;
  return role;
}

int ElementCost(const Op& op) {
  static const auto& costs = *new absl::flat_hash_map<absl::string_view, int>{
      {"stablehlo.divide", 4},       {"stablehlo.sqrt", 4},
      {"stablehlo.rsqrt", 4},        {"stablehlo.remainder", 4},
      {"stablehlo.exponential", 16}, {"stablehlo.exponential_minus_one", 16},
      {"stablehlo.log", 16},         {"stablehlo.log_plus_one", 16},
      {"stablehlo.logistic", 16},    {"stablehlo.tanh", 16},
      {"stablehlo.sine", 16},        {"stablehlo.cosine", 16},
      {"stablehlo.tan", 16},         {"stablehlo.atan2", 16},
      {"stablehlo.cbrt", 16},        {"stablehlo.power", 16},
  };
  if (op.def()->kind() != OpKind::kElementwise) return 0;
  const auto found = costs.find(op.name());
  if (found != costs.end()) return found->second;
  return absl::StartsWith(op.name(), "chlo.") ? 16 : 1;
}

bool IsFree(const Op& op) {
  return op.name() == "stablehlo.broadcast_in_dim" ||
         op.name() == "stablehlo.slice";
}

bool IsCheapToRepeat(const Op& op, FusionRoles& roles) {
  if (ElementCost(op) > 1) return false;
  const Shape& result = op.result()->shape();
  if (result.element_count() == 1) return true;
  int read = 0;
  for (const Value* operand : op.operands()) {
    const Op* definition = operand->defining_op();
    if (operand->shape().element_count() == 1 || roles.IsLeaf(operand) ||
        (definition != nullptr &&
         definition->name() == "stablehlo.broadcast_in_dim")) {
      continue;
    }
    if (operand->shape().byte_size() > result.byte_size()) return false;
    ++read;
  }
  return read <= 1;
}

bool IsRowBroadcast(const Op& op) {
  if (op.name() != "stablehlo.broadcast_in_dim") return false;
  const Shape& operand = op.operand(0)->shape();
  const Shape& result = op.result()->shape();
  const auto dims = op.IntegersAttribute("broadcast_dimensions");
  if (!dims.ok() || operand.rank() == 0 || operand.rank() >= result.rank()) {
    return false;
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if ((*dims)[i] != i || operand.dim(i) != result.dim(i)) return false;
  }
  return true;
}

std::vector<int64_t> ReducedDimsOf(const Op& reduce) {
  auto dims = reduce.IntegersAttribute("dimensions");
  if (!dims.ok()) return {};
  std::sort(dims->begin(), dims->end());
  return *std::move(dims);
}

bool AreTrailing(absl::Span<const int64_t> reduced, int64_t rank) {
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i] != rank - static_cast<int64_t>(reduced.size() - i)) {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::internal
