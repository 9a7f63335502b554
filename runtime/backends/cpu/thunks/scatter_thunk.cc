#include "runtime/backends/cpu/thunks/scatter_thunk.h"

#include <array>
#include <cstring>
#include <utility>

#include "runtime/kernels/scalar_support.h"
#include "runtime/kernels/update_step.h"

namespace lockstep::internal {
namespace {

// Runs that are found before they are carried out: they stay in the first
// cache.
constexpr int64_t kRuns = 512;

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
  UpdateList list(*windows, request.operands[0].shape,
                  request.operands[count].shape,
                  request.operands[count + 1].shape);
  std::shared_ptr<const Kernel> kernel = compiler.Add(
      UpdateStep(op, op.region(),
                 list.has_single_elements() ? kUpdateElements : kUpdateRuns));
  if (kernel == nullptr) return nullptr;
  return std::unique_ptr<ScatterThunk>(
      new ScatterThunk(request, std::move(list), std::move(kernel)));
}

ScatterThunk::ScatterThunk(const KernelRequest& request, UpdateList list,
                           std::shared_ptr<const Kernel> kernel)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operands_(request.operands),
      results_(request.results),
      list_(std::move(list)),
      kernel_(std::move(kernel)) {}

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

absl::Status ScatterThunk::ExecuteOnHost(HostContext& context) const {
  const size_t count = results_.size();
  std::vector<char*> buffers;
  for (size_t i = 0; i < count; ++i) {
    buffers.push_back(reinterpret_cast<char*>(
        context.buffers.Address(operands_[count + 1 + i].slice)));
  }
  for (size_t i = 0; i < count; ++i) {
    std::byte* result = context.buffers.Address(results_[i].slice);
    const std::byte* input = context.buffers.Address(operands_[i].slice);
    if (result != input && results_[i].slice.size > 0) {
      std::memcpy(result, input, static_cast<size_t>(results_[i].slice.size));
    }
    buffers.push_back(reinterpret_cast<char*>(result));
  }
  if (results_[0].shape.element_count() == 0 ||
      operands_[count + 1].shape.element_count() == 0) {
    return absl::OkStatus();
  }
  std::array<int64_t, 3 * kRuns> list;
  buffers.push_back(reinterpret_cast<char*>(list.data()));
  const LiteralView indices = context.buffers.View(operands_[count]);
  int64_t position = 0;
  while (const int64_t runs =
             list_.Fill(indices, &position, kRuns, list.data())) {
    kernel_->Run(buffers.data(), 0, runs);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
