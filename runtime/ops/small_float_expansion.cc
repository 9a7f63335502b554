#include "runtime/ops/small_float_expansion.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

bool IsOfSmallFloats(const Value* value) {
  return value->type().is_tensor() &&
         IsSmallFloat(value->shape().element_type());
}

template <typename Predicate>
bool AnyValue(const Op& op, Predicate predicate) {
  return absl::c_any_of(op.operands(), predicate) ||
         absl::c_any_of(op.results(), [&](const auto& result) {
           return predicate(result.get());
         });
}

bool HasSmallFloats(const Op& op) { return AnyValue(op, IsOfSmallFloats); }

bool IsReductionOverDevices(const Op& op) {
  return op.name() == "stablehlo.all_reduce" ||
         op.name() == "stablehlo.reduce_scatter" ||
         op.name() == "stablehlo.collective_reduce";
}

// A reduction whose body is one op on small floats.
bool ReducesByOneOp(const Op& op) {
  return op.region_count() == 1 && SingleOpBody(op.region()) != nullptr &&
         IsOfSmallFloats(op.region().arguments()[0].get());
}

// Whether the op looks at the values of its elements, so that it cannot take
// small floats as they are. Ops whose bodies do so are not meant; next_after is
// about the format itself.
bool ComputesOnElements(const Op& op) {
  switch (op.def()->kind()) {
    case OpKind::kElementwise:
      return op.name() != "stablehlo.select" &&
             op.name() != "stablehlo.convert" &&
             op.name() != "stablehlo.bitcast_convert" &&
             op.name() != "chlo.next_after";
    case OpKind::kDot:
    case OpKind::kConvolution:
    case OpKind::kLinearAlgebra:
      return true;
    case OpKind::kReduce:
    case OpKind::kReduceWindow:
      return ReducesByOneOp(op);
    case OpKind::kCollective:
      return IsReductionOverDevices(op) && ReducesByOneOp(op);
    default:
      return op.name() == "chlo.top_k" || op.name() == "stablehlo.iota";
  }
}

bool IsOfSmallIntegers(const Value* value) {
  return value->type().is_tensor() && IsSmall(value->shape().element_type()) &&
         !IsSmallFloat(value->shape().element_type());
}

Shape WithElementType(const Shape& shape, ElementType type) {
  return Shape(type, shape.dims());
}

// Rebuilds the lists of ops.
class SmallFloatExpander {
 public:
  void Run(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    region.mutable_ops().reserve(ops.size());
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      if (HasSmallFloats(*op) && ComputesOnElements(*op)) {
        Expand(std::move(op), region);
        continue;
      }
      for (const auto& nested : op->regions()) Run(*nested);
      region.Append(std::move(op));
    }
  }

 private:
  void Expand(std::unique_ptr<Op> op, Region& region) {
    for (int i = 0; i < op->operand_count(); ++i) {
      Value* operand = op->operand(i);
      if (!IsOfSmallFloats(operand)) continue;
      op->set_operand(
          i, Convert(operand, ElementType::kF32, op->location(), region));
    }
    if (op->region_count() == 1) WidenBody(op->region());
    std::vector<std::pair<Value*, ElementType>> narrowed;
    for (const auto& result : op->results()) {
      if (!IsOfSmallFloats(result.get())) continue;
      narrowed.emplace_back(result.get(), result->shape().element_type());
      result->set_type(WithElementType(result->shape(), ElementType::kF32));
    }
    const Op* const wide = region.Append(std::move(op));
    for (const auto& [result, type] : narrowed) {
      map_.Set(result, Convert(result, type, wide->location(), region));
    }
  }

  // Of a reduction by one op.
  static void WidenBody(Region& body) {
    for (const auto& argument : body.arguments()) {
      argument->set_type(Shape(ElementType::kF32, {}));
    }
    body.ops().front()->result()->set_type(Shape(ElementType::kF32, {}));
  }

  static Value* Convert(Value* value, ElementType type,
                        const Location& location, Region& region) {
    OpState state;
    state.name = "stablehlo.convert";
    state.def = OpRegistry::Get().Find(state.name);
    state.location = location;
    state.operands = {value};
    state.result_types = {WithElementType(value->shape(), type)};
    return region.Append(std::make_unique<Op>(std::move(state)))->result();
  }

  ValueMap map_;
};

}  // namespace

bool EmitsElements(const Op& op) {
  if (op.def()->Emits(op)) return true;
  const bool is_known = op.name() == "stablehlo.select" ||
                        op.name() == "stablehlo.convert" ||
                        (op.name() == "stablehlo.bitcast_convert" &&
                         BitWidth(op.operand(0)->shape().element_type()) ==
                             BitWidth(op.result()->shape().element_type()));
  return is_known && HasSmallFloats(op) && !AnyValue(op, IsOfSmallIntegers);
}

void ComputeSmallFloatsInF32(Module& module) {
  for (const auto& function : module.functions()) {
    SmallFloatExpander().Run(function->body());
  }
}

}  // namespace lockstep::internal
