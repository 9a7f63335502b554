#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"

#include <cstring>

#include "runtime/backends/cpu/codegen/vector_library.h"
#include "runtime/backends/cpu/codegen/vector_math.h"
#include "runtime/base/check.h"
#include "runtime/types/element_type.h"
#include "runtime/types/small_float_format.h"

namespace lockstep::internal {
namespace {

using llvm::Intrinsic::ID;

int BitsOf(ElementType type) { return static_cast<int>(8 * ByteSize(type)); }

}  // namespace

int LlvmScalarBuilder::Add(ScalarValue value) {
  scalars_.push_back(value);
  return static_cast<int>(scalars_.size()) - 1;
}

llvm::Type* LlvmScalarBuilder::MemoryType(ElementType type) const {
  switch (RealType(type)) {
    case ElementType::kF16:
      return b_.getHalfTy();
    case ElementType::kF32:
      return b_.getFloatTy();
    case ElementType::kF64:
      return b_.getDoubleTy();
    default:
      return b_.getIntNTy(BitsOf(RealType(type)));
  }
}

ScalarValue LlvmScalarBuilder::FromMemory(ElementType type, llvm::Value* value,
                                          llvm::Value* imaginary) {
  switch (type) {
    case ElementType::kPred:
      return {type, b_.CreateICmpNE(value, b_.getInt8(0))};
    case ElementType::kF16:
      return {type, b_.CreateFPExt(value, b_.getFloatTy())};
    case ElementType::kBF16: {
      llvm::Value* bits =
          b_.CreateShl(b_.CreateZExt(value, b_.getInt32Ty()), 16);
      return {type, b_.CreateBitCast(bits, b_.getFloatTy())};
    }
    default:
      return {type, value, imaginary};
  }
}

llvm::Value* LlvmScalarBuilder::ToMemory(ElementType type, llvm::Value* value) {
  switch (type) {
    case ElementType::kPred:
      return b_.CreateZExt(value, b_.getInt8Ty());
    case ElementType::kF16:
      return b_.CreateFPTrunc(value, b_.getHalfTy());
    case ElementType::kBF16: {
      llvm::Value* bits = b_.CreateBitCast(value, b_.getInt32Ty());
      return b_.CreateTrunc(b_.CreateLShr(bits, 16), b_.getInt16Ty());
    }
    default:
      return value;
  }
}

ScalarValue LlvmScalarBuilder::FromBytes(ElementType type,
                                         const std::byte* bytes) {
  const auto part = [&](const std::byte* at) -> llvm::Value* {
    uint64_t bits = 0;
    std::memcpy(&bits, at, static_cast<size_t>(ByteSize(RealType(type))));
    llvm::Type* memory = MemoryType(type);
    llvm::Constant* integer = b_.getIntN(memory->getScalarSizeInBits(), bits);
    return b_.CreateBitCast(integer, memory);
  };
  if (!IsComplex(type)) return FromMemory(type, part(bytes));
  return {type, part(bytes), part(bytes + ByteSize(RealType(type)))};
}

llvm::Value* LlvmScalarBuilder::RealConstant(ElementType type, double value) {
  switch (type) {
    case ElementType::kPred:
      return b_.getInt1(value != 0);
    case ElementType::kF16:
      return llvm::ConstantFP::get(
          b_.getFloatTy(), static_cast<double>(static_cast<float>(F16(value))));
    case ElementType::kBF16:
      return llvm::ConstantFP::get(
          b_.getFloatTy(),
          static_cast<double>(static_cast<float>(BF16(value))));
    case ElementType::kF32:
      return llvm::ConstantFP::get(b_.getFloatTy(), value);
    case ElementType::kF64:
      return llvm::ConstantFP::get(b_.getDoubleTy(), value);
    default:
      if (IsSmallFloat(type)) {
        return b_.getInt8(DoubleToSmallFloat(value, FormatOf(type)));
      }
      return b_.getIntN(BitsOf(type),
                        value < 0
                            ? static_cast<uint64_t>(static_cast<int64_t>(value))
                            : static_cast<uint64_t>(value));
  }
}

int LlvmScalarBuilder::Constant(ElementType type, double value) {
  if (IsComplex(type)) {
    return Add({type, RealConstant(RealType(type), value),
                RealConstant(RealType(type), 0)});
  }
  return Add({type, RealConstant(type, value)});
}

llvm::Value* LlvmScalarBuilder::FloatUnary(UnaryScalarOp op, ElementType type,
                                           llvm::Value* x) {
  const VectorMath math(b_);
  const VectorLibrary library(b_);
  const auto intrinsic = [&](ID id) { return b_.CreateUnaryIntrinsic(id, x); };
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  switch (op) {
    case UnaryScalarOp::kAbs:
      return intrinsic(llvm::Intrinsic::fabs);
    case UnaryScalarOp::kCeil:
      return intrinsic(llvm::Intrinsic::ceil);
    case UnaryScalarOp::kFloor:
      return intrinsic(llvm::Intrinsic::floor);
    case UnaryScalarOp::kRoundNearestAfz:
      return intrinsic(llvm::Intrinsic::round);
    case UnaryScalarOp::kRoundNearestEven:
      return intrinsic(llvm::Intrinsic::roundeven);
    case UnaryScalarOp::kNegate:
      return b_.CreateFNeg(x);
    case UnaryScalarOp::kSqrt:
      return intrinsic(llvm::Intrinsic::sqrt);
    case UnaryScalarOp::kRsqrt:
      return b_.CreateFDiv(one, intrinsic(llvm::Intrinsic::sqrt));
    case UnaryScalarOp::kSign: {
      llvm::Value* signed_one =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, one, x);
      llvm::Value* zero = llvm::ConstantFP::get(x->getType(), 0.0);
      return b_.CreateSelect(b_.CreateFCmpUEQ(x, zero), x, signed_one);
    }
    case UnaryScalarOp::kIsFinite: {
      llvm::Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
      return b_.CreateFCmpOLT(intrinsic(llvm::Intrinsic::fabs), infinity);
    }
    case UnaryScalarOp::kReal:
      return x;
    case UnaryScalarOp::kImag:
      return llvm::ConstantFP::get(x->getType(), 0.0);
    case UnaryScalarOp::kCbrt:
      return library.Call("cbrt", {x});
    case UnaryScalarOp::kErf:
      return math.Erf(x);
    case UnaryScalarOp::kErfc:
      return library.Call("erfc", {x});
    case UnaryScalarOp::kTan:
      return library.Call("tan", {x});
    case UnaryScalarOp::kCosine:
      return library.Call("cos", {x});
    case UnaryScalarOp::kSine:
      return library.Call("sin", {x});
    case UnaryScalarOp::kExponential:
      return math.Exponential(x);
    case UnaryScalarOp::kExponentialMinusOne:
      return math.ExponentialMinusOne(x);
    case UnaryScalarOp::kLog:
      return math.Log(x);
    case UnaryScalarOp::kLogPlusOne:
      return math.LogPlusOne(x);
    case UnaryScalarOp::kLogistic:
      return math.Logistic(x);
    case UnaryScalarOp::kTanh:
      return math.Tanh(x);
    default:
      LOCKSTEP_CHECK(false);
      return x;
  }
}

