#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_SCALAR_BUILDER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_SCALAR_BUILDER_H_

#include <cstddef>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "runtime/ops/scalar_builder.h"

namespace lockstep::internal {

// One element in registers. f16 and bf16 are held as the f32 of the same value,
// i1 as i1, floats of 8 bits and fewer, which only convert, as the i8 of their
// bits, complex numbers in two parts.
struct ScalarValue {
  ElementType type = ElementType::kF32;
  llvm::Value* value = nullptr;  // the real part
  llvm::Value* imaginary = nullptr;
};

// ScalarBuilder over LLVM IR: scalar code, branch-free, that the loop
// vectoriser turns into vector code. What it has code for: scalar_support.h.
// f16 and bf16 compute in f32 and round once per operation. No fast-math flags,
// but `reassociates`.
class LlvmScalarBuilder : public ScalarBuilder {
 public:
  explicit LlvmScalarBuilder(llvm::IRBuilder<>& builder) : b_(builder) {}

  int Add(ScalarValue value);
  const ScalarValue& Get(int scalar) const { return scalars_[scalar]; }

  // While set, float additions and multiplications may be reordered: for the
  // accumulator of a reduction.
  void set_reassociates(bool reassociates) { reassociates_ = reassociates; }

  // The type of an element in memory; of the real part for complex types.
  llvm::Type* MemoryType(ElementType type) const;
  // Between registers and memory. `pointer` is the element's address.
  ScalarValue FromMemory(ElementType type, llvm::Value* value,
                         llvm::Value* imaginary = nullptr);
  llvm::Value* ToMemory(ElementType type, llvm::Value* value);

  // The element that lies at `bytes`.
  ScalarValue FromBytes(ElementType type, const std::byte* bytes);

  ElementType TypeOf(int scalar) const override {
    return scalars_[scalar].type;
  }
  int Constant(ElementType type, double value) override;
  int Unary(UnaryScalarOp op, int x) override;
  int Binary(BinaryScalarOp op, int x, int y) override;
  int Compare(ScalarComparison comparison, bool is_total_order, int x,
              int y) override;
  int Select(int predicate, int on_true, int on_false) override;
  int Convert(ElementType type, int x) override;
  int BitcastConvert(ElementType type, int x) override;
  int ReducePrecision(int exponent_bits, int mantissa_bits, int x) override;

 private:
  llvm::Value* RealConstant(ElementType type, double value);
  llvm::Value* FloatUnary(UnaryScalarOp op, ElementType type, llvm::Value* x);
  llvm::Value* IntegerUnary(UnaryScalarOp op, llvm::Value* x);
  llvm::Value* FloatBinary(BinaryScalarOp op, llvm::Value* x, llvm::Value* y);
  llvm::Value* IntegerBinary(BinaryScalarOp op, bool is_signed, llvm::Value* x,
                             llvm::Value* y);
  llvm::Value* IntegerDivision(bool is_remainder, bool is_signed,
                               llvm::Value* x, llvm::Value* y);
  llvm::Value* IntegerPower(bool is_signed, llvm::Value* x, llvm::Value* y);
  llvm::Value* Shift(BinaryScalarOp op, llvm::Value* x, llvm::Value* y);
  llvm::Value* ConvertReal(ElementType from, ElementType to, llvm::Value* x);
  llvm::Value* ConvertIntegerToFloat(ElementType from, ElementType to,
                                     llvm::Value* x);
  // To an f32, so that rounding once more, to fewer bits, is as if from `x`.
  llvm::Value* IntegerToRoundedFloat(ElementType from, llvm::Value* x);
  // Rounds an f32 to the precision of `type` (f16, bf16); others stay.
  llvm::Value* Round(ElementType type, llvm::Value* x);
  llvm::Value* DoubleToFloatRoundingToOdd(llvm::Value* x);
  llvm::Value* TotalOrderKey(llvm::Value* x);
  int ComplexUnary(UnaryScalarOp op, const ScalarValue& x);
  int ComplexBinary(BinaryScalarOp op, const ScalarValue& x,
                    const ScalarValue& y);

  llvm::IRBuilder<>& b_;
  std::vector<ScalarValue> scalars_;
  bool reassociates_ = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_SCALAR_BUILDER_H_
