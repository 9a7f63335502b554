#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The function of a kernel while it is being built:
//   void kernel(char** buffers, int64_t begin, int64_t end)
// It works on a range of the kernel's iterations. Loads and stores tell the
// optimiser which buffers may be the same memory.
class KernelFunction {
 public:
  KernelFunction(llvm::Module& module, const KernelGraph& graph);

  llvm::IRBuilder<>& builder() { return b_; }
  LlvmScalarBuilder& scalars() { return scalars_; }
  llvm::Value* begin() const { return begin_; }
  llvm::Value* end() const { return end_; }
  llvm::Value* Int(int64_t value) { return b_.getInt64(value); }

  // Element `offset` of a buffer.
  int Load(int buffer, ElementType type, llvm::Value* offset);
  void Store(int buffer, ElementType type, llvm::Value* offset, int scalar);
  // From here on loads of `buffer` also fetch the memory `bytes` behind what
  // they read; with 0 no more.
  void Prefetch(int buffer, int64_t bytes) { prefetches_[buffer] = bytes; }
  // Memory of the call for `count` values of `type`, uninitialised.
  llvm::AllocaInst* Scratch(llvm::Type* type, int64_t count);
  llvm::Value* LoadScratch(llvm::AllocaInst* scratch, llvm::Value* offset);
  void StoreScratch(llvm::AllocaInst* scratch, llvm::Value* offset,
                    llvm::Value* value);

  // As Loop with step 1, for loops whose stores all go to elements
  // first[buffer] + i of large outputs: they go around the caches. `first` must
  // be multiples of a cache line, and so must `begin`.
  struct Stream {
    int buffer;
    ElementType type;
    llvm::Value* first;
  };
  void StreamLoop(llvm::Value* begin, llvm::Value* end,
                  const std::vector<Stream>& streams,
                  const std::function<void(llvm::Value*)>& body);

  // for (i = begin; i < end; i += step) body(i). `is_parallel`: no iteration
  // reads what another one writes.
  void Loop(llvm::Value* begin, llvm::Value* end, int64_t step,
            bool is_parallel, const std::function<void(llvm::Value*)>& body);
  // predicate ? on_true() : on_false(), of which only one runs.
  int Branch(llvm::Value* predicate, const std::function<int()>& on_true,
             const std::function<int()>& on_false);

  // Ends the function.
  void Finish();

 private:
  llvm::Value* Address(int buffer, ElementType type, llvm::Value* offset);
  void Annotate(llvm::Instruction* access, int buffer);
  void Flush(const Stream& stream, llvm::AllocaInst* chunk, llvm::Value* begin,
             llvm::Value* end);

  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  LlvmScalarBuilder scalars_;
  llvm::Function* function_;
  llvm::Value* begin_;
  llvm::Value* end_;
  llvm::MDNode* access_group_;
  std::vector<llvm::Value*> bases_;
  // Per buffer: its alias scope list, and those of all others.
  std::vector<llvm::MDNode*> own_scopes_;
  std::vector<llvm::MDNode*> other_scopes_;
  std::vector<bool> is_invariant_;
  // Where stores to a buffer go while a chunk of a stream is being made.
  struct Redirection {
    llvm::AllocaInst* chunk;
    llvm::Value* first;  // the element of the buffer that chunk[0] stands for
  };
  absl::flat_hash_map<int, Redirection> redirections_;
  absl::flat_hash_map<int, int64_t> prefetches_;
  bool has_streams_ = false;
};

inline constexpr char kKernelSymbol[] = "kernel";

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_
