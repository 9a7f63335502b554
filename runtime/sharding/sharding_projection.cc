#include "runtime/sharding/sharding_projection.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// Hands out the axes of a dim from the major end.
class AxisCursor {
 public:
  AxisCursor(absl::Span<const AxisRef> axes, const AbstractMesh& mesh)
      : rest_(axes.begin(), axes.end()), mesh_(mesh) {}

  bool AtEnd() const { return next_ == rest_.size(); }
  // Of the axis that is next, or of what was left of it.
  int64_t Size() const { return rest_[next_].Size(mesh_); }
  // The major part of it; `size` divides Size().
  AxisRef Take(int64_t size) {
    AxisRef& axis = rest_[next_];
    const int64_t left = Size() / size;
    if (left == 1) {
      ++next_;
      return axis;
    }
    AxisRef part(axis.name(), axis.pre_size(), size);
    axis = AxisRef(axis.name(), axis.pre_size() * size, left);
    return part;
  }
  std::vector<AxisRef> TakeAll() {
    const size_t begin = std::exchange(next_, rest_.size());
    return {rest_.begin() + static_cast<std::ptrdiff_t>(begin), rest_.end()};
  }

 private:
  std::vector<AxisRef> rest_;
  size_t next_ = 0;
  const AbstractMesh& mesh_;
};

// The axes and the overflow of a factor that is not the minor-most.
void TakeWhatDivides(int64_t factor_size, AxisCursor& axes,
                     FactorSharding& factor) {
  int64_t left = factor_size;
  while (!axes.AtEnd()) {
    const int64_t common = std::gcd(left, axes.Size());
    if (common == 1 && axes.Size() > 1) break;
    factor.axes.push_back(axes.Take(common));
    left /= common;
  }
  if (left > 1) factor.overflow = axes.TakeAll();
}

void ProjectDim(const OpShardingRule& rule,
                const OpShardingRule::DimFactors& dim, AxisCursor axes,
                bool is_closed, TensorFactorShardings& tensor) {
  bool has_overflow = false;
  for (const int index : dim) {
    FactorSharding& factor = tensor.factors[index].emplace();
    factor.is_minor_most = index == dim.back();
    factor.is_closed = is_closed || has_overflow;
    if (has_overflow) return;
    if (factor.is_minor_most) {
      factor.axes = axes.TakeAll();
    } else {
      TakeWhatDivides(rule.factors()[index].size, axes, factor);
    }
    has_overflow = !factor.overflow.empty();
  }
}

std::vector<TensorFactorShardings> ProjectTensors(
    const OpShardingRule& rule,
    const std::vector<OpShardingRule::TensorFactors>& tensors,
    const std::vector<std::optional<TensorSharding>>& shardings,
    const AbstractMesh& mesh, MissingSharding missing) {
  LOCKSTEP_CHECK(tensors.size() == shardings.size());
  std::vector<TensorFactorShardings> projected;
  projected.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    projected.push_back(
        ProjectTensor(rule, tensors[i], shardings[i], mesh, missing));
  }
  return projected;
}

}  // namespace

bool TensorFactorShardings::Extend(int factor, absl::Span<const AxisRef> axes) {
  std::optional<FactorSharding>& sharding = factors[factor];
  if (!sharding.has_value() || !IsStrictPrefix(sharding->axes, axes)) {
    return false;
  }
  sharding->axes.assign(axes.begin(), axes.end());
  return true;
}

TensorFactorShardings ProjectTensor(
    const OpShardingRule& rule, const OpShardingRule::TensorFactors& dims,
    const std::optional<TensorSharding>& sharding, const AbstractMesh& mesh,
    MissingSharding missing) {
  TensorFactorShardings tensor;
  tensor.factors.resize(rule.factors().size());
  if (!sharding.has_value()) {
    for (const OpShardingRule::DimFactors& dim : dims) {
      ProjectDim(rule, dim, AxisCursor({}, mesh),
                 missing == MissingSharding::kClosed, tensor);
    }
    return tensor;
  }
  LOCKSTEP_CHECK(sharding->dims.size() == dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const DimSharding& dim = sharding->dims[i];
    ProjectDim(rule, dims[i], AxisCursor(dim.axes, mesh), dim.is_closed,
               tensor);
  }
  tensor.replicated = sharding->replicated;
  tensor.unreduced = sharding->unreduced;
  tensor.reduction = sharding->reduction;
  return tensor;
}

ShardingProjection ProjectShardings(const OpShardingRule& rule,
                                    const OpShardings& shardings,
                                    const AbstractMesh& mesh,
                                    MissingSharding missing) {
  return {.operands = ProjectTensors(rule, rule.operands(), shardings.operands,
                                     mesh, missing),
          .results = ProjectTensors(rule, rule.results(), shardings.results,
                                    mesh, missing)};
}

std::vector<DimSharding> DimsOfFactors(
    const OpShardingRule& rule, const OpShardingRule::TensorFactors& dims,
    const TensorFactorShardings& tensor, const AbstractMesh& mesh) {
  std::vector<DimSharding> shardings(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    DimSharding& dim = shardings[i];
    dim.is_closed = false;
    for (const int index : dims[i]) {
      LOCKSTEP_CHECK(tensor.factors[index].has_value());
      const FactorSharding& factor = *tensor.factors[index];
      dim.is_closed |= factor.is_closed;
      AppendAxes(factor.axes, mesh, dim.axes);
      AppendAxes(factor.overflow, mesh, dim.axes);
      const bool is_filled =
          ShardCount(factor.axes, mesh) >= rule.factors()[index].size;
      if (!is_filled || !factor.overflow.empty()) break;
    }
  }
  return shardings;
}

}  // namespace lockstep::internal
