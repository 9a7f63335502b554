#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_JIT_COMPILER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_JIT_COMPILER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace llvm {
class Module;
}

namespace lockstep::internal {

// void kernel(char** buffers, int64_t begin, int64_t end).
using KernelFunctionPointer = void (*)(char**, int64_t, int64_t);

// Machine code in this process; freed with the object.
class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;
  virtual KernelFunctionPointer function() const = 0;
};

// LLVM for CpuTarget::OfProcess(). Thread-safe; made at first use, lives for
// ever.
class JitCompiler {
 public:
  static JitCompiler& Get();
  virtual ~JitCompiler() = default;

  // What code depends on beside the program: LLVM's version, the processor.
  virtual const std::string& target() const = 0;
  // Fits the module to the target, before Compile.
  virtual void Prepare(llvm::Module& module) = 0;
  // Optimises the module and compiles it to an object file.
  virtual absl::StatusOr<std::string> Compile(llvm::Module& module) = 0;
  // INTERNAL when it is no object file with a function `kernel`.
  virtual absl::StatusOr<std::unique_ptr<LoadedKernel>> Load(
      absl::string_view object) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_JIT_COMPILER_H_