int LlvmScalarBuilder::Unary(UnaryScalarOp op, int x) {
  const ScalarValue value = scalars_[x];
  if (IsComplex(value.type)) return ComplexUnary(op, value);
  if (!IsFloat(value.type)) {
    return Add({value.type, IntegerUnary(op, value.value)});
  }
  llvm::Value* result = FloatUnary(op, value.type, value.value);
  if (op == UnaryScalarOp::kIsFinite) {
    return Add({ElementType::kPred, result});
  }
  return Add({value.type, Round(value.type, result)});
}

llvm::Value* LlvmScalarBuilder::FloatBinary(BinaryScalarOp op, llvm::Value* x,
                                            llvm::Value* y) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  if (reassociates_) {
    llvm::FastMathFlags flags;
    flags.setAllowReassoc();
    b_.setFastMathFlags(flags);
  }
  switch (op) {
    case BinaryScalarOp::kAdd:
      return b_.CreateFAdd(x, y);
    case BinaryScalarOp::kSubtract:
      return b_.CreateFSub(x, y);
    case BinaryScalarOp::kMultiply:
      return b_.CreateFMul(x, y);
    case BinaryScalarOp::kDivide:
      return b_.CreateFDiv(x, y);
    case BinaryScalarOp::kMaximum:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, x, y);
    case BinaryScalarOp::kMinimum:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::minimum, x, y);
    case BinaryScalarOp::kRemainder:
      return b_.CreateFRem(x, y);
    case BinaryScalarOp::kAtan2:
      return VectorLibrary(b_).Call("atan2", {x, y});
    case BinaryScalarOp::kPower:
      return VectorLibrary(b_).Call("pow", {x, y});
    default:
      LOCKSTEP_CHECK(false);
      return x;
  }
}

