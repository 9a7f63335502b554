#include "runtime/kernels/unwritten_code.h"

#include "runtime/kernels/scalar_support.h"

namespace lockstep::internal {

int ScalarTypes::Add(ElementType type) {
  if (!HasCodeFor(type)) are_supported_ = false;
  types_.push_back(type);
  return static_cast<int>(types_.size()) - 1;
}

int ScalarTypes::Unary(UnaryScalarOp op, int x) {
  const ElementType type = types_[x];
  if (!HasCodeFor(op, type)) are_supported_ = false;
  if (op == UnaryScalarOp::kIsFinite) return Add(ElementType::kPred);
  const bool is_real = op == UnaryScalarOp::kAbs ||
                       op == UnaryScalarOp::kReal || op == UnaryScalarOp::kImag;
  return Add(is_real ? RealType(type) : type);
}

int ScalarTypes::Binary(BinaryScalarOp op, int x, int) {
  if (!HasCodeFor(op, types_[x])) are_supported_ = false;
  if (op != BinaryScalarOp::kComplex) return Add(types_[x]);
  return Add(types_[x] == ElementType::kF64 ? ElementType::kC128
                                            : ElementType::kC64);
}

int ScalarTypes::BitcastConvert(ElementType type, int x) {
  if (ByteSize(type) != ByteSize(types_[x]) || IsComplex(type) ||
      IsComplex(types_[x]) || type == ElementType::kPred) {
    are_supported_ = false;
  }
  return Add(type);
}

int ScalarTypes::ReducePrecision(int, int, int x) {
  if (!IsFloat(types_[x])) are_supported_ = false;
  return Add(types_[x]);
}

}  // namespace lockstep::internal
