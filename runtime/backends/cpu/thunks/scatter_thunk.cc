#include "runtime/backends/cpu/thunks/scatter_thunk.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/ir/constant_value.h"
#include "runtime/kernels/scalar_support.h"

namespace lockstep::internal {
namespace {

// Runs that are found before they are carried out: they stay in the first
// cache.
constexpr int64_t kRuns = 512;
// Batches of fewer are not worth a call of the kernel each.
constexpr int64_t kMinUpdatesPerBatch = 8;
// What a thread should have to do; and how long rows must be at least, for
// reading indices to be little beside it.
constexpr int64_t kBytesPerPiece = int64_t{1} << 18;
constexpr int64_t kMinRowBytes = 1024;

}  // namespace

bool ScatterThunk::HasCodeFor(const Op& op) {
  if (op.name() != "stablehlo.scatter" || !CanEmitScalarRegion(op.region())) {
    return false;
  }
  // The body may compute in wider types than those of the inputs.
  for (int i = 0; i < op.result_count(); ++i) {
    if (op.result(i)->type() != op.operand(i)->type()) return false;
  }
  return true;
}

std::unique_ptr<ScatterThunk> ScatterThunk::Create(const KernelRequest& request,
                                                   KernelCompiler& compiler) {
  const Op& op = *request.op;
  if (!request.captures.empty() || !HasCodeFor(op)) return nullptr;
  const auto windows = ScatterWindowsOf(op);
  if (!windows.ok()) return nullptr;
  const size_t count = request.results.size();
  std::optional<UpdateRows> rows = UpdateRowsOf(op);
  if (rows.has_value() && rows->batches > 1 &&
      rows->updates < kMinUpdatesPerBatch) {
    rows.reset();
  }
  UpdateList list(*windows, request.operands[0].shape,
                  request.operands[count].shape,
                  request.operands[count + 1].shape);
  std::shared_ptr<const Kernel> kernel = compiler.Add(
      rows.has_value() ? UpdateRowsStep(op, *rows)
                       : UpdateStep(op, op.region(),
                                    list.has_single_elements() ? kUpdateElements
                                                               : kUpdateRuns));
  if (kernel == nullptr) return nullptr;
  return std::unique_ptr<ScatterThunk>(new ScatterThunk(
      request, std::move(rows), std::move(list), std::move(kernel)));
}

ScatterThunk::ScatterThunk(const KernelRequest& request,
                           std::optional<UpdateRows> rows, UpdateList list,
                           std::shared_ptr<const Kernel> kernel)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operands_(request.operands),
      results_(request.results),
      rows_(std::move(rows)),
      list_(std::move(list)),
      kernel_(std::move(kernel)) {
  for (size_t i = 0; i < results_.size(); ++i) {
    is_zero_.push_back(IsSplat(request.op->operand(static_cast<int>(i)), 0.0));
  }
}

std::vector<BufferUse> ScatterThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const TensorSlice& result : results_) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  return uses;
}

void ScatterThunk::CopyInputs(HostContext& context, int64_t begin,
                              int64_t end) const {
  for (size_t i = 0; i < results_.size(); ++i) {
    const int64_t size = ByteSize(results_[i].shape.element_type());
    std::byte* result = context.buffers.Address(results_[i].slice);
    const std::byte* input = context.buffers.Address(operands_[i].slice);
    if (result == input || begin == end) continue;
    const auto bytes = static_cast<size_t>((end - begin) * size);
    if (is_zero_[i]) {
      std::memset(result + begin * size, 0, bytes);
    } else {
      std::memcpy(result + begin * size, input + begin * size, bytes);
    }
  }
}

void ScatterThunk::ScatterRows(HostContext& context,
                               std::vector<char*> buffers) const {
  const UpdateRows& rows = *rows_;
  const int64_t bytes = rows.row * ByteSize(results_[0].shape.element_type());
  const UpdateRows::Component& first = rows.components.front();
  // Each piece looks at all indices of its batch.
  int64_t pieces = 1;
  if (context.intra_op_threads > 1 && bytes >= kMinRowBytes) {
    pieces = std::clamp<int64_t>(
        (rows.updates * bytes + rows.batch_input / rows.row * bytes) /
            kBytesPerPiece,
        1, std::min<int64_t>(context.intra_op_threads, first.size));
  }
  buffers.push_back(reinterpret_cast<char*>(
      context.buffers.Address(operands_[results_.size()].slice)));
  const auto run = [&](int64_t batch, int64_t piece) {
    UpdateRange range;
    range.low = first.size * piece / pieces;
    range.high = first.size * (piece + 1) / pieces;
    range.first_index = batch * rows.batch_indices;
    range.first_source = batch * rows.updates * rows.row;
    range.first_target = batch * rows.batch_input;
    CopyInputs(context, range.first_target + range.low * first.stride,
               range.first_target + range.high * first.stride);
    std::vector<char*> addresses = buffers;
    addresses.push_back(reinterpret_cast<char*>(&range));
    kernel_->Run(addresses.data(), 0, rows.updates);
  };
  const int threads = rows.batches * rows.updates * bytes >= kBytesPerPiece
                          ? context.intra_op_threads
                          : 1;
  ParallelFor(threads, rows.batches * pieces,
              [&](int64_t i) { run(i / pieces, i % pieces); });
}

void ScatterThunk::ScatterList(HostContext& context,
                               std::vector<char*> buffers) const {
  CopyInputs(context, 0, results_[0].shape.element_count());
  std::array<int64_t, 3 * kRuns> list;
  buffers.push_back(reinterpret_cast<char*>(list.data()));
  const LiteralView indices = context.buffers.View(operands_[results_.size()]);
  int64_t position = 0;
  while (const int64_t runs =
             list_.Fill(indices, &position, kRuns, list.data())) {
    kernel_->Run(buffers.data(), 0, runs);
  }
}

absl::Status ScatterThunk::ExecuteOnHost(HostContext& context) const {
  const size_t count = results_.size();
  if (results_[0].shape.element_count() == 0) return absl::OkStatus();
  if (operands_[count + 1].shape.element_count() == 0) {
    CopyInputs(context, 0, results_[0].shape.element_count());
    return absl::OkStatus();
  }
  std::vector<char*> buffers;
  for (size_t i = 0; i < count; ++i) {
    buffers.push_back(reinterpret_cast<char*>(
        context.buffers.Address(operands_[count + 1 + i].slice)));
  }
  for (const TensorSlice& result : results_) {
    buffers.push_back(
        reinterpret_cast<char*>(context.buffers.Address(result.slice)));
  }
  if (rows_.has_value()) {
    ScatterRows(context, std::move(buffers));
  } else {
    ScatterList(context, std::move(buffers));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
