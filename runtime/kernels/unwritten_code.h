#ifndef LOCKSTEP_RUNTIME_KERNELS_UNWRITTEN_CODE_H_
#define LOCKSTEP_RUNTIME_KERNELS_UNWRITTEN_CODE_H_

#include <functional>
#include <vector>

#include "runtime/kernels/kernel_code.h"

namespace lockstep::internal {

// Writes no code: follows the types, and notes what kernels have no code for.
class ScalarTypes : public ScalarBuilder {
 public:
  int Add(ElementType type);
  bool are_supported() const { return are_supported_; }

  ElementType TypeOf(int scalar) const override { return types_[scalar]; }
  int Constant(ElementType type, double) override { return Add(type); }
  int Unary(UnaryScalarOp op, int x) override;
  int Binary(BinaryScalarOp op, int x, int y) override;
  int Compare(ScalarComparison, bool, int x, int) override {
    if (IsSmallFloat(types_[x])) are_supported_ = false;
    return Add(ElementType::kPred);
  }
  int Select(int, int on_true, int) override { return Add(types_[on_true]); }
  int Convert(ElementType type, int) override { return Add(type); }
  int BitcastConvert(ElementType type, int x) override;
  int ReducePrecision(int, int, int x) override;

 private:
  std::vector<ElementType> types_;
  bool are_supported_ = true;
};

// The same of whole kernels: for finding out what an emission uses.
class UnwrittenCode final : public KernelCode {
 public:
  ScalarBuilder& scalar_builder() override { return types_; }
  Index IndexConstant(int64_t) override { return {0}; }
  Index Add(Index x, Index) override { return x; }
  Index Multiply(Index x, int64_t) override { return x; }
  Index Divide(Index x, int64_t) override { return x; }
  Index Modulo(Index x, int64_t) override { return x; }
  Index Clamp(int, int64_t) override { return {0}; }
  int ScalarOf(Index, ElementType type) override { return types_.Add(type); }
  int IsBelow(Index, int64_t) override { return Predicate(); }
  int IsWithin(Index, int64_t) override { return Predicate(); }
  int IsMultiple(Index, int64_t) override { return Predicate(); }
  int LiteralScalar(ElementType type, const std::byte*) override {
    return types_.Add(type);
  }
  int LoadConstant(ElementType type, absl::Span<const std::byte>,
                   Index) override {
    return types_.Add(type);
  }
  int Load(int, ElementType type, Index) override { return types_.Add(type); }
  int Branch(int, const std::function<int()>& on_true,
             const std::function<int()>& on_false) override {
    on_false();
    return on_true();
  }

 private:
  int Predicate() { return types_.Add(ElementType::kPred); }

  ScalarTypes types_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_UNWRITTEN_CODE_H_
