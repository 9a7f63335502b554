#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/factor_axes.h"

namespace lockstep::internal {
namespace {

using Tensor = FactoredOp::Tensor;

// In the order of the factors.
std::vector<AxisRef> AxesOf(const FactoredOp& op, const Tensor& tensor) {
  std::vector<AxisRef> axes;
  for (int i = 0; i < op.factor_count(); ++i) {
    const auto& factor = tensor.shardings.factors[i];
    if (!factor.has_value()) continue;
    axes.insert(axes.end(), factor->axes.begin(), factor->axes.end());
    axes.insert(axes.end(), factor->overflow.begin(), factor->overflow.end());
  }
  return axes;
}

// The factors of one tensor while they are given axes.
class Factors {
 public:
  Factors(const FactoredOp& op, const Tensor& tensor)
      : op_(op), axes_(op.Unsharded()) {
    for (const OpShardingRule::DimFactors& dim : tensor.dims) {
      for (const int factor : dim) {
        free_.push_back({factor, op.rule.factors()[factor].size});
      }
    }
  }

  // Gives each factor, in the order of the dims, the major part of what is left
  // of `axis` that divides it. False if something remains.
  bool Take(AxisRef axis) {
    int64_t left = axis.Size(op_.mesh);
    for (auto& [factor, free] : free_) {
      const int64_t common = std::gcd(free, left);
      if (free <= 1 || common <= 1) continue;
      free /= common;
      const bool is_last = common == left;
      AppendAxes(
          {is_last ? axis : AxisRef(axis.name(), axis.pre_size(), common)},
          op_.mesh, axes_[factor]);
      if (is_last) return true;
      left /= common;
      axis = AxisRef(axis.name(), axis.pre_size() * common, left);
    }
    return left == 1;
  }
  const FactorAxes& axes() const { return axes_; }
  bool Has(int factor) const {
    for (const FreeFactor& free : free_) {
      if (free.factor == factor) return true;
    }
    return false;
  }

 private:
  struct FreeFactor {
    int factor = 0;
    int64_t size = 1;  // what is left of it
  };

  const FactoredOp& op_;
  FactorAxes axes_;
  std::vector<FreeFactor> free_;
};

Factors HandOut(const FactoredOp& op, const Tensor& tensor,
                const std::vector<AxisRef>& axes) {
  Factors factors(op, tensor);
  for (const AxisRef& axis : axes) {
    if (!factors.Take(axis)) break;
  }
  return factors;
}

}  // namespace

FactorAxes ReshapeFactorAxes(const FactoredOp& op) {
  LOCKSTEP_CHECK(op.tensors.size() == 2);
  const std::vector<AxisRef> before = AxesOf(op, op.tensors[0]);
  const std::vector<AxisRef> after = AxesOf(op, op.tensors[1]);
  const bool is_operand_preferred =
      ShardCount(before, op.mesh) >= ShardCount(after, op.mesh);
  const std::vector<AxisRef>& axes = is_operand_preferred ? before : after;
  const Factors operand = HandOut(op, op.tensors[0], axes);
  const Factors result = HandOut(op, op.tensors[1], axes);
  FactorAxes common = op.Unsharded();
  std::vector<AxisRef> used;
  for (int i = 0; i < op.factor_count(); ++i) {
    const FactorKind kind = op.rule.factors()[i].kind;
    if (kind == FactorKind::kNeedReplication) continue;
    if (!operand.Has(i) || !result.Has(i)) {
      common[i] = operand.Has(i) ? operand.axes()[i] : result.axes()[i];
    } else {
      common[i] = CommonPrefix(operand.axes()[i], result.axes()[i]);
    }
    TruncateBefore(op.taken[i], common[i]);
    // An axis may be of a factor that only the operand has, and of one that
    // only the result has.
    TruncateBefore(used, common[i]);
    used.insert(used.end(), common[i].begin(), common[i].end());
  }
  return common;
}

}  // namespace lockstep::internal
