#include "runtime/sharding/op_reshards.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/exported_sharding.h"
#include "runtime/sharding/factor_axes.h"

namespace lockstep::internal {
namespace {

using Shardings = std::vector<std::optional<TensorSharding>>;
using TensorFactors = OpShardingRule::TensorFactors;

// All closed and on the mesh of the op.
Shardings Closed(const Shardings& shardings,
                 const std::vector<TensorFactors>& tensors,
                 const CommonMesh& mesh) {
  LOCKSTEP_CHECK(shardings.size() == tensors.size());
  Shardings closed;
  for (size_t i = 0; i < shardings.size(); ++i) {
    closed.push_back(shardings[i].has_value()
                         ? ClosedSharding(*shardings[i])
                         : UnshardedOn(mesh.reference,
                                       static_cast<int64_t>(tensors[i].size()),
                                       /*is_closed=*/true));
    closed.back()->mesh = mesh.reference;
  }
  return closed;
}

// As they are if there is nothing to remove.
std::vector<AxisRef> Without(const std::vector<AxisRef>& axes,
                             const std::vector<AxisRef>& removed,
                             const AbstractMesh& mesh) {
  if (removed.empty()) return axes;
  return SortedAndMerged(AxesWithout(axes, removed, mesh), mesh);
}

void SetUnreduced(std::vector<AxisRef> unreduced, UnreducedKind kind,
                  TensorSharding& sharding) {
  sharding.reduction = unreduced.empty() ? UnreducedKind::kSum : kind;
  sharding.unreduced = std::move(unreduced);
}

void SetUnreduced(const std::vector<AxisRef>& unreduced, UnreducedKind kind,
                  Shardings& results) {
  for (std::optional<TensorSharding>& result : results) {
    SetUnreduced(unreduced, kind, *result);
  }
}

// Leaves operands those of their unreduced axes that are in `kept`. The others
// of each.
std::vector<std::vector<AxisRef>> KeepUnreduced(
    const std::vector<AxisRef>& kept, const Shardings& given,
    const AbstractMesh& mesh, Shardings& operands) {
  std::vector<std::vector<AxisRef>> reduced;
  for (size_t i = 0; i < operands.size(); ++i) {
    reduced.emplace_back();
    if (!given[i].has_value()) continue;
    const std::vector<AxisRef>& before = given[i]->unreduced;
    reduced.back() = SortedAndMerged(AxesWithout(before, kept, mesh), mesh);
    SetUnreduced(Without(before, reduced.back(), mesh), given[i]->reduction,
                 *operands[i]);
  }
  return reduced;
}

// Factors cannot have axes that are unreduced in a tensor with the factor, nor
// can the sum over a factor be one over partial results.
FactorAxes TakenAxes(const FactoredOp& op, size_t operand_count) {
  FactorAxes taken = op.Unsharded();
  for (size_t t = 0; t < op.tensors.size(); ++t) {
    const TensorFactorShardings& tensor = op.tensors[t].shardings;
    for (int i = 0; i < op.factor_count(); ++i) {
      const bool is_summed = t < operand_count && op.rule.factors()[i].kind ==
                                                      FactorKind::kReduction;
      if (!is_summed && !tensor.factors[i].has_value()) continue;
      taken[i].insert(taken[i].end(), tensor.unreduced.begin(),
                      tensor.unreduced.end());
    }
  }
  return taken;
}

FactoredOp Factored(const OpShardingRule& rule, const AbstractMesh& mesh,
                    const OpShardings& shardings, const OpTraits& traits) {
  LOCKSTEP_CHECK(traits.operand_elements.size() == rule.operands().size());
  LOCKSTEP_CHECK(traits.result_elements.size() == rule.results().size());
  FactoredOp op = {.rule = rule, .mesh = mesh, .tensors = {}, .taken = {}};
  const auto add = [&](const std::vector<TensorFactors>& tensors,
                       const Shardings& given,
                       const std::vector<int64_t>& elements) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      op.tensors.push_back(
          {.dims = tensors[i],
           .shardings = ProjectTensor(rule, tensors[i], given[i], mesh),
           .elements = elements[i]});
    }
  };
  add(rule.operands(), shardings.operands, traits.operand_elements);
  add(rule.results(), shardings.results, traits.result_elements);
  op.taken = TakenAxes(op, rule.operands().size());
  return op;
}

bool HasOverflow(const FactoredOp& op) {
  for (const FactoredOp::Tensor& tensor : op.tensors) {
    for (const auto& factor : tensor.shardings.factors) {
      if (factor.has_value() && !factor->overflow.empty()) return true;
    }
  }
  return false;
}

FactorAxes ChosenFactorAxes(FactoredOp op, bool is_reshape) {
  FactorAxes axes;
  if (is_reshape && HasOverflow(op)) {
    axes = ReshapeFactorAxes(op);
  } else {
    KeepWhatAllCanHave(op);
    std::optional<FactorAxes> preferred = AxesOfPreferredTensor(op);
    axes = preferred.has_value() ? *std::move(preferred) : BestFactorAxes(op);
    MoveToBatchingFactors(op, axes);
  }
  RemoveUnreachable(op, axes);
  return axes;
}

