#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_SDY_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_SDY_SHARDING_RULE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep {

// Stands for the batch dimensions of a value, in front of its others, perhaps
// with the number of their group behind it: "…1". Without one it is group 0.
inline constexpr char kBatching[] = "…";

// A dimension that is a product of factors, major to minor: two or more.
struct CompoundFactor {
  std::vector<std::string> factors;
  friend bool operator==(const CompoundFactor&,
                         const CompoundFactor&) = default;
};

// Of one dimension: the factor that it is, or those of which it is made. Of all
// batch dimensions of a value: kBatching.
using DimMapping = std::variant<std::string, CompoundFactor>;
// Of one operand or result.
using ArrayMapping = std::vector<DimMapping>;

// What a rule says of its factors beside where they stand. A factor of no list
// passes through: shards of operands and results correspond.
struct FactorOptions {
  // Results are partial along them, and are summed where they are sharded.
  std::vector<std::string> reduction_factors = {};
  // Unsharded where the function runs.
  std::vector<std::string> need_replication_factors = {};
  // Shards exchange elements with their neighbours.
  std::vector<std::string> permutation_factors = {};
  // Of factors that are in compounds alone.
  std::vector<std::pair<std::string, int64_t>> factor_sizes = {};
  friend bool operator==(const FactorOptions&, const FactorOptions&) = default;
};

// How the dimensions of a function's operands and results are sharded together
// (JAX's SdyShardingRule, spec Y-9, Y-10, Y-11): those that share a factor are
// sharded along it alike. Knows no shapes. A value type.
class SdyShardingRule {
 public:
  // INVALID_ARGUMENT: a factor that is no name (a letter, then letters, digits
  // and '_'); a compound of fewer than two; kBatching that is not first; a size
  // of a factor that is a whole dimension somewhere, or in no value, or none of
  // one that is in compounds alone; a list that repeats a factor, has one that
  // is in no value, or in another list.
  static absl::StatusOr<SdyShardingRule> Create(
      std::vector<ArrayMapping> operand_mappings,
      std::vector<ArrayMapping> result_mappings, FactorOptions options = {});

  // Of a text like that of einsum: values, separated by commas, on both sides
  // of "->", each of factors, separated by spaces, and compounds in brackets;
  // "...", "...1" for batch dimensions. Nothing is a scalar.
  //
  //   SdyShardingRule::Parse("... i k, ... k j -> ... i j",
  //                          {.reduction_factors = {"k"}})
  //
  // INVALID_ARGUMENT as of Create, and with the number of the character, from
  // 1, at which the text is wrong.
  static absl::StatusOr<SdyShardingRule> Parse(absl::string_view rule,
                                               FactorOptions options = {});

  const std::vector<ArrayMapping>& operand_mappings() const {
    return operand_mappings_;
  }
  const std::vector<ArrayMapping>& result_mappings() const {
    return result_mappings_;
  }
  const FactorOptions& options() const { return options_; }

  // "SdyShardingRule((('…0', 'i'),), (('…0', 'i'),), {})": as JAX prints it,
  // with " reduction_factors=('k',)" and the like behind the sizes.
  std::string ToString() const;

  friend bool operator==(const SdyShardingRule&,
                         const SdyShardingRule&) = default;
  friend std::ostream& operator<<(std::ostream& os,
                                  const SdyShardingRule& rule) {
    return os << rule.ToString();
  }

 private:
  SdyShardingRule(std::vector<ArrayMapping> operand_mappings,
                  std::vector<ArrayMapping> result_mappings,
                  FactorOptions options)
      : operand_mappings_(std::move(operand_mappings)),
        result_mappings_(std::move(result_mappings)),
        options_(std::move(options)) {}

  std::vector<ArrayMapping> operand_mappings_;
  std::vector<ArrayMapping> result_mappings_;
  FactorOptions options_;
};

namespace internal {

// The number of the group of batch dimensions that a mapping begins with,
// without leading zeros; "": none.
std::string BatchGroupOf(const ArrayMapping& mapping);

}  // namespace internal
}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_SDY_SHARDING_RULE_H_
