#include "client/jit/custom_partition.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/jit/sharding_kind.h"
#include "runtime/base/status.h"
#include "runtime/sharding/bind_sharding_rule.h"

namespace lockstep {
namespace internal {
namespace {

// "factor_sizes 'i', reduction_factors 'k'"; "": none.
std::string NamesIn(const FactorOptions& options) {
  std::vector<std::string> sizes;
  for (const auto& [name, size] : options.factor_sizes) sizes.push_back(name);
  std::vector<std::string> lists;
  const auto add = [&](absl::string_view what,
                       const std::vector<std::string>& names) {
    if (names.empty()) return;
    lists.push_back(
        absl::StrCat(what, " '", absl::StrJoin(names, "', '"), "'"));
  };
  add("reduction_factors", options.reduction_factors);
  add("need_replication_factors", options.need_replication_factors);
  add("permutation_factors", options.permutation_factors);
  add("factor_sizes", sizes);
  return absl::StrJoin(lists, ", ");
}

absl::StatusOr<SdyShardingRule> RuleOf(const ShardingRuleOfTypes& given) {
  if (const auto* rule = std::get_if<SdyShardingRule>(&given)) return *rule;
  if (const auto* text = std::get_if<std::string>(&given)) {
    return SdyShardingRule::Parse(*text);
  }
  const auto& [text, factors] =
      std::get<std::pair<std::string, FactorOptions>>(given);
  return SdyShardingRule::Parse(text, factors);
}

}  // namespace

absl::StatusOr<CustomPartitionDefinition> CustomPartitionDefinitionOf(
    CustomPartitioningOptions options) {
  if (options.partition == nullptr) {
    return absl::InvalidArgumentError(
        "partition: expected a function, found none");
  }
  if (!options.decode_shardings) {
    return Annotate(CheckShardingKind("GSPMDSharding"),
                    "decode_shardings = false");
  }
  CustomPartitionDefinition definition;
  definition.partition = std::move(options.partition);
  if (const auto* text = std::get_if<std::string>(&options.sharding_rule)) {
    ASSIGN_OR_RETURN(definition.rule,
                     SdyShardingRule::Parse(*text, options.factors));
    return definition;
  }
  const std::string extra = NamesIn(options.factors);
  if (!extra.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "factors: expected none beside a sharding_rule that is no text, found ",
        extra));
  }
  if (auto* rule = std::get_if<SdyShardingRule>(&options.sharding_rule)) {
    definition.rule = std::move(*rule);
  } else if (auto* callback =
                 std::get_if<ShardingRuleCallback>(&options.sharding_rule)) {
    definition.rule = std::move(*callback);
  } else if (options.infer_sharding_from_operands != nullptr ||
             options.propagate_user_sharding != nullptr) {
    return absl::UnimplementedError(
        "infer_sharding_from_operands and propagate_user_sharding are of GSPMD:"
        " Shardy needs a sharding_rule, found none");
  }
  return definition;
}

absl::StatusOr<std::optional<OpShardingRule>> RuleOfCall(
    const CustomPartitionDefinition& definition, const Mesh& mesh,
    const std::vector<Shape>& operands, const std::vector<Shape>& results) {
  if (std::holds_alternative<std::monostate>(definition.rule)) {
    return std::nullopt;
  }
  if (const auto* rule = std::get_if<SdyShardingRule>(&definition.rule)) {
    return BindShardingRule(*rule, operands, results);
  }
  const auto& callback = std::get<ShardingRuleCallback>(definition.rule);
  ASSIGN_OR_RETURN(const ShardingRuleOfTypes given,
                   callback(mesh, operands, results));
  ASSIGN_OR_RETURN(const SdyShardingRule rule, RuleOf(given));
  return BindShardingRule(rule, operands, results);
}

}  // namespace internal

absl::Status LowerFunction::WrongCount(size_t count) {
  return absl::InvalidArgumentError(absl::StrCat(
      "lower_fn: expected a function of ", count,
      " tensors, one for each leaf of the arguments, found one of another "
      "number"));
}

}  // namespace lockstep
