#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_LIBRARY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_LIBRARY_H_

#include "absl/strings/string_view.h"
#include "llvm/IR/IRBuilder.h"

namespace lockstep::internal {

// Calls of elementary functions that the loop vectoriser can widen: SLEEF's,
// in the variants that give the same bits for every vector length and for
// scalars, so that the place of an element in its loop does not matter. With
// and without fused multiply-add they are different ones. For processors other
// than x86-64, calls of the C library.
class VectorLibrary {
 public:
  explicit VectorLibrary(llvm::IRBuilder<>& builder) : b_(builder) {}

  // `name` as the C library calls it for doubles. The arguments are all f32 or
  // all f64.
  llvm::Value* Call(absl::string_view name,
                    llvm::ArrayRef<llvm::Value*> arguments) const;

 private:
  llvm::FunctionCallee Declare(const std::string& symbol,
                               llvm::FunctionType* type) const;

  llvm::IRBuilder<>& b_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_LIBRARY_H_
