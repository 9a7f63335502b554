#include "runtime/backends/cpu/thunks/select_and_scatter_thunk.h"

#include <algorithm>
#include <utility>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/kernels/update_step.h"
#include "runtime/kernels/window_step.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// Places that select before their updates are carried out, per thread.
constexpr int64_t kPlacesPerPiece = 4096;
constexpr int64_t kMaxPieces = 16;

}  // namespace

std::unique_ptr<SelectAndScatterThunk> SelectAndScatterThunk::Create(
    const KernelRequest& request, KernelCompiler& compiler) {
  const Op& op = *request.op;
  if (!request.captures.empty() || !CanEmitScalarRegion(op.region(0)) ||
      !CanEmitScalarRegion(op.region(1)) ||
      op.result()->type() != op.operand(0)->type()) {
    return nullptr;
  }
  // Of empty tensors there is nothing to select.
  if (op.operand(0)->shape().element_count() == 0 ||
      op.operand(1)->shape().element_count() == 0) {
    return nullptr;
  }
  std::shared_ptr<const Kernel> select = compiler.Add(SelectStep(op));
  std::shared_ptr<const Kernel> update =
      compiler.Add(UpdateStep(op, op.region(1), kUpdateElements));
  if (select == nullptr || update == nullptr) return nullptr;
  return std::unique_ptr<SelectAndScatterThunk>(
      new SelectAndScatterThunk(request, std::move(select), std::move(update)));
}

SelectAndScatterThunk::SelectAndScatterThunk(
    const KernelRequest& request, std::shared_ptr<const Kernel> select,
    std::shared_ptr<const Kernel> update)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0]),
      source_(request.operands[1]),
      init_(request.operands[2]),
      result_(request.results[0]),
      select_(std::move(select)),
      update_(std::move(update)) {}

std::vector<BufferUse> SelectAndScatterThunk::buffer_uses() const {
  return {BufferUse::Read(operand_.slice), BufferUse::Read(source_.slice),
          BufferUse::Read(init_.slice), BufferUse::Write(result_.slice)};
}

absl::Status SelectAndScatterThunk::ExecuteOnHost(HostContext& context) const {
  const auto address = [&](const TensorSlice& tensor) {
    return reinterpret_cast<char*>(context.buffers.Address(tensor.slice));
  };
  FillElements(ByteSize(result_.shape.element_type()),
               context.buffers.Address(init_.slice),
               context.buffers.Address(result_.slice),
               result_.shape.element_count());
  const int64_t per_iteration = PlacesPerIteration(source_.shape);
  const int64_t step = std::max<int64_t>(kPlacesPerPiece / per_iteration, 1);
  const int64_t pieces = context.intra_op_threads == 1 ? 1 : kMaxPieces;
  const int64_t round = pieces * step;  // iterations
  // Targets; {target, source} for each of them.
  const int64_t room = round * per_iteration;
  ASSIGN_OR_RETURN(const ScratchMemory scratch,
                   ScratchMemory::Allocate(3 * room * int64_t{8}));
  int64_t* const targets = scratch.as<int64_t>();
  int64_t* const list = targets + room;
  char* update_buffers[] = {address(source_), address(result_),
                            reinterpret_cast<char*>(list)};
  for (int64_t begin = 0; begin < select_->count(); begin += round) {
    const int64_t end = std::min(begin + round, select_->count());
    ParallelFor(context.intra_op_threads, pieces, [&](int64_t piece) {
      const int64_t first = std::min(begin + piece * step, end);
      const int64_t last = std::min(first + step, end);
      if (first == last) return;
      char* buffers[] = {
          address(operand_),
          reinterpret_cast<char*>(targets + (first - begin) * per_iteration)};
      select_->Run(buffers, first, last);
    });
    int64_t updates = 0;
    for (int64_t i = 0; i < (end - begin) * per_iteration; ++i) {
      list[2 * updates] = targets[i];
      list[2 * updates + 1] = begin * per_iteration + i;
      updates += targets[i] >= 0 ? 1 : 0;
    }
    update_->Run(update_buffers, 0, updates);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
