#ifndef LOCKSTEP_RUNTIME_SHARDING_SHARDING_PROJECTION_H_
#define LOCKSTEP_RUNTIME_SHARDING_SHARDING_PROJECTION_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// The shardings of an op's values as shardings of the factors of its rule
// (Shardy, sharding projection). Value types and pure functions.
//
// A dim of several factors gives each, major to minor, as many of its axes as
// divide what is left of the factor, which may split an axis; the last one gets
// all that remain, whether they divide it or not. For a dim of 2 * 4 and an
// axis "a" of size 4 that is "a":(1)2 and "a":(2)2.

// The shardings of the operands and results of one op; none: not given.
struct OpShardings {
  std::vector<std::optional<TensorSharding>> operands;
  std::vector<std::optional<TensorSharding>> results;

  friend bool operator==(const OpShardings&, const OpShardings&) = default;
};

// How a tensor is sharded along one factor.
struct FactorSharding {
  std::vector<AxisRef> axes;  // major to minor
  // As its dim; also if a factor before it in the dim has an overflow.
  bool is_closed = false;
  // The last one of its dim, whose axes need not divide it.
  bool is_minor_most = false;
  // The rest of the axes of the dim, the first of which has no divisor in
  // common with what `axes` leave of the factor. Not of the minor-most.
  std::vector<AxisRef> overflow;

  friend bool operator==(const FactorSharding&,
                         const FactorSharding&) = default;
};

struct TensorFactorShardings {
  // One entry for each factor of the rule. None: the tensor lacks the factor,
  // or it is the second or a later one behind an overflow.
  std::vector<std::optional<FactorSharding>> factors;
  std::vector<AxisRef> replicated;
  std::vector<AxisRef> unreduced;
  UnreducedKind reduction = UnreducedKind::kSum;

  // Shards the factor along `axes` if the tensor has it and its present axes
  // are a strict prefix of them. Whether it did.
  bool Extend(int factor, absl::Span<const AxisRef> axes);
  friend bool operator==(const TensorFactorShardings&,
                         const TensorFactorShardings&) = default;
};

struct ShardingProjection {
  std::vector<TensorFactorShardings> operands;
  std::vector<TensorFactorShardings> results;

  friend bool operator==(const ShardingProjection&,
                         const ShardingProjection&) = default;
};

// Whether the dims of a tensor without a sharding are taken as open or closed.
enum class MissingSharding { kOpen, kClosed };

// `dims` is the entry of the tensor in `rule`; the sharding is valid on the
// mesh and has as many dims. Priorities are not looked at.
TensorFactorShardings ProjectTensor(
    const OpShardingRule& rule, const OpShardingRule::TensorFactors& dims,
    const std::optional<TensorSharding>& sharding, const AbstractMesh& mesh,
    MissingSharding missing = MissingSharding::kOpen);

// There are as many operands and results as in `rule`, all as for
// ProjectTensor.
ShardingProjection ProjectShardings(
    const OpShardingRule& rule, const OpShardings& shardings,
    const AbstractMesh& mesh, MissingSharding missing = MissingSharding::kOpen);

// The inverse of ProjectTensor: of its result it gives exactly the dims that
// went in, without priorities. Where factors were extended since, a dim has the
// axes up to the first factor that they do not fill: what follows is no
// sharding of the dim.
std::vector<DimSharding> DimsOfFactors(
    const OpShardingRule& rule, const OpShardingRule::TensorFactors& dims,
    const TensorFactorShardings& tensor, const AbstractMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_SHARDING_PROJECTION_H_
