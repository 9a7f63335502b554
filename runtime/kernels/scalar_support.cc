#include "runtime/kernels/scalar_support.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/unwritten_code.h"
#include "runtime/ops/small_float_expansion.h"

namespace lockstep::internal {
namespace {

bool IsPlainFloat(ElementType type) { return IsFloat(type); }

}  // namespace

bool HasCodeFor(ElementType type) {
  switch (type) {
    case ElementType::kPred:
    case ElementType::kS8:
    case ElementType::kS16:
    case ElementType::kS32:
    case ElementType::kS64:
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32:
    case ElementType::kU64:
    case ElementType::kF16:
    case ElementType::kBF16:
    case ElementType::kF32:
    case ElementType::kF64:
    case ElementType::kC64:
    case ElementType::kC128:
      return true;
    default:
      // They convert, and nothing else.
      return IsSmallFloat(type);
  }
}

bool HasCodeFor(UnaryScalarOp op, ElementType type) {
  switch (op) {
    case UnaryScalarOp::kReal:
    case UnaryScalarOp::kImag:
      return IsPlainFloat(type) || IsComplex(type);
    case UnaryScalarOp::kCountLeadingZeros:
    case UnaryScalarOp::kPopcnt:
      return IsInteger(type);
    case UnaryScalarOp::kAbs:
      return IsPlainFloat(type) || IsSignedInteger(type) || IsComplex(type);
    case UnaryScalarOp::kSign:
      return IsPlainFloat(type) || IsSignedInteger(type) || IsComplex(type);
    case UnaryScalarOp::kNegate:
      return IsPlainFloat(type) || IsInteger(type) || IsComplex(type);
    case UnaryScalarOp::kNot:
      return IsInteger(type) || type == ElementType::kPred;
    case UnaryScalarOp::kCbrt:
    case UnaryScalarOp::kCosine:
    case UnaryScalarOp::kExponential:
    case UnaryScalarOp::kExponentialMinusOne:
    case UnaryScalarOp::kLog:
    case UnaryScalarOp::kLogPlusOne:
    case UnaryScalarOp::kLogistic:
    case UnaryScalarOp::kRsqrt:
    case UnaryScalarOp::kSine:
    case UnaryScalarOp::kSqrt:
    case UnaryScalarOp::kTan:
    case UnaryScalarOp::kTanh:
      return IsPlainFloat(type) || IsComplex(type);
    case UnaryScalarOp::kCeil:
    case UnaryScalarOp::kErf:
    case UnaryScalarOp::kErfc:
    case UnaryScalarOp::kFloor:
    case UnaryScalarOp::kIsFinite:
    case UnaryScalarOp::kRoundNearestAfz:
    case UnaryScalarOp::kRoundNearestEven:
      return IsPlainFloat(type);
    default:
      return false;
  }
}

bool HasCodeFor(BinaryScalarOp op, ElementType type) {
  const bool is_number = IsPlainFloat(type) || IsInteger(type);
  switch (op) {
    case BinaryScalarOp::kAdd:
    case BinaryScalarOp::kMultiply:
    case BinaryScalarOp::kMaximum:
    case BinaryScalarOp::kMinimum:
      return is_number || IsComplex(type) || type == ElementType::kPred;
    case BinaryScalarOp::kSubtract:
    case BinaryScalarOp::kDivide:
      return is_number || IsComplex(type);
    case BinaryScalarOp::kPower:
    case BinaryScalarOp::kRemainder:
      return is_number;
    case BinaryScalarOp::kAtan2:
      return IsPlainFloat(type);
    case BinaryScalarOp::kComplex:
      return type == ElementType::kF32 || type == ElementType::kF64;
    case BinaryScalarOp::kAnd:
    case BinaryScalarOp::kOr:
    case BinaryScalarOp::kXor:
      return IsInteger(type) || type == ElementType::kPred;
    case BinaryScalarOp::kShiftLeft:
    case BinaryScalarOp::kShiftRightArithmetic:
    case BinaryScalarOp::kShiftRightLogical:
      return IsInteger(type);
    default:
      return false;
  }
}

bool CanEmitElementwise(const Op& op) {
  if (op.def() == nullptr || op.def()->kind() != OpKind::kElementwise ||
      !EmitsElements(op) || op.result_count() != 1) {
    return false;
  }
  if (!op.result()->type().is_tensor()) return false;
  ScalarTypes types;
  std::vector<int> operands;
  for (const Value* operand : op.operands()) {
    const Shape& shape = operand->shape();
    if (shape.rank() != 0 && shape.dims() != op.result()->shape().dims()) {
      return false;
    }
    operands.push_back(types.Add(shape.element_type()));
  }
  if (!types.are_supported()) return false;
  const int result = op.def()->emit()(types, op, operands);
  return types.are_supported() &&
         types.TypeOf(result) == op.result()->shape().element_type();
}

bool CanEmitScalarRegion(const Region& region) {
  absl::flat_hash_set<const Value*> known;
  for (const auto& argument : region.arguments()) {
    if (!argument->type().is_tensor() || argument->shape().rank() != 0 ||
        !HasCodeFor(argument->shape().element_type())) {
      return false;
    }
    known.insert(argument.get());
  }
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      if (!known.contains(operand)) return false;
    }
    if (op.get() == region.terminator()) continue;
    if (op->def() == nullptr || op->result_count() != 1 ||
        !op->result()->type().is_tensor() ||
        op->result()->shape().rank() != 0) {
      return false;
    }
    const bool is_constant = op->def()->kind() == OpKind::kConstant &&
                             op->name() == "stablehlo.constant" &&
                             HasCodeFor(op->result()->shape().element_type());
    if (!is_constant && !CanEmitElementwise(*op)) return false;
    known.insert(op->result());
  }
  return region.terminator() != nullptr;
}

}  // namespace lockstep::internal
