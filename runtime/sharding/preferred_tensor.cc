#include <tuple>
#include <utility>
#include <vector>

#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/factor_axes.h"

namespace lockstep::internal {
namespace {

using Tensor = FactoredOp::Tensor;

std::vector<const Tensor*> NonScalarTensors(const FactoredOp& op) {
  std::vector<const Tensor*> tensors;
  for (const Tensor& tensor : op.tensors) {
    if (!tensor.is_scalar()) tensors.push_back(&tensor);
  }
  return tensors;
}

// Larger is better.
std::tuple<bool, int64_t, int64_t> Preference(const FactoredOp& op,
                                              const Tensor& tensor) {
  bool has_no_permutation = true;
  int64_t shards = 1;
  for (int i = 0; i < op.factor_count(); ++i) {
    const auto& factor = tensor.shardings.factors[i];
    if (!factor.has_value()) continue;
    shards *= ShardCount(factor->axes, op.mesh);
    has_no_permutation &= factor->axes.empty() ||
                          op.rule.factors()[i].kind != FactorKind::kPermutation;
  }
  return {has_no_permutation, tensor.elements, shards};
}

}  // namespace

std::optional<FactorAxes> AxesOfPreferredTensor(const FactoredOp& op) {
  const std::vector<const Tensor*> tensors = NonScalarTensors(op);
  if (tensors.size() != 2 || op.HasDimOfSeveralFactors() ||
      !op.rule.FactorsOfKind(FactorKind::kNeedReplication).empty()) {
    return std::nullopt;
  }
  const Tensor* preferred = tensors[0];
  const Tensor* other = tensors[1];
  if (Preference(op, *preferred) < Preference(op, *other)) {
    std::swap(preferred, other);
  }
  FactorAxes axes = op.Unsharded();
  std::vector<AxisRef> used;
  for (int i = 0; i < op.factor_count(); ++i) {
    const auto& factor = preferred->shardings.factors[i];
    if (!factor.has_value()) continue;
    axes[i] = factor->axes;
    used.insert(used.end(), axes[i].begin(), axes[i].end());
  }
  for (int i = 0; i < op.factor_count(); ++i) {
    if (preferred->shardings.factors[i].has_value()) continue;
    axes[i] = other->shardings.factors[i]->axes;
    TruncateBefore(used, axes[i]);
  }
  return axes;
}

}  // namespace lockstep::internal
