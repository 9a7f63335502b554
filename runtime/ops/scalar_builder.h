#ifndef LOCKSTEP_RUNTIME_OPS_SCALAR_BUILDER_H_
#define LOCKSTEP_RUNTIME_OPS_SCALAR_BUILDER_H_

#include "absl/types/span.h"
#include "runtime/ir/op_def.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// The scalar operations that elementwise ops are made of, with the meaning of
// the StableHLO op of the same name.
enum class UnaryScalarOp {
  kAbs,
  kCbrt,
  kCeil,
  kCosine,
  kCountLeadingZeros,
  kErf,   // chlo.erf
  kErfc,  // chlo.erfc
  kExponential,
  kExponentialMinusOne,
  kFloor,
  kImag,  // of a real type; of a float: 0
  kIsFinite,
  kLog,
  kLogPlusOne,
  kLogistic,
  kNegate,
  kNot,
  kPopcnt,
  kReal,  // of a real type; of a float: itself
  kRoundNearestAfz,
  kRoundNearestEven,
  kRsqrt,
  kSign,
  kSine,
  kSqrt,
  kTan,
  kTanh,
};

enum class BinaryScalarOp {
  kAdd,
  kAnd,
  kAtan2,
  kComplex,  // of two floats, of a complex type
  kDivide,
  kMaximum,
  kMinimum,
  kMultiply,
  kOr,
  kPower,
  kRemainder,
  kShiftLeft,
  kShiftRightArithmetic,
  kShiftRightLogical,
  kSubtract,
  kXor,
};

enum class ScalarComparison { kEq, kNe, kGe, kGt, kLe, kLt };

// What elementwise ops emit into: a backend's builder of the code for one
// output element. Scalars are handles that the builder gives out, valid as long
// as it lives. Used by one thread.
class ScalarBuilder {
 public:
  virtual ~ScalarBuilder() = default;

  virtual ElementType TypeOf(int scalar) const = 0;
  // `value` converted to `type`.
  virtual int Constant(ElementType type, double value) = 0;
  virtual int Unary(UnaryScalarOp op, int x) = 0;
  virtual int Binary(BinaryScalarOp op, int x, int y) = 0;
  // A kPred. `is_total_order`: the order of IEEE 754 totalOrder.
  virtual int Compare(ScalarComparison comparison, bool is_total_order, int x,
                      int y) = 0;
  virtual int Select(int predicate, int on_true, int on_false) = 0;
  virtual int Convert(ElementType type, int x) = 0;
  // The same bits as another type of the same width.
  virtual int BitcastConvert(ElementType type, int x) = 0;
  // stablehlo.reduce_precision.
  virtual int ReducePrecision(int exponent_bits, int mantissa_bits, int x) = 0;
};

// The emissions below take all types that the op takes, complex ones included;
// a backend refuses what it lacks.

// Emission of an op that is one scalar operation.
inline OpDef::EmitFn EmitUnary(UnaryScalarOp scalar_op) {
  return [scalar_op](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
    return b.Unary(scalar_op, x[0]);
  };
}
inline OpDef::EmitFn EmitBinary(BinaryScalarOp scalar_op) {
  return [scalar_op](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
    return b.Binary(scalar_op, x[0], x[1]);
  };
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SCALAR_BUILDER_H_
