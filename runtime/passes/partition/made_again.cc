#include "runtime/passes/partition/made_again.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/import/module_mesh.h"

namespace lockstep::internal {
namespace {

// More are not worth it.
constexpr int kMostOps = 32;

bool IsBroadcast(const Op& op) {
  return op.name() == "stablehlo.broadcast_in_dim";
}

bool IsElementwise(const Op& op) {
  return op.def() != nullptr && op.def()->kind() == OpKind::kElementwise &&
         op.result_count() == 1 && op.region_count() == 0 &&
         std::ranges::all_of(op.operands(), [&](const Value* operand) {
           return operand->shape().rank() == 0 ||
                  operand->shape().dims() == op.result()->shape().dims();
         });
}

// A change of sharding, or a slice of all.
bool IsIdentity(const Op& op) {
  return op.name() == "sdy.reshard" ||
         (op.name() == "stablehlo.slice" &&
          op.operand(0)->shape().dims() == op.result()->shape().dims());
}

// Of `budget` ops at most, from which those seen are taken.
bool IsOfConstants(const Value* value, int& budget) {
  const Op* op = value->defining_op();
  if (op == nullptr || --budget < 0) return false;
  if (op->name() == "stablehlo.constant" || op->name() == "stablehlo.iota") {
    return true;
  }
  return (IsBroadcast(*op) || IsElementwise(*op) || IsIdentity(*op)) &&
         std::ranges::all_of(op->operands(), [&](const Value* operand) {
           return IsOfConstants(operand, budget);
         });
}

}  // namespace

bool OnlyAddsAxes(const TensorSharding& from, const TensorSharding& to) {
  for (size_t i = 0; i < from.dims.size(); ++i) {
    const std::vector<AxisRef>& axes = from.dims[i].axes;
    if (!std::ranges::equal(axes, to.dims[i].axes) &&
        !IsStrictPrefix(axes, to.dims[i].axes)) {
      return false;
    }
  }
  return true;
}

bool IsBetterMadeAgain(const Value* value, const TensorSharding& from,
                       const TensorSharding& to) {
  if (value->defining_op() == nullptr || !from.unreduced.empty() ||
      !to.unreduced.empty() || OnlyAddsAxes(from, to)) {
    return false;
  }
  int budget = kMostOps;
  return IsBroadcast(*value->defining_op()) || IsOfConstants(value, budget);
}

TensorSharding OperandToMakeAgain(const Op& op, int operand,
                                  const TensorSharding& to) {
  const Shape& shape = op.operand(operand)->shape();
  TensorSharding sharding = to;
  sharding.dims.assign(static_cast<size_t>(shape.rank()), DimSharding());
  if (!IsBroadcast(op)) {
    if (shape.rank() > 0) sharding.dims = to.dims;
    return sharding;
  }
  const auto dims = op.IntegersAttribute("broadcast_dimensions");
  for (int64_t i = 0; dims.ok() && i < shape.rank(); ++i) {
    const int64_t dim = (*dims)[i];
    if (shape.dim(i) == op.result()->shape().dim(dim)) {
      sharding.dims[i] = to.dims[dim];
    }
  }
  return sharding;
}

}  // namespace lockstep::internal
