#ifndef LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_H_
#define LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// How an op runs on shards (Shardy, explicit reshards; row Y-22). An operand
// is summed over its `operand_all_reduce`, which leaves its dims, and resharded
// to its sharding here; a result is summed over `all_reduce` and resharded from
// its sharding here.
struct OpReshards {
  // At which the op computes. Each tensor has one, closed, without replicated
  // axes, on the mesh of the op, and otherwise the given one where it needs no
  // reshard.
  OpShardings shardings;
  // Of each operand, those of its unreduced axes that no result keeps; in mesh
  // order, also those below.
  std::vector<std::vector<AxisRef>> operand_all_reduce;
  // Of every result.
  std::vector<AxisRef> all_reduce;

  friend bool operator==(const OpReshards&, const OpReshards&) = default;
};

// What the choice depends on beside the rule.
struct OpTraits {
  // The number of elements of each operand and result; of a scalar 1.
  std::vector<int64_t> operand_elements;
  std::vector<int64_t> result_elements;
  // Of one operand and one result: their axes may be handed out anew where
  // they do not divide the factors.
  bool is_reshape = false;
};

// The shardings at which an op with a rule can run without communication but
// that of permutation factors with their neighbours, and the sum over reduction
// factors. They are the given ones, where missing ones have no axes, if these
// are such: the same along each factor in all tensors, with no axis along two
// factors and none along those that need replication. Otherwise tensors are
// resharded so that little is moved.
//
// All results keep what the op leaves partial of the unreduced axes of the
// first; a given sharding with more is a reshard to partial results. A custom
// rule changes no dims, and is assumed to give what its results say.
//
// `mesh` is that of MostFrequentMesh; the shardings are valid on it and fit to
// the rule.
OpReshards ChooseOpShardings(const OpShardingRule& rule, const CommonMesh& mesh,
                             const OpShardings& shardings,
                             const OpTraits& traits);

// An op without a rule has all of its operands and results on every device.
// Ranks: one for each, since there may be no sharding.
OpReshards UnshardedOp(const CommonMesh& mesh, const OpShardings& shardings,
                       absl::Span<const int64_t> operand_ranks,
                       absl::Span<const int64_t> result_ranks);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_H_
