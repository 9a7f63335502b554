#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// For tests: kernels of single ops.

// The program of one elementwise op on vectors of `length` elements of `type`
// ("f32"), which is the result's type too.
std::string OpProgram(absl::string_view op, absl::string_view type,
                      int operands, int64_t length);

// The kernel of the first op of a program.
class OpKernel {
 public:
  explicit OpKernel(std::unique_ptr<Module> module);

  template <typename T>
  void Run(const std::vector<const T*>& operands, T* result) const {
    std::vector<char*> buffers;
    for (const T* operand : operands) {
      buffers.push_back(reinterpret_cast<char*>(const_cast<T*>(operand)));
    }
    buffers.push_back(reinterpret_cast<char*>(result));
    kernel_->Run(buffers.data(), 0, kernel_->count());
  }

 private:
  std::unique_ptr<Module> module_;
  std::shared_ptr<const Kernel> kernel_;
};

// Memory as kernels want it: aligned.
template <typename T>
class KernelVector {
 public:
  explicit KernelVector(int64_t length)
      : literal_(Shape(ElementTypeOf<T>::value, {length})) {}
  T* data() { return literal_.mutable_data<T>().data(); }
  T& operator[](int64_t i) { return data()[i]; }

 private:
  Literal literal_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_
