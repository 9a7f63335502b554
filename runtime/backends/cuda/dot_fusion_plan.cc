#include "runtime/backends/cuda/dot_fusion_plan.h"

#include <utility>

namespace lockstep::internal {
namespace {

using Activation = DotEpilogue::Activation;

// The epilogue without and with a bias.
cuda::cublasLtEpilogue_t LibraryEpilogue(Activation activation, bool has_bias) {
  switch (activation) {
    case Activation::kNone:
      return has_bias ? cuda::CUBLASLT_EPILOGUE_BIAS
                      : cuda::CUBLASLT_EPILOGUE_DEFAULT;
    case Activation::kRelu:
      return has_bias ? cuda::CUBLASLT_EPILOGUE_RELU_BIAS
                      : cuda::CUBLASLT_EPILOGUE_RELU;
    case Activation::kGelu:
      return has_bias ? cuda::CUBLASLT_EPILOGUE_GELU_BIAS
                      : cuda::CUBLASLT_EPILOGUE_GELU;
  }
  return cuda::CUBLASLT_EPILOGUE_DEFAULT;
}

// Which operand of the fusion a value of its region is; -1: none.
int OperandOf(const Op& fusion, const Value* value) {
  return value->region() == &fusion.region() ? value->index() : -1;
}

bool IsHalf(cuda::cudaDataType_t type) {
  return type == cuda::CUDA_R_16F || type == cuda::CUDA_R_16BF;
}

bool HasShortColumns(const DotPlan& plan) {
  const int64_t max =
      kMaxActivationPitchBytes / (IsHalf(plan.operand_type) ? 2 : 4);
  const int64_t max_result =
      kMaxActivationPitchBytes / (IsHalf(plan.result_type) ? 2 : 4);
  return plan.lhs.leading_dimension <= max &&
         plan.rhs.leading_dimension <= max &&
         plan.result.leading_dimension <= max_result;
}

bool HasEpilogue(const DotPlan& plan, const DotEpilogue& epilogue) {
  if (plan.calls.size() != 1 || plan.batch_count != 1 ||
      (plan.result_type != cuda::CUDA_R_32F && !IsHalf(plan.result_type))) {
    return false;
  }
  if (epilogue.bias != nullptr &&
      epilogue.bias->shape().element_count() != plan.result.rows) {
    return false;
  }
  if (epilogue.activation == Activation::kGelu && !IsHalf(plan.result_type)) {
    return false;
  }
  return epilogue.activation == Activation::kNone || HasShortColumns(plan);
}

}  // namespace

std::optional<DotFusionPlan> PlanDotFusion(const Op& fusion) {
  auto epilogue = DotEpilogueOf(fusion);
  if (!epilogue.has_value()) return std::nullopt;
  auto plan = PlanDot(*epilogue->dot);
  if (!plan.has_value() || !HasEpilogue(*plan, *epilogue)) return std::nullopt;
  plan->epilogue =
      LibraryEpilogue(epilogue->activation, epilogue->bias != nullptr);
  DotFusionPlan found;
  found.lhs = OperandOf(fusion, epilogue->dot->operand(0));
  found.rhs = OperandOf(fusion, epilogue->dot->operand(1));
  if (found.lhs < 0 || found.rhs < 0) return std::nullopt;
  if (epilogue->bias != nullptr) {
    found.bias = OperandOf(fusion, epilogue->bias);
    if (found.bias < 0) return std::nullopt;
  }
  found.epilogue = *std::move(epilogue);
  found.plan = *std::move(plan);
  return found;
}

}  // namespace lockstep::internal
