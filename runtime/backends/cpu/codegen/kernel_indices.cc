// KernelFunction: what elements are made of beside scalar operations.

#include "runtime/backends/cpu/codegen/kernel_function.h"

namespace lockstep::internal {

KernelCode::Index KernelFunction::Add(Index x, Index y) {
  return IndexOf(b_.CreateNSWAdd(ValueOf(x), ValueOf(y)));
}
KernelCode::Index KernelFunction::Multiply(Index x, int64_t factor) {
  return IndexOf(b_.CreateNSWMul(ValueOf(x), Int(factor)));
}
KernelCode::Index KernelFunction::Divide(Index x, int64_t divisor) {
  return IndexOf(b_.CreateUDiv(ValueOf(x), Int(divisor)));
}
KernelCode::Index KernelFunction::Modulo(Index x, int64_t divisor) {
  return IndexOf(b_.CreateURem(ValueOf(x), Int(divisor)));
}

KernelCode::Index KernelFunction::Clamp(int scalar, int64_t room) {
  const ScalarValue start = scalars_.Get(scalar);
  llvm::Value* position;
  if (IsSignedInteger(start.type)) {
    position = b_.CreateSExt(start.value, b_.getInt64Ty());
    position =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, position, Int(0));
  } else {
    position = b_.CreateZExt(start.value, b_.getInt64Ty());
  }
  return IndexOf(
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, position, Int(room)));
}

int KernelFunction::ScalarOf(Index x, ElementType type) {
  llvm::Value* value = ValueOf(x);
  if (type == ElementType::kS32) value = b_.CreateTrunc(value, b_.getInt32Ty());
  return scalars_.Add({type, value});
}

int KernelFunction::IsBelow(Index x, int64_t bound) {
  return scalars_.Add(
      {ElementType::kPred, b_.CreateICmpSLT(ValueOf(x), Int(bound))});
}
int KernelFunction::IsWithin(Index x, int64_t size) {
  return scalars_.Add(
      {ElementType::kPred, b_.CreateICmpULT(ValueOf(x), Int(size))});
}
int KernelFunction::IsMultiple(Index x, int64_t divisor) {
  llvm::Value* rest = b_.CreateURem(ValueOf(x), Int(divisor));
  return scalars_.Add({ElementType::kPred, b_.CreateICmpEQ(rest, Int(0))});
}

int KernelFunction::LoadConstant(ElementType type,
                                 absl::Span<const std::byte> bytes, Index x) {
  llvm::Constant* data = llvm::ConstantDataArray::getRaw(
      llvm::StringRef(reinterpret_cast<const char*>(bytes.data()),
                      bytes.size()),
      bytes.size(), b_.getInt8Ty());
  auto* table = new llvm::GlobalVariable(
      module_, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data);
  table->setAlignment(llvm::Align(64));
  llvm::Type* memory = scalars_.MemoryType(type);
  llvm::Value* offset = ValueOf(x);
  if (IsComplex(type)) offset = b_.CreateMul(offset, Int(2));
  llvm::Value* address = b_.CreateInBoundsGEP(memory, table, {offset});
  llvm::Value* real = b_.CreateLoad(memory, address);
  llvm::Value* imaginary = nullptr;
  if (IsComplex(type)) {
    imaginary = b_.CreateLoad(
        memory, b_.CreateConstInBoundsGEP1_64(memory, address, 1));
  }
  return scalars_.Add(scalars_.FromMemory(type, real, imaginary));
}

}  // namespace lockstep::internal
