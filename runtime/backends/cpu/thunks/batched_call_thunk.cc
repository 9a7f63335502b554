#include "runtime/backends/cpu/thunks/batched_call_thunk.h"

#include <algorithm>
#include <cstdint>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/status.h"
#include "runtime/kernels/request_buffers.h"

namespace lockstep::internal {
namespace {

// What a thread should have to do, in operations on numbers.
constexpr int64_t kWorkPerPiece = int64_t{1} << 16;

}  // namespace

std::unique_ptr<BatchedCallThunk> BatchedCallThunk::Create(
    const KernelRequest& request) {
  const CustomCallTarget* target = FindCustomCallTarget(*request.op);
  if (target == nullptr || !target->batch) return nullptr;
  const auto batch = target->batch(*request.op);
  if (!batch.ok() || batch->size < 2) return nullptr;
  return std::unique_ptr<BatchedCallThunk>(
      new BatchedCallThunk(request, *target, *batch));
}

BatchedCallThunk::BatchedCallThunk(const KernelRequest& request,
                                   const CustomCallTarget& target,
                                   CustomCallTarget::Batch batch)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      request_(request),
      target_(target),
      batch_(batch) {}

std::vector<BufferUse> BatchedCallThunk::buffer_uses() const {
  return BufferUsesOf(request_);
}

absl::Status BatchedCallThunk::ExecuteOnHost(HostContext& context) const {
  const RequestViews views = ViewsOf(request_, context.buffers);
  const int64_t per_piece = std::max<int64_t>(
      1, kWorkPerPiece / std::max<int64_t>(1, batch_.member_cost));
  const int64_t pieces =
      context.intra_op_threads == 1 ? 1 : (batch_.size - 1) / per_piece + 1;
  const int64_t members = (batch_.size - 1) / pieces + 1;
  std::vector<absl::Status> statuses(pieces);
  ParallelFor(context.intra_op_threads, pieces, [&](int64_t piece) {
    const int64_t first = std::min(batch_.size, piece * members);
    const int64_t last = std::min(batch_.size, first + members);
    statuses[piece] = target_.evaluate_members(*request_.op, views.operands,
                                               views.results, first, last);
  });
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
