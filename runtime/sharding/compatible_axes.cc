#include "runtime/sharding/compatible_axes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// The axes that the tensors seen so far agree on.
class CommonAxes {
 public:
  // Axes of more tensors may contradict, but add nothing.
  void Freeze() { is_growing_ = false; }
  void Add(absl::Span<const AxisRef> axes) {
    const size_t common = std::min(axes_.size(), axes.size());
    for (size_t i = 0; i < common; ++i) {
      if (!AddAt(i, axes)) {
        Freeze();
        return;
      }
    }
    if (is_growing_ && axes.size() > common) {
      axes_.insert(axes_.end(),
                   axes.begin() + static_cast<std::ptrdiff_t>(common),
                   axes.end());
    }
  }
  std::vector<AxisRef> Take() && { return std::move(axes_); }

 private:
  // False, with the list cut, after a contradiction. A part of an axis that
  // something follows is one: what follows is not the next part, which would
  // have been written as one with it.
  bool AddAt(size_t i, absl::Span<const AxisRef> axes) {
    const AxisRef& axis = axes[i];
    if (axis == axes_[i]) return true;
    if (axis.IsPrefixOf(axes_[i])) {
      if (i + 1 == axes.size()) return true;
      axes_[i] = axis;
      return Cut(i + 1);
    }
    if (!axes_[i].IsPrefixOf(axis)) return Cut(i);
    if (!is_growing_ || i + 1 < axes_.size()) return Cut(i + 1);
    axes_[i] = axis;
    return true;
  }
  bool Cut(size_t size) {
    axes_.erase(axes_.begin() + static_cast<std::ptrdiff_t>(size), axes_.end());
    return false;
  }

  std::vector<AxisRef> axes_;
  bool is_growing_ = true;
};

void AddAxes(const std::vector<TensorFactorShardings>& tensors, int factor,
             CommonAxes& common) {
  for (const TensorFactorShardings& tensor : tensors) {
    const auto& sharding = tensor.factors[factor];
    if (sharding.has_value()) common.Add(sharding->axes);
  }
}

// The prefix of `axis` by which an open factor can be sharded further. A factor
// that is filled takes no axes of size 1 either: factors behind it may have
// axes already, and these would come before them.
std::optional<AxisRef> PrefixThatDivides(const AxisRef& axis,
                                         int64_t factor_size,
                                         int64_t shards_before,
                                         const AbstractMesh& mesh) {
  if (factor_size == shards_before || factor_size % shards_before != 0) {
    return std::nullopt;
  }
  const int64_t size = axis.Size(mesh);
  const int64_t common = std::gcd(factor_size / shards_before, size);
  if (common == size) return axis;
  if (common == 1) return std::nullopt;
  return AxisRef(axis.name(), axis.pre_size(), common);
}

}  // namespace

std::vector<AxisRef> CompatibleMajorAxes(const ShardingProjection& projection,
                                         int factor,
                                         PropagationDirection direction) {
  if (direction == PropagationDirection::kNone) return {};
  const bool is_backward = direction == PropagationDirection::kBackward;
  CommonAxes common;
  AddAxes(is_backward ? projection.results : projection.operands, factor,
          common);
  if (direction != PropagationDirection::kBoth) common.Freeze();
  AddAxes(is_backward ? projection.operands : projection.results, factor,
          common);
  return std::move(common).Take();
}

std::optional<AxisRef> PrefixWithinFactor(const AxisRef& axis,
                                          const TensorFactorShardings& tensor,
                                          FactorToShard factor,
                                          int64_t shards_before,
                                          const AbstractMesh& mesh) {
  const std::optional<AxisRef> prefix =
      PrefixWithout(tensor.unreduced, PrefixWithout(tensor.replicated, axis));
  if (!prefix.has_value()) return std::nullopt;
  const FactorSharding& sharding = *tensor.factors[factor.index];
  const std::vector<AxisRef>& present = sharding.axes;
  if (std::any_of(present.begin(), present.end(), [&](const AxisRef& other) {
        return other.Contains(*prefix);
      })) {
    return prefix;
  }
  if (!sharding.is_closed && sharding.overflow.empty()) {
    if (sharding.is_minor_most) return prefix;
    std::optional<AxisRef> dividing =
        PrefixThatDivides(*prefix, factor.size, shards_before, mesh);
    if (dividing.has_value()) return dividing;
  }
  // The list begins like the present axes, so the last of them is in its place.
  if (!present.empty() && present.back().IsPrefixOf(*prefix)) {
    return present.back();
  }
  return std::nullopt;
}

std::optional<AxisRef> PrefixAcrossFactors(const AxisRef& axis,
                                           const TensorFactorShardings& tensor,
                                           int factor) {
  std::optional<AxisRef> prefix = axis;
  for (size_t i = 0; i < tensor.factors.size(); ++i) {
    const auto& other = tensor.factors[i];
    if (static_cast<int>(i) == factor || !other.has_value()) continue;
    prefix = PrefixWithout(other->overflow, std::move(prefix));
    prefix = PrefixWithout(other->axes, std::move(prefix));
  }
  return prefix;
}

void TruncateAxes(AxisPrefix prefix, SubAxes sub_axes, const AbstractMesh& mesh,
                  std::vector<AxisRef>& axes) {
  int64_t shards_before = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    std::optional<AxisRef> left = prefix(axes[i], shards_before);
    if (sub_axes == SubAxes::kRefused && left.has_value() &&
        !left->is_whole()) {
      left.reset();
    }
    if (left == axes[i]) {
      shards_before *= left->Size(mesh);
      continue;
    }
    axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i), axes.end());
    while (left.has_value()) {
      std::optional<AxisRef> again = prefix(*left, shards_before);
      if (again == left) {
        axes.push_back(*std::move(left));
        break;
      }
      left = std::move(again);
    }
    return;
  }
}

}  // namespace lockstep::internal
