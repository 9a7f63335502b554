#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"
#include "runtime/kernels/kernel_code.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

inline constexpr char kKernelSymbol[] = "kernel";
// What the kernel of a loop calls: the loop itself.
inline constexpr char kLoopBodySymbol[] = "body";

// Where the function of a kernel is made, and which one.
struct KernelSite {
  // NOLINTNEXTLINE(google-explicit-constructor): one that is called from
  // outside
  KernelSite(llvm::Module& module) : module(module) {}
  // A part of another function, into which it will be inlined. Its buffers are
  // arguments, each by itself, before the range.
  KernelSite(llvm::Module& module, std::string part)
      : module(module), symbol(std::move(part)), is_part(true) {}

  llvm::Module& module;
  std::string symbol = kKernelSymbol;
  bool is_part = false;
};

// The function of a kernel while it is being built:
//   void kernel(char** buffers, int64_t begin, int64_t end)
// It works on a range of the kernel's iterations. Loads and stores tell the
// optimiser which buffers may be the same memory.
class KernelFunction final : public KernelCode {
 public:
  KernelFunction(const KernelSite& site, const KernelGraph& graph);

  llvm::IRBuilder<>& builder() { return b_; }
  LlvmScalarBuilder& scalars() { return scalars_; }
  // Whether the function always runs all iterations.
  bool is_part() const { return is_part_; }
  llvm::Value* begin() const { return begin_; }
  llvm::Value* end() const { return end_; }
  llvm::Value* Int(int64_t value) { return b_.getInt64(value); }

  // Between indices of KernelCode and values.
  Index IndexOf(llvm::Value* value) {
    indices_.push_back(value);
    return {static_cast<int>(indices_.size()) - 1};
  }
  llvm::Value* ValueOf(Index index) const { return indices_[index.handle]; }

  ScalarBuilder& scalar_builder() override { return scalars_; }
  void set_reassociates(bool reassociates) override {
    scalars_.set_reassociates(reassociates);
  }
  Index IndexConstant(int64_t value) override { return IndexOf(Int(value)); }
  Index Add(Index x, Index y) override;
  Index Multiply(Index x, int64_t factor) override;
  Index Divide(Index x, int64_t divisor) override;
  Index Modulo(Index x, int64_t divisor) override;
  Index Clamp(int scalar, int64_t room) override;
  int ScalarOf(Index x, ElementType type) override;
  int IsBelow(Index x, int64_t bound) override;
  int IsWithin(Index x, int64_t size) override;
  int IsMultiple(Index x, int64_t divisor) override;
  int LiteralScalar(ElementType type, const std::byte* bytes) override {
    return scalars_.Add(scalars_.FromBytes(type, bytes));
  }
  int LoadConstant(ElementType type, absl::Span<const std::byte> bytes,
                   Index x) override;
  int Load(int buffer, ElementType type, Index x) override {
    return Load(buffer, type, ValueOf(x));
  }
  int Branch(int predicate, const std::function<int()>& on_true,
             const std::function<int()>& on_false) override {
    return Branch(scalars_.Get(predicate).value, on_true, on_false);
  }

  // Element `offset` of a buffer.
  int Load(int buffer, ElementType type, llvm::Value* offset);
  void Store(int buffer, ElementType type, llvm::Value* offset, int scalar);
  // `lanes` neighbours, of a type that is the same in memory and registers.
  llvm::Value* LoadLanes(int buffer, ElementType type, llvm::Value* offset,
                         int64_t lanes);
  void StoreLanes(int buffer, ElementType type, llvm::Value* offset,
                  llvm::Value* value);
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
  struct NonTemporalStores {
    int buffer;
    ElementType type;
    llvm::Value* first;
  };
  void NonTemporalLoop(llvm::Value* begin, llvm::Value* end,
                       const std::vector<NonTemporalStores>& outputs,
                       const std::function<void(llvm::Value*)>& body);

  // for (i = begin; i < end; i += step) body(i). `is_parallel`: no iteration
  // reads what another one writes.
  void Loop(llvm::Value* begin, llvm::Value* end, int64_t step,
            bool is_parallel, const std::function<void(llvm::Value*)>& body);
  // for (i = 0; i < count; ++i) body(i) in vectors, also where `count` is a
  // small constant: such loops are unrolled else before anybody looks for
  // vectors. No iteration reads what another one writes.
  void VectorLoop(int64_t count, const std::function<void(llvm::Value*)>& body);
  // predicate ? on_true() : on_false(), of which only one runs.
  int Branch(llvm::Value* predicate, const std::function<int()>& on_true,
             const std::function<int()>& on_false);

  // Ends the function.
  void Finish();

 private:
  llvm::Value* LoadBase(size_t buffer, int64_t size);
  enum class LoopKind { kOrdered, kParallel, kVector };
  void Loop(llvm::Value* begin, llvm::Value* end, int64_t step, LoopKind kind,
            const std::function<void(llvm::Value*)>& body);
  llvm::Value* Address(int buffer, ElementType type, llvm::Value* offset);
  void Annotate(llvm::Instruction* access, int buffer);
  void AnnotateScratch(llvm::Instruction* access);
  void Flush(const NonTemporalStores& stores, llvm::AllocaInst* chunk,
             llvm::Value* begin, llvm::Value* end);

  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  LlvmScalarBuilder scalars_;
  const bool is_part_;
  llvm::Function* function_;
  llvm::Value* begin_;
  llvm::Value* end_;
  llvm::MDNode* access_group_;
  std::vector<llvm::Value*> bases_;
  // Per buffer: its alias scope list, and those of all others.
  std::vector<llvm::MDNode*> own_scopes_;
  std::vector<llvm::MDNode*> other_scopes_;
  std::vector<bool> is_invariant_;
  // Where stores to a buffer go while a chunk of a stores is being made.
  struct Redirection {
    llvm::AllocaInst* chunk;
    llvm::Value* first;  // the element of the buffer that chunk[0] stands for
  };
  absl::flat_hash_map<int, Redirection> redirections_;
  absl::flat_hash_map<int, int64_t> prefetches_;
  bool stores_around_caches_ = false;
  std::vector<llvm::Value*> indices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_FUNCTION_H_
