#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/ir/module.h"

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

// Zeros in memory as kernels want it: aligned.
template <typename T>
class KernelVector {
 public:
  explicit KernelVector(int64_t length)
      : memory_(*ScratchMemory::Allocate(length *
                                         static_cast<int64_t>(sizeof(T)))) {
    std::uninitialized_fill_n(data(), length, T());
  }
  T* data() { return memory_.template as<T>(); }
  T& operator[](int64_t i) { return data()[i]; }

 private:
  const ScratchMemory memory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_OP_KERNEL_H_
