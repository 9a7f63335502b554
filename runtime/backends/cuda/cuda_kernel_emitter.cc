#include "runtime/backends/cuda/cuda_kernel_emitter.h"

#include <optional>
#include <string>
#include <utility>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/backends/cuda/cuda_dot_fusion_thunk.h"
#include "runtime/backends/cuda/cuda_dot_thunk.h"
#include "runtime/backends/cuda/cuda_kernel_thunk.h"
#include "runtime/backends/cuda/cuda_matrix_multiply.h"
#include "runtime/backends/cuda/dot_epilogue_loop.h"
#include "runtime/backends/cuda/dot_fusion_plan.h"
#include "runtime/backends/cuda/dot_plan.h"
#include "runtime/backends/cuda/graph_runs.h"
#include "runtime/backends/reference/evaluable.h"
#include "runtime/backends/reference/evaluate_thunk.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"
#include "runtime/kernels/in_place.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/ops/lockstep/fusion.h"

namespace lockstep::internal {
namespace {

bool IsDot(const Op& op) {
  return op.name() == "stablehlo.dot_general" || op.name() == "stablehlo.dot";
}

// What a scatter puts into its result.
KernelGraph ScatterGraph(const Op& op) {
  return OpGraph(KernelGraph::Kind::kScatter, op,
                 {op.operands().begin() + 1, op.operands().end()});
}

bool MayReduce(const Op& op) {
  if (op.name() == "stablehlo.reduce") return true;
  if (op.name() != kFusionOp) return false;
  const absl::StatusOr<FusionKind> kind = FusionKindOf(op);
  return kind.ok() &&
         (*kind == FusionKind::kReduce || *kind == FusionKind::kRows);
}

// For what follows from the op alone.
KernelRequest RequestWithoutMemory(const Op& op) {
  KernelRequest request;
  request.op = &op;
  for (const Value* operand : op.operands()) {
    request.operands.push_back({BufferSlice(), operand->shape()});
  }
  for (const auto& result : op.results()) {
    request.results.push_back({BufferSlice(), result->shape()});
  }
  return request;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> CudaKernelEmitter::Emit(
    const KernelRequest& request) {
  if (std::optional<GraphRequest> matched = MatchKernelGraph(request)) {
    if (auto kernel = compiler_.Add(matched->graph)) {
      return std::make_unique<CudaKernelThunk>(
          matched->graph.name, request.op->location().ToString(),
          std::move(kernel), matched->buffers, matched->graph.inputs.size(), "",
          request.scratch);
    }
  }
  const Op& op = *request.op;
  if (auto thunk = EmitDotFusion(request)) return thunk;
  if (IsDot(op) && request.results[0].shape.element_count() > 0) {
    if (auto thunk = EmitDot(request)) return thunk;
  }
  if (op.name() == "stablehlo.scatter" && request.captures.empty() &&
      op.operands().back()->shape().element_count() > 0 &&
      request.results[0].shape.element_count() > 0) {
    if (auto kernel = compiler_.Add(ScatterGraph(op))) {
      return std::make_unique<CudaUpdateThunk>(request, std::move(kernel));
    }
  }
  if (op.name() == "stablehlo.dynamic_update_slice" &&
      op.operand(1)->shape().element_count() > 0) {
    const std::vector<const Value*> inputs(op.operands().begin() + 1,
                                           op.operands().end());
    if (auto kernel = compiler_.Add(
            OpGraph(KernelGraph::Kind::kUpdateSlice, op, inputs))) {
      return std::make_unique<CudaUpdateThunk>(request, std::move(kernel));
    }
  }
  RETURN_IF_ERROR(CheckEvaluable(*request.op));
  return std::make_unique<EvaluateThunk>(module_, request);
}

std::unique_ptr<Thunk> CudaKernelEmitter::EmitDot(
    const KernelRequest& request) {
  const Op& op = *request.op;
  auto kernel = compiler_.Add(
      OpGraph(KernelGraph::Kind::kDot, op, {op.operand(0), op.operand(1)}));
  if (kernel == nullptr) return nullptr;
  std::optional<DotPlan> plan;
  if (options_.cublas_lt != nullptr) plan = PlanDot(op);
  if (plan.has_value()) {
    return std::make_unique<CudaDotThunk>(
        request,
        CudaMatrixMultiply::Get(*options_.cublas_lt, *plan,
                                options_.cache_directory),
        std::move(kernel));
  }
  return std::make_unique<CudaKernelThunk>(
      op.name(), op.location().ToString(), std::move(kernel),
      std::vector<TensorSlice>{request.operands[0], request.operands[1],
                               request.results[0]},
      2,
      options_.cublas_lt == nullptr ? "by a kernel: no cuBLASLt is there"
                                    : "by a kernel");
}

std::unique_ptr<Thunk> CudaKernelEmitter::EmitDotFusion(
    const KernelRequest& request) {
  if (options_.cublas_lt == nullptr || request.op->name() != kFusionOp)
    return nullptr;
  const std::optional<DotFusionPlan> fusion = PlanDotFusion(*request.op);
  if (!fusion.has_value()) return nullptr;
  const auto operand = [&request](int i) {
    return request.operands[static_cast<size_t>(i)];
  };
  KernelRequest dot = request;
  dot.op = fusion->epilogue.dot;
  dot.operands = {operand(fusion->lhs), operand(fusion->rhs)};
  auto dot_kernel =
      compiler_.Add(OpGraph(KernelGraph::Kind::kDot, *dot.op,
                            {dot.op->operand(0), dot.op->operand(1)}));

  // What follows the dot, on the memory of the result.
  const std::unique_ptr<Op> loop = LoopAfterDot(fusion->epilogue);
  KernelRequest rest = request;
  rest.op = loop.get();
  rest.operands = {request.results[0]};
  if (fusion->bias >= 0) rest.operands.push_back(operand(fusion->bias));
  const std::optional<GraphRequest> matched = MatchKernelGraph(rest);
  if (dot_kernel == nullptr || !matched.has_value()) return nullptr;
  auto rest_kernel = compiler_.Add(matched->graph);
  if (rest_kernel == nullptr) return nullptr;

  DotPlan sums = fusion->plan;
  sums.epilogue = cuda::CUBLASLT_EPILOGUE_DEFAULT;
  return std::make_unique<CudaDotFusionThunk>(
      request, *fusion,
      CudaMatrixMultiply::Get(*options_.cublas_lt, fusion->plan,
                              options_.cache_directory),
      std::make_unique<const CudaDotThunk>(
          dot,
          CudaMatrixMultiply::Get(*options_.cublas_lt, sums,
                                  options_.cache_directory),
          std::move(dot_kernel)),
      std::move(rest_kernel));
}

int64_t CudaKernelEmitter::ScratchBytes(const Op& op) const {
  if (MayReduce(op)) {
    const auto matched = MatchKernelGraph(RequestWithoutMemory(op));
    return matched.has_value() ? KernelScratchBytes(matched->graph) : 0;
  }
  if (op.name() == "stablehlo.scatter") {
    return KernelScratchBytes(ScatterGraph(op));
  }
  if (options_.cublas_lt == nullptr) return 0;
  if (op.name() == kFusionOp) {
    const auto fusion = PlanDotFusion(op);
    return fusion.has_value() ? CudaDotThunk::ScratchBytes(fusion->plan) : 0;
  }
  if (!IsDot(op)) return 0;
  const std::optional<DotPlan> plan = PlanDot(op);
  return plan.has_value() ? CudaDotThunk::ScratchBytes(*plan) : 0;
}

std::vector<InPlaceUse> CudaKernelEmitter::InPlaceUses(const Op& op) const {
  if (op.name() == "stablehlo.dynamic_update_slice") {
    for (int i = 1; i < op.operand_count(); ++i) {
      if (op.operand(i) == op.operand(0)) return {};
    }
    return {{0, 0}};
  }
  if (op.name() == "stablehlo.scatter" &&
      KernelScratchBytes(ScatterGraph(op)) > 0) {
    for (int i = 1; i < op.operand_count(); ++i) {
      if (op.operand(i) == op.operand(0)) return {};
    }
    return {{0, 0}};
  }
  return KernelInPlaceUses(op);
}

absl::StatusOr<std::shared_ptr<const Reduction>>
CudaKernelEmitter::EmitReduction(const Op& op, const Region& body) {
  return ReductionOf(body);
}

ThunkSequence CudaKernelEmitter::Combine(ThunkSequence sequence) const {
  return GroupIntoGraphs(std::move(sequence), options_.has_graphs);
}

}  // namespace lockstep::internal
