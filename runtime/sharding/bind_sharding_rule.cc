#include "runtime/sharding/bind_sharding_rule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using TensorFactors = OpShardingRule::TensorFactors;

template <typename... T>
absl::Status BindError(const T&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// One operand or result.
struct BoundValue {
  std::string name;  // "operand 1"
  const ArrayMapping& mapping;
  const Shape& shape;
};

class RuleBinding {
 public:
  explicit RuleBinding(const FactorOptions& options) : options_(options) {}

  // Numbers the factors of the value.
  absl::Status AddFactors(const BoundValue& value) {
    const std::string group = BatchGroupOf(value.mapping);
    const auto named =
        static_cast<int64_t>(value.mapping.size()) - (group.empty() ? 0 : 1);
    const int64_t rank = value.shape.rank();
    if (group.empty() ? named != rank : named > rank) {
      return BindError(value.name, ": expected rank ", named,
                       group.empty() ? "" : " or more", ", found ", rank);
    }
    const int64_t batch_rank = rank - named;
    if (!group.empty()) {
      const auto [known, is_new] = batch_ranks_.try_emplace(group, batch_rank);
      if (known->second != batch_rank) {
        return BindError(value.name, ": expected ", known->second,
                         " batch dimensions, as before in group ", group,
                         ", found ", batch_rank);
      }
    }
    for (int64_t dim = 0; dim < batch_rank; ++dim) {
      RETURN_IF_ERROR(AddBatchFactor(value, group, dim));
    }
    for (int64_t i = 0; i < named; ++i) {
      const DimMapping& mapping =
          value.mapping[value.mapping.size() - named + i];
      if (const auto* compound = std::get_if<CompoundFactor>(&mapping)) {
        for (const std::string& factor : compound->factors) {
          AddFactor(factor, SizeGiven(factor));
        }
      } else {
        AddFactor(std::get<std::string>(mapping),
                  value.shape.dim(batch_rank + i));
      }
    }
    return absl::OkStatus();
  }

  // Once all factors are there.
  absl::StatusOr<TensorFactors> FactorsOf(const BoundValue& value) const {
    const std::string group = BatchGroupOf(value.mapping);
    TensorFactors dims;
    for (const DimMapping& mapping : value.mapping) {
      if (!group.empty() && &mapping == &value.mapping.front()) {
        for (int64_t i = 0; i < batch_ranks_.at(group); ++i) {
          dims.push_back({numbers_.at(BatchFactor(group, i))});
        }
      } else if (const auto* compound = std::get_if<CompoundFactor>(&mapping)) {
        const auto dim = static_cast<int64_t>(dims.size());
        RETURN_IF_ERROR(CheckCompound(value, dim, *compound));
        dims.emplace_back();
        for (const std::string& factor : compound->factors) {
          dims.back().push_back(numbers_.at(factor));
        }
      } else {
        dims.push_back({numbers_.at(std::get<std::string>(mapping))});
      }
    }
    return dims;
  }

  std::vector<OpShardingRule::Factor> Factors() const {
    std::vector<OpShardingRule::Factor> factors;
    for (const std::optional<int64_t>& size : sizes_) {
      factors.push_back({.size = *size});
    }
    const auto set = [&](const std::vector<std::string>& names,
                         FactorKind kind) {
      for (const std::string& name : names) {
        factors[numbers_.at(name)].kind = kind;
      }
    };
    set(options_.reduction_factors, FactorKind::kReduction);
    set(options_.need_replication_factors, FactorKind::kNeedReplication);
    set(options_.permutation_factors, FactorKind::kPermutation);
    return factors;
  }

 private:
  // No name of a factor has such a character.
  static std::string BatchFactor(const std::string& group, int64_t dim) {
    return absl::StrCat(kBatching, group, "_", dim);
  }

  void AddFactor(const std::string& name, std::optional<int64_t> size) {
    const auto [known, is_new] =
        numbers_.try_emplace(name, static_cast<int>(sizes_.size()));
    if (is_new) sizes_.emplace_back();
    std::optional<int64_t>& smallest = sizes_[known->second];
    if (size.has_value() && (!smallest.has_value() || *size < *smallest)) {
      smallest = size;
    }
  }

  absl::Status AddBatchFactor(const BoundValue& value, const std::string& group,
                              int64_t dim) {
    const int64_t size = value.shape.dim(dim);
    const auto known = numbers_.find(BatchFactor(group, dim));
    if (known != numbers_.end() && sizes_[known->second] != size) {
      return BindError(value.name, ": batch group ", group, " dimension ", dim,
                       ": expected size ", *sizes_[known->second],
                       ", as before, found ", size);
    }
    AddFactor(BatchFactor(group, dim), size);
    return absl::OkStatus();
  }

  // Of a factor that is in compounds alone.
  std::optional<int64_t> SizeGiven(const std::string& factor) const {
    for (const auto& [name, size] : options_.factor_sizes) {
      if (name == factor) return size;
    }
    return std::nullopt;
  }

  absl::Status CheckCompound(const BoundValue& value, int64_t dim,
                             const CompoundFactor& compound) const {
    int64_t product = 1;
    bool overflows = false;
    for (const std::string& factor : compound.factors) {
      const int64_t size = *sizes_[numbers_.at(factor)];
      overflows |= __builtin_mul_overflow(product, size, &product);
    }
    if (!overflows && product == value.shape.dim(dim)) return absl::OkStatus();
    return BindError(
        value.name, " dimension ", dim, ": expected ",
        overflows ? "a size beyond 64 bits" : absl::StrCat(product),
        ", the product of the factors ", absl::StrJoin(compound.factors, ", "),
        ", found ", value.shape.dim(dim));
  }

  const FactorOptions& options_;
  std::map<std::string, int64_t> batch_ranks_;  // by group
  std::map<std::string, int> numbers_;
  // By factor; none: only compounds so far, all of them without a size.
  std::vector<std::optional<int64_t>> sizes_;
};

absl::StatusOr<std::vector<BoundValue>> ValuesOf(
    absl::string_view what, const std::vector<ArrayMapping>& mappings,
    absl::Span<const Shape> shapes) {
  if (mappings.size() != shapes.size()) {
    return BindError("expected as many ", what, "s as the rule has, ",
                     mappings.size(), ", found ", shapes.size());
  }
  std::vector<BoundValue> values;
  for (size_t i = 0; i < shapes.size(); ++i) {
    values.push_back({absl::StrCat(what, " ", i), mappings[i], shapes[i]});
  }
  return values;
}

absl::StatusOr<OpShardingRule> Bind(const SdyShardingRule& rule,
                                    absl::Span<const Shape> operand_shapes,
                                    absl::Span<const Shape> result_shapes) {
  ASSIGN_OR_RETURN(
      const std::vector<BoundValue> operands,
      ValuesOf("operand", rule.operand_mappings(), operand_shapes));
  ASSIGN_OR_RETURN(const std::vector<BoundValue> results,
                   ValuesOf("result", rule.result_mappings(), result_shapes));
  RuleBinding binding(rule.options());
  for (const BoundValue& value : operands) {
    RETURN_IF_ERROR(binding.AddFactors(value));
  }
  for (const BoundValue& value : results) {
    RETURN_IF_ERROR(binding.AddFactors(value));
  }
  OpShardingRule::Parts parts;
  for (const BoundValue& value : operands) {
    ASSIGN_OR_RETURN(parts.operands.emplace_back(), binding.FactorsOf(value));
  }
  for (const BoundValue& value : results) {
    ASSIGN_OR_RETURN(parts.results.emplace_back(), binding.FactorsOf(value));
  }
  parts.factors = binding.Factors();
  parts.is_custom = true;
  return OpShardingRule::Create(std::move(parts));
}

}  // namespace

absl::StatusOr<OpShardingRule> BindShardingRule(
    const SdyShardingRule& rule, absl::Span<const Shape> operand_shapes,
    absl::Span<const Shape> result_shapes) {
  absl::StatusOr<OpShardingRule> bound =
      Bind(rule, operand_shapes, result_shapes);
  if (bound.ok()) return bound;
  return Annotate(bound.status(), rule.ToString());
}

}  // namespace lockstep::internal
