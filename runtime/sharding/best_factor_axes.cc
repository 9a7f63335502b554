#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/factor_axes.h"

namespace lockstep::internal {
namespace {

// Axes that a factor may get.
struct Candidate {
  int factor = 0;
  std::vector<AxisRef> axes;
  // Of the tensors that have the axes, or more of them.
  int64_t elements = 0;
  int64_t shards = 1;
};

int Precedence(FactorKind kind) {
  switch (kind) {
    case FactorKind::kPassThrough:
      return 3;
    case FactorKind::kReduction:
      return 2;
    case FactorKind::kPermutation:
      return 1;
    case FactorKind::kNeedReplication:
      return 0;
  }
  return 0;
}

// By names, not by places in the mesh, as Shardy does.
bool IsSmaller(absl::Span<const AxisRef> a, absl::Span<const AxisRef> b,
               const AbstractMesh& mesh) {
  if (a.size() != b.size()) return a.size() < b.size();
  const auto key = [&](const AxisRef& axis) {
    return std::tuple(axis.name(), axis.pre_size(), axis.NextPreSize(mesh));
  };
  return std::ranges::lexicographical_compare(a, b, {}, key, key);
}

class CandidateChoice {
 public:
  explicit CandidateChoice(const FactoredOp& op)
      : op_(op), chosen_(op.Unsharded()) {
    for (const FactoredOp::Tensor& tensor : op.tensors) {
      for (int i = 0; i < op.factor_count(); ++i) {
        const auto& factor = tensor.shardings.factors[i];
        if (factor.has_value()) AddPrefixes(i, factor->axes);
      }
    }
    for (Candidate& candidate : candidates_) {
      candidate.elements = ElementsOf(candidate);
    }
  }

  FactorAxes Run() && {
    for (const Candidate* best = Best(); best != nullptr; best = Best()) {
      Choose(best->factor, best->axes);
    }
    return std::move(chosen_);
  }

 private:
  void AddPrefixes(int factor, std::vector<AxisRef> axes) {
    for (; !axes.empty(); axes.pop_back()) {
      if (std::ranges::any_of(candidates_, [&](const Candidate& candidate) {
            return candidate.factor == factor && candidate.axes == axes;
          })) {
        return;
      }
      candidates_.push_back({.factor = factor,
                             .axes = axes,
                             .shards = ShardCount(axes, op_.mesh)});
    }
  }

  // At most the largest number of 64 bits.
  int64_t ElementsOf(const Candidate& candidate) const {
    int64_t elements = 0;
    for (const FactoredOp::Tensor& tensor : op_.tensors) {
      const auto& factor = tensor.shardings.factors[candidate.factor];
      if (!factor.has_value() ||
          (factor->axes != candidate.axes &&
           !IsStrictPrefix(candidate.axes, factor->axes))) {
        continue;
      }
      if (__builtin_add_overflow(elements, tensor.elements, &elements)) {
        return std::numeric_limits<int64_t>::max();
      }
    }
    return elements;
  }

  bool IsWorse(const Candidate& a, const Candidate& b) const {
    const auto key = [&](const Candidate& candidate) {
      const FactorKind kind = op_.rule.factors()[candidate.factor].kind;
      return std::tuple(candidate.elements, Precedence(kind), candidate.shards,
                        candidate.factor);
    };
    if (key(a) != key(b)) return key(a) < key(b);
    return IsSmaller(a.axes, b.axes, op_.mesh);
  }

  // None: nothing is left that could be chosen.
  const Candidate* Best() const {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates_) {
      if (!op_.IsReachable(candidate.factor, chosen_)) continue;
      if (best == nullptr || IsWorse(*best, candidate)) best = &candidate;
    }
    return best;
  }

  // Not by reference: the axes are those of a candidate.
  void Choose(int factor, std::vector<AxisRef> axes) {
    chosen_[factor] = std::move(axes);
    for (Candidate& candidate : candidates_) Cut(factor, candidate);
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      return !IsStrictPrefix(chosen_[candidate.factor], candidate.axes);
    });
  }

  // Leaves the candidate what it may have beside the axes just chosen for
  // `factor`, and counts its shards: beyond those that its factor has if it is
  // of this factor or was cut, and otherwise, as in Shardy, all.
  void Cut(int factor, Candidate& candidate) const {
    const bool is_cut = candidate.factor != factor &&
                        TruncateBefore(chosen_[factor], candidate.axes);
    candidate.shards = ShardCount(candidate.axes, op_.mesh);
    if (!is_cut && candidate.factor != factor) return;
    candidate.shards /= ShardCount(chosen_[candidate.factor], op_.mesh);
  }

  const FactoredOp& op_;
  FactorAxes chosen_;
  std::vector<Candidate> candidates_;
};

}  // namespace

FactorAxes BestFactorAxes(const FactoredOp& op) {
  return CandidateChoice(op).Run();
}

}  // namespace lockstep::internal
