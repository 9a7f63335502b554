#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_COMPILER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_COMPILER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/kernels/loop_program.h"

namespace lockstep::internal {

// A compiled kernel. Shared by the executables that use it; immutable and
// thread-safe once KernelCompiler::Finish has returned.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // Iterations that a run takes.
  virtual int64_t count() const = 0;
  virtual void Run(char** buffers, int64_t begin, int64_t end) const = 0;
};

// What the function of a loop calls, with the `context` that is behind its
// buffers: to ask whether to go on (kAskToGoOn), or for a call of the program.
// When the answer is not 0, the function returns at once.
using LoopCallback = int32_t (*)(void* context, int32_t call);
inline constexpr int32_t kAskToGoOn = -1;

// The kernels of one executable: those that are not cached are compiled all
// together, in parallel. Used by one thread.
class KernelCompiler {
 public:
  // `cache_directory`: see KernelCache.
  static std::unique_ptr<KernelCompiler> Create(std::string cache_directory);
  virtual ~KernelCompiler() = default;
  // LLVM's name of the processor that kernels are made for.
  static std::string ProcessorName();

  // Null when there is no code for the graph. The kernel must not run before
  // Finish.
  virtual std::shared_ptr<const Kernel> Add(const KernelGraph& graph) = 0;
  // How much code the graph is as a part of a loop's function, in instructions
  // of LLVM before it optimises; 0: it can be none.
  virtual int64_t PartCode(const KernelGraph& graph) = 0;
  // The function of a loop, whose every kernel has PartCode. Its buffers are
  // the blocks of the program, then a context and a LoopCallback. As a kernel
  // it has one iteration. Null: it cannot be compiled.
  virtual std::shared_ptr<const Kernel> AddLoop(const LoopProgram& loop) = 0;
  // Compiles what was added.
  virtual absl::Status Finish() = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_COMPILER_H_
