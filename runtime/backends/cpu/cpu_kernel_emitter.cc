#include "runtime/backends/cpu/cpu_kernel_emitter.h"

#include <optional>
#include <utility>

#include "runtime/backends/cpu/in_place.h"
#include "runtime/backends/cpu/loop_builder.h"
#include "runtime/backends/cpu/thunks/batched_call_thunk.h"
#include "runtime/backends/cpu/thunks/cholesky_thunk.h"
#include "runtime/backends/cpu/thunks/concatenate_thunk.h"
#include "runtime/backends/cpu/thunks/convolution_thunk.h"
#include "runtime/backends/cpu/thunks/dot_thunk.h"
#include "runtime/backends/cpu/thunks/fft_thunk.h"
#include "runtime/backends/cpu/thunks/kernel_thunk.h"
#include "runtime/backends/cpu/thunks/random_bits_thunk.h"
#include "runtime/backends/cpu/thunks/reduce_window_thunk.h"
#include "runtime/backends/cpu/thunks/scatter_thunk.h"
#include "runtime/backends/cpu/thunks/select_and_scatter_thunk.h"
#include "runtime/backends/cpu/thunks/sort_thunk.h"
#include "runtime/backends/cpu/thunks/top_k_thunk.h"
#include "runtime/backends/cpu/thunks/transpose_thunk.h"
#include "runtime/backends/cpu/thunks/triangular_solve_thunk.h"
#include "runtime/backends/cpu/thunks/update_slice_thunk.h"
#include "runtime/backends/reference/evaluable.h"
#include "runtime/backends/reference/evaluate_thunk.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"

namespace lockstep::internal {
namespace {

// chlo.top_k by another name.
bool IsTopKCall(const Op& op) {
  if (CustomCallTargetName(op) != "mhlo.topk") return false;
  const auto is_largest = CallConfig(op).BoolOr("largest", true);
  return is_largest.ok() && *is_largest;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HostThunk>> CpuKernelEmitter::EmitHostThunk(
    const KernelRequest& request) {
  if (request.op->name() == "stablehlo.transpose") {
    if (auto thunk = TransposeThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.concatenate") {
    return std::make_unique<ConcatenateThunk>(request);
  }
  if (std::optional<GraphRequest> matched = MatchKernelGraph(request)) {
    if (std::shared_ptr<const Kernel> kernel = compiler_.Add(matched->graph)) {
      return std::make_unique<KernelThunk>(
          matched->graph.name, request.op->location().ToString(),
          std::move(kernel), matched->buffers, matched->graph.inputs.size());
    }
  }
  if (request.op->name() == "stablehlo.dot_general" ||
      request.op->name() == "stablehlo.dot") {
    if (auto thunk = DotThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.convolution") {
    if (auto thunk = ConvolutionThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.fft") {
    if (auto thunk = FftThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.cholesky") {
    if (auto thunk = CholeskyThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.triangular_solve") {
    if (auto thunk = TriangularSolveThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.rng_bit_generator") {
    if (auto thunk = RandomBitsThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.dynamic_update_slice") {
    return std::make_unique<UpdateSliceThunk>(request);
  }
  if (request.op->name() == "stablehlo.sort") {
    if (auto thunk = SortThunk::Create(request, compiler_)) return thunk;
  }
  if (request.op->name() == "chlo.top_k") {
    if (auto thunk = TopKThunk::Create(request)) return thunk;
  }
  if (request.op->name() == "stablehlo.scatter") {
    if (auto thunk = ScatterThunk::Create(request, compiler_)) return thunk;
  }
  if (request.op->name() == "stablehlo.reduce_window") {
    if (auto thunk = CreateReduceWindowThunk(request, compiler_)) return thunk;
  }
  if (request.op->name() == "stablehlo.select_and_scatter") {
    if (auto thunk = SelectAndScatterThunk::Create(request, compiler_)) {
      return thunk;
    }
  }
  RETURN_IF_ERROR(CheckEvaluable(*request.op));
  if (request.op->name() == "stablehlo.custom_call") {
    if (IsTopKCall(*request.op)) {
      if (auto thunk = TopKThunk::Create(request)) return thunk;
    }
    if (auto thunk = BatchedCallThunk::Create(request)) return thunk;
  }
  return std::make_unique<EvaluateThunk>(module_, request);
}

absl::StatusOr<std::unique_ptr<Thunk>> CpuKernelEmitter::Emit(
    const KernelRequest& request) {
  return EmitHostThunk(request);
}

absl::StatusOr<std::unique_ptr<Thunk>> CpuKernelEmitter::EmitLoop(
    const LoopRequest& request) {
  return LoopBuilder(request, compiler_,
                     [this](const KernelRequest& kernel) {
                       return EmitHostThunk(kernel);
                     })
      .Build();
}

std::vector<InPlaceUse> CpuKernelEmitter::InPlaceUses(const Op& op) const {
  return CpuInPlaceUses(op);
}

absl::StatusOr<std::shared_ptr<const Reduction>>
CpuKernelEmitter::EmitReduction(const Op& op, const Region& body) {
  return ReductionOf(body);
}

}  // namespace lockstep::internal