void SetDims(const OpShardingRule& rule,
             const std::vector<TensorFactors>& tensors, const FactorAxes& axes,
             const AbstractMesh& mesh, Shardings& shardings) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    TensorFactorShardings tensor;
    for (const std::vector<AxisRef>& factor : axes) {
      tensor.factors.push_back(
          FactorSharding{.axes = factor, .is_closed = true, .overflow = {}});
    }
    shardings[i]->dims = DimsOfFactors(rule, tensors[i], tensor, mesh);
  }
}

std::vector<AxisRef> ReductionAxes(const OpShardingRule& rule,
                                   const FactorAxes& axes) {
  std::vector<AxisRef> reduction;
  for (const int factor : rule.FactorsOfKind(FactorKind::kReduction)) {
    reduction.insert(reduction.end(), axes[factor].begin(), axes[factor].end());
  }
  return reduction;
}

// What the op leaves partial of the unreduced axes of its results: that of its
// sums and that of its operands.
std::vector<AxisRef> Partial(const std::vector<AxisRef>& unreduced,
                             const std::vector<AxisRef>& reduction,
                             const Shardings& operands,
                             const AbstractMesh& mesh) {
  std::vector<AxisRef> whole = AxesWithout(unreduced, reduction, mesh);
  for (const std::optional<TensorSharding>& operand : operands) {
    whole = AxesWithout(whole, operand->unreduced, mesh);
  }
  return Without(unreduced, whole, mesh);
}

// What operands share with those axes may be less than they have of them, if no
// split of an axis has both, and then the op leaves less as well.
void LeavePartial(const std::vector<AxisRef>& reduction,
                  const AbstractMesh& mesh, const Shardings& given_operands,
                  OpReshards& reshards) {
  OpShardings& shardings = reshards.shardings;
  const UnreducedKind kind = shardings.results[0]->reduction;
  std::vector<AxisRef> before;
  std::vector<AxisRef> partial = shardings.results[0]->unreduced;
  do {
    before = partial;
    reshards.operand_all_reduce =
        KeepUnreduced(before, given_operands, mesh, shardings.operands);
    partial = Partial(before, reduction, shardings.operands, mesh);
  } while (partial != before);
  SetUnreduced(partial, kind, shardings.results);
}

}  // namespace

OpReshards ChooseOpShardings(const OpShardingRule& rule, const CommonMesh& mesh,
                             const OpShardings& shardings,
                             const OpTraits& traits) {
  const AbstractMesh& axes = mesh.mesh.abstract();
  OpReshards reshards;
  OpShardings& chosen = reshards.shardings;
  chosen = {.operands = Closed(shardings.operands, rule.operands(), mesh),
            .results = Closed(shardings.results, rule.results(), mesh)};
  const std::vector<AxisRef> unreduced = chosen.results[0]->unreduced;
  reshards.operand_all_reduce =
      KeepUnreduced(unreduced, shardings.operands, axes, chosen.operands);
  if (rule.is_custom()) return reshards;

  SetUnreduced(unreduced, chosen.results[0]->reduction, chosen.results);
  const FactoredOp op = Factored(rule, axes, chosen, traits);
  std::optional<FactorAxes> factor_axes = CompatibleFactorAxes(op);
  if (!factor_axes.has_value()) {
    factor_axes = ChosenFactorAxes(op, traits.is_reshape);
    SetDims(rule, rule.operands(), *factor_axes, axes, chosen.operands);
    SetDims(rule, rule.results(), *factor_axes, axes, chosen.results);
  }
  const std::vector<AxisRef> reduction = ReductionAxes(rule, *factor_axes);
  reshards.all_reduce =
      SortedAndMerged(AxesWithout(reduction, unreduced, axes), axes);
  LeavePartial(reduction, axes, shardings.operands, reshards);
  return reshards;
}

OpReshards UnshardedOp(const CommonMesh& mesh, const OpShardings& shardings,
                       absl::Span<const int64_t> operand_ranks,
                       absl::Span<const int64_t> result_ranks) {
  LOCKSTEP_CHECK(shardings.operands.size() == operand_ranks.size());
  OpReshards reshards;
  for (size_t i = 0; i < operand_ranks.size(); ++i) {
    const std::optional<TensorSharding>& given = shardings.operands[i];
    reshards.operand_all_reduce.emplace_back();
    if (given.has_value()) {
      reshards.operand_all_reduce.back() =
          SortedAndMerged(given->unreduced, mesh.mesh.abstract());
    }
    reshards.shardings.operands.push_back(
        UnshardedOn(mesh.reference, operand_ranks[i], /*is_closed=*/true));
  }
  for (const int64_t rank : result_ranks) {
    reshards.shardings.results.push_back(
        UnshardedOn(mesh.reference, rank, /*is_closed=*/true));
  }
  return reshards;
}

}  // namespace lockstep::internal