int LlvmScalarBuilder::Binary(BinaryScalarOp op, int x, int y) {
  const ScalarValue lhs = scalars_[x];
  const ScalarValue rhs = scalars_[y];
  const ElementType type = lhs.type;
  if (op == BinaryScalarOp::kComplex) {
    return Add(
        {type == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64,
         lhs.value, rhs.value});
  }
  if (IsComplex(type)) return ComplexBinary(op, lhs, rhs);
  if (type == ElementType::kPred) {
    const bool is_or =
        op == BinaryScalarOp::kAdd || op == BinaryScalarOp::kMaximum;
    const bool is_and =
        op == BinaryScalarOp::kMultiply || op == BinaryScalarOp::kMinimum;
    if (is_or) op = BinaryScalarOp::kOr;
    if (is_and) op = BinaryScalarOp::kAnd;
  }
  if (!IsFloat(type)) {
    return Add(
        {type, IntegerBinary(op, IsSignedInteger(type), lhs.value, rhs.value)});
  }
  return Add({type, Round(type, FloatBinary(op, lhs.value, rhs.value))});
}

llvm::Value* LlvmScalarBuilder::TotalOrderKey(llvm::Value* x) {
  const unsigned bits = x->getType()->getScalarSizeInBits();
  llvm::Type* type = b_.getIntNTy(bits);
  llvm::Value* key = b_.CreateBitCast(x, type);
  llvm::Value* sign = b_.CreateAShr(key, bits - 1);
  return b_.CreateXor(key, b_.CreateLShr(sign, 1));
}

int LlvmScalarBuilder::Compare(ScalarComparison comparison, bool is_total_order,
                               int x, int y) {
  using Predicate = llvm::CmpInst::Predicate;
  struct Row {
    Predicate of_float, of_signed, of_unsigned;
  };
  static constexpr Row kRows[] = {
      {Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ},
      {Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE},
      {Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE},
      {Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT},
      {Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE},
      {Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT},
  };
  const Row& row = kRows[static_cast<int>(comparison)];
  const ScalarValue lhs = scalars_[x];
  const ScalarValue rhs = scalars_[y];
  llvm::Value* result;
  if (IsComplex(lhs.type)) {
    result = b_.CreateAnd(b_.CreateFCmpOEQ(lhs.value, rhs.value),
                          b_.CreateFCmpOEQ(lhs.imaginary, rhs.imaginary));
    if (comparison == ScalarComparison::kNe) result = b_.CreateNot(result);
  } else if (IsFloat(lhs.type) && is_total_order) {
    result = b_.CreateICmp(row.of_signed, TotalOrderKey(lhs.value),
                           TotalOrderKey(rhs.value));
  } else if (IsFloat(lhs.type)) {
    result = b_.CreateFCmp(row.of_float, lhs.value, rhs.value);
  } else {
    result = b_.CreateICmp(
        IsSignedInteger(lhs.type) ? row.of_signed : row.of_unsigned, lhs.value,
        rhs.value);
  }
  return Add({ElementType::kPred, result});
}

int LlvmScalarBuilder::Select(int predicate, int on_true, int on_false) {
  llvm::Value* condition = scalars_[predicate].value;
  const ScalarValue a = scalars_[on_true];
  const ScalarValue b = scalars_[on_false];
  ScalarValue result = {a.type, b_.CreateSelect(condition, a.value, b.value)};
  if (a.imaginary != nullptr) {
    result.imaginary = b_.CreateSelect(condition, a.imaginary, b.imaginary);
  }
  return Add(result);
}

}  // namespace lockstep::internal
