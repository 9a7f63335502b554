#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_LOOP_BUILDER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_LOOP_BUILDER_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/backends/schedule.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/loop_program.h"

namespace lockstep::internal {

// Makes one function of a loop. What is small work of a kernel becomes part of
// it; the rest are thunks that it calls. Tensors that only it uses, and small
// ones that it carries, are memory of the function's own, which LLVM keeps in
// registers where it can. Used once.
class LoopBuilder {
 public:
  using EmitThunk =
      absl::FunctionRef<absl::StatusOr<std::unique_ptr<HostThunk>>(
          const KernelRequest&)>;

  // All outlive it.
  LoopBuilder(const LoopRequest& request, KernelCompiler& compiler,
              EmitThunk emit)
      : request_(request), compiler_(compiler), emit_(emit) {}

  // Null where one function is no gain or is impossible: there is no small
  // kernel in the loop, or there are collectives, calls of the host, or more
  // than a thousand steps.
  absl::StatusOr<std::unique_ptr<Thunk>> Build();

 private:
  // What is known of a buffer beside what the program says of it.
  struct Place {
    BufferSlice slice;
    bool is_written = false;
    bool is_carried = false;
    int constant = -1;  // of the schedule
  };

  absl::StatusOr<LoopProgram::Step> AddLoop(const Step& step);
  absl::StatusOr<std::vector<LoopProgram::Step>> AddAll(
      const std::vector<Step>& steps);
  absl::Status AddStep(const Step& step, std::vector<LoopProgram::Step>& steps);
  absl::Status AddKernel(const Step& step,
                         std::vector<LoopProgram::Step>& steps);
  // False when it has no code, or is too large.
  bool AddPart(const KernelRequest& request, int64_t work,
               std::vector<LoopProgram::Step>& steps);
  // An op that changes a part of its operand: a copy, unless it is in place,
  // then the kernel. `inputs`: the operands that the kernel reads.
  bool AddUpdate(const KernelRequest& request, KernelGraph::Kind kind,
                 const std::vector<int>& inputs, int64_t work,
                 std::vector<LoopProgram::Step>& steps);
  bool AddGraph(KernelGraph graph, const std::vector<TensorSlice>& buffers,
                int64_t work, std::vector<LoopProgram::Step>& steps);
  void AddCopy(const BufferSlice& source, const BufferSlice& target,
               std::vector<LoopProgram::Step>& steps);
  absl::Status AddCall(const KernelRequest& request, int64_t work,
                       std::vector<LoopProgram::Step>& steps);
  int BufferOf(const BufferSlice& slice);
  int BufferOf(TensorId tensor);

  // Decides which buffers are the function's own, and gives the others places
  // in blocks, whose slices it returns.
  std::vector<BufferSlice> PlaceBuffers();
  bool IsUsedByCalls(const BufferSlice& slice) const;
  std::vector<BufferUse> Uses() const;

  const LoopRequest& request_;
  KernelCompiler& compiler_;
  const EmitThunk emit_;
  LoopProgram program_;
  std::vector<Place> places_;  // by buffer
  std::vector<std::unique_ptr<HostThunk>> calls_;
  std::vector<BufferUse> call_uses_;
  int part_count_ = 0;
  int64_t code_ = 0;  // of the parts
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_LOOP_BUILDER_H_
