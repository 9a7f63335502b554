#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_KERNEL_TEXT_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_KERNEL_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/cuda/codegen/cuda_scalar_builder.h"
#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_code.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// KernelCode over CUDA C++: the text of one kernel while it is being written.
class CudaKernelText final : public KernelCode {
 public:
  // `positions`: how many there are at most, where that may be more than the
  // elements of any buffer.
  explicit CudaKernelText(const KernelGraph& graph, int64_t positions = 0);

  CudaLines& lines() { return lines_; }
  CudaScalarBuilder& scalars() { return scalars_; }

  // An index that is `expression`, which is computed here; and one that has a
  // name already.
  Index NewIndex(absl::string_view expression);
  Index NamedIndex(std::string name);
  const std::string& NameOf(Index index) const {
    return indices_[index.handle];
  }
  ElementType TypeOf(int buffer) const { return types_[buffer]; }
  void Store(int buffer, Index x, int scalar);

  ScalarBuilder& scalar_builder() override { return scalars_; }
  Index IndexConstant(int64_t value) override;
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
    return scalars_.FromBytes(type, bytes);
  }
  int LoadConstant(ElementType type, absl::Span<const std::byte> bytes,
                   Index x) override;
  int Load(int buffer, ElementType type, Index x) override;
  int Branch(int predicate, const std::function<int()>& on_true,
             const std::function<int()>& on_false) override;

  // Makes what was written a function, with blocks of `threads` threads; with
  // the parameter `scratch` where the program has such memory. So many blocks
  // should run at once on a multiprocessor: limits registers. Another function
  // may be written then.
  void EndFunction(absl::string_view name, int threads, bool has_scratch,
                   int resident_blocks = 1);
  // The whole text.
  std::string Finish();
  // That of one function.
  std::string Finish(int threads, int resident_blocks = 1) {
    EndFunction(kCudaKernelSymbol, threads, /*has_scratch=*/false,
                resident_blocks);
    return Finish();
  }

 private:
  const KernelGraph& graph_;
  std::vector<ElementType> types_;  // by buffer
  std::string index_type_;
  std::string constants_;
  std::string functions_;
  CudaLines lines_;
  CudaScalarBuilder scalars_{lines_};
  std::vector<std::string> indices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_KERNEL_TEXT_H_
