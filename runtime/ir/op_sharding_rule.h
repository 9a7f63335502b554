#ifndef LOCKSTEP_RUNTIME_IR_OP_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_IR_OP_SHARDING_RULE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep::internal {

class Op;

// What it means to shard a factor.
enum class FactorKind {
  kPassThrough,      // shards of operands and results correspond
  kReduction,        // results are partial: an all_reduce must follow
  kNeedReplication,  // must be unsharded where the op runs
  kPermutation,      // shards exchange elements with their neighbours
};

// How an op is sharded, as in Shardy: every dim of every operand and result is
// a product of factors; dims that share a factor are sharded along it together.
// Holds no shapes but the sizes of its factors. A value type.
class OpShardingRule {
 public:
  struct Factor {
    int64_t size = 1;
    FactorKind kind = FactorKind::kPassThrough;
    // Propagation leaves shardings along it where they are.
    bool is_blocked = false;
    friend bool operator==(const Factor&, const Factor&) = default;
  };
  // Of one dim: positions in factors(), major to minor.
  using DimFactors = std::vector<int>;
  using TensorFactors = std::vector<DimFactors>;  // one entry per dim

  struct Parts {
    std::vector<Factor> factors;
    std::vector<TensorFactors> operands;
    std::vector<TensorFactors> results;
    // Given by the user instead of the op's definition.
    bool is_custom = false;
    friend bool operator==(const Parts&, const Parts&) = default;
  };

  // INVALID_ARGUMENT, with the tensor, the dim and the factor, unless there are
  // operands and results, every dim has a factor, a factor is at most once in a
  // tensor and somewhere used, a factor of size 1 is alone in its dim, and no
  // reduction factor is in a result.
  static absl::StatusOr<OpShardingRule> Create(Parts parts);

  // The text that ToString writes; spaces between tokens may be missing.
  // INVALID_ARGUMENT with the position, or as Create.
  static absl::StatusOr<OpShardingRule> Parse(absl::string_view text);

  // "#sdy.op_sharding_rule<([i, jk], [])->([i, j]) {i=2, j=3, k=4}
  // reduction={k} blocked_propagation={i}, custom>", without empty parts.
  std::string ToString() const;

  // INVALID_ARGUMENT, with the op's location, unless there are as many maps as
  // operands and results of `op`, of their ranks. A user's rule fits their
  // sizes, too: a factor that is alone in a dim is not larger than it (one of
  // dims of several sizes has the smallest), several make it up.
  absl::Status CheckFits(const Op& op) const;

  const std::vector<Factor>& factors() const { return parts_.factors; }
  const std::vector<TensorFactors>& operands() const { return parts_.operands; }
  const std::vector<TensorFactors>& results() const { return parts_.results; }
  bool is_custom() const { return parts_.is_custom; }
  // The factors of a kind, in order.
  std::vector<int> FactorsOfKind(FactorKind kind) const;
  std::vector<int> BlockedFactors() const;

  friend bool operator==(const OpShardingRule&,
                         const OpShardingRule&) = default;
  friend std::ostream& operator<<(std::ostream& os,
                                  const OpShardingRule& rule) {
    return os << rule.ToString();
  }

 private:
  explicit OpShardingRule(Parts parts);

  Parts parts_;
};

// "i" to "z", then "z_1", "z_2", ..
std::string FactorSymbol(int factor);
// "reduction", "need_replication", "permutation", as rules are written.
absl::string_view FactorKindName(FactorKind kind);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_OP_SHARDING_RULE_H_
