#include "runtime/sharding/factor_axes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

using DimFactors = OpShardingRule::DimFactors;

bool HasFactor(const OpShardingRule::TensorFactors& dims, int factor) {
  return std::ranges::any_of(dims, [&](const DimFactors& dim) {
    return std::ranges::find(dim, factor) != dim.end();
  });
}

bool IsMinorMostInAll(const FactoredOp& op, int factor) {
  return std::ranges::all_of(op.tensors, [&](const FactoredOp::Tensor& tensor) {
    return std::ranges::all_of(tensor.dims, [&](const DimFactors& dim) {
      return std::ranges::find(dim.begin(), dim.end() - 1, factor) ==
             dim.end() - 1;
    });
  });
}

void RemoveUnitAxes(const AbstractMesh& mesh, std::vector<AxisRef>& axes) {
  for (const AxisRef& axis : std::exchange(axes, {})) {
    if (axis.Size(mesh) > 1) AppendAxes({axis}, mesh, axes);
  }
}

}  // namespace

bool FactoredOp::IsInAllNonScalarTensors(int factor) const {
  return std::ranges::all_of(tensors, [&](const Tensor& tensor) {
    return tensor.is_scalar() || HasFactor(tensor.dims, factor);
  });
}

bool FactoredOp::HasDimOfSeveralFactors() const {
  return std::ranges::any_of(tensors, [](const Tensor& tensor) {
    return std::ranges::any_of(
        tensor.dims, [](const DimFactors& dim) { return dim.size() > 1; });
  });
}

bool FactoredOp::IsFilled(int factor, const FactorAxes& axes) const {
  return ShardCount(axes[factor], mesh) == rule.factors()[factor].size;
}

bool FactoredOp::IsReachable(int factor, const FactorAxes& axes) const {
  for (const Tensor& tensor : tensors) {
    for (const DimFactors& dim : tensor.dims) {
      const auto place = std::ranges::find(dim, factor);
      if (place == dim.end()) continue;
      if (!std::all_of(dim.begin(), place,
                       [&](int major) { return IsFilled(major, axes); })) {
        return false;
      }
    }
  }
  return true;
}

void KeepWhatAllCanHave(FactoredOp& op) {
  // An axis of one device may be read as one of the factor in front of it.
  const bool has_no_unit_axes = op.HasDimOfSeveralFactors();
  for (int i = 0; i < op.factor_count(); ++i) {
    const bool must_divide = !IsMinorMostInAll(op, i);
    for (FactoredOp::Tensor& tensor : op.tensors) {
      std::optional<FactorSharding>& factor = tensor.shardings.factors[i];
      if (!factor.has_value()) continue;
      factor->overflow.clear();
      if (has_no_unit_axes) RemoveUnitAxes(op.mesh, factor->axes);
      TruncateBefore(op.taken[i], factor->axes);
      if (must_divide) {
        factor->axes =
            DividingPrefix(factor->axes, op.rule.factors()[i].size, op.mesh);
      }
    }
  }
}

void RemoveUnreachable(const FactoredOp& op, FactorAxes& axes) {
  bool is_changed = true;
  while (std::exchange(is_changed, false)) {
    for (int i = 0; i < op.factor_count(); ++i) {
      if (axes[i].empty() || op.IsReachable(i, axes)) continue;
      axes[i].clear();
      is_changed = true;
    }
  }
}

std::optional<FactorAxes> CompatibleFactorAxes(const FactoredOp& op) {
  std::vector<std::optional<std::vector<AxisRef>>> found(op.factor_count());
  for (const FactoredOp::Tensor& tensor : op.tensors) {
    for (int i = 0; i < op.factor_count(); ++i) {
      const auto& factor = tensor.shardings.factors[i];
      if (!factor.has_value()) continue;
      if (!factor->overflow.empty()) return std::nullopt;
      if (!found[i].has_value()) found[i] = factor->axes;
      if (*found[i] != factor->axes) return std::nullopt;
    }
  }
  FactorAxes axes = op.Unsharded();
  std::vector<AxisRef> used;
  for (int i = 0; i < op.factor_count(); ++i) {
    if (!found[i].has_value() || found[i]->empty()) continue;
    axes[i] = *std::move(found[i]);
    if (op.rule.factors()[i].kind == FactorKind::kNeedReplication ||
        AnyConflict(axes[i], used) || AnyConflict(axes[i], op.taken[i])) {
      return std::nullopt;
    }
    used.insert(used.end(), axes[i].begin(), axes[i].end());
  }
  return axes;
}

}  // namespace lockstep::internal
