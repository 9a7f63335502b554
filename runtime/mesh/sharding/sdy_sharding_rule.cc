#include "runtime/mesh/sharding/sdy_sharding_rule.h"

#include <cstddef>
#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using internal::QuotedName;
using internal::QuotedNames;
using internal::TupleOfTexts;

template <typename... T>
absl::Status RuleError(const T&... parts) {
  return absl::InvalidArgumentError(absl::StrCat("sharding rule: ", parts...));
}

// By factor: whether some dimension is this factor alone.
using FactorUses = std::map<std::string, bool>;

struct FactorList {
  absl::string_view name;
  const std::vector<std::string>& factors;
};

std::vector<FactorList> ListsOf(const FactorOptions& options) {
  return {{"reduction_factors", options.reduction_factors},
          {"need_replication_factors", options.need_replication_factors},
          {"permutation_factors", options.permutation_factors}};
}

bool IsBatching(absl::string_view text) {
  return absl::ConsumePrefix(&text, kBatching) &&
         absl::c_all_of(text, absl::ascii_isdigit);
}

absl::Status CheckName(absl::string_view factor) {
  if (factor.empty() || !absl::ascii_isalpha(factor[0])) {
    return RuleError("factor ", QuotedName(factor),
                     ": expected a letter first, found ",
                     factor.empty() ? "nothing" : factor.substr(0, 1));
  }
  for (const char c : factor) {
    if (absl::ascii_isalnum(c) || c == '_') continue;
    return RuleError("factor ", QuotedName(factor),
                     ": expected letters, digits and '_', found '",
                     absl::string_view(&c, 1), "'");
  }
  return absl::OkStatus();
}

absl::Status AddUses(const CompoundFactor& compound, FactorUses& uses) {
  if (compound.factors.size() < 2) {
    return RuleError("compound ", QuotedNames(compound.factors),
                     ": expected two factors or more, found ",
                     compound.factors.size());
  }
  for (const std::string& factor : compound.factors) {
    RETURN_IF_ERROR(CheckName(factor));
    uses.try_emplace(factor, false);
  }
  return absl::OkStatus();
}

absl::Status AddUses(const std::vector<ArrayMapping>& mappings,
                     absl::string_view what, FactorUses& uses) {
  for (size_t value = 0; value < mappings.size(); ++value) {
    for (size_t i = 0; i < mappings[value].size(); ++i) {
      const DimMapping& dim = mappings[value][i];
      if (const auto* compound = std::get_if<CompoundFactor>(&dim)) {
        RETURN_IF_ERROR(AddUses(*compound, uses));
        continue;
      }
      const std::string& factor = std::get<std::string>(dim);
      if (!IsBatching(factor)) {
        RETURN_IF_ERROR(CheckName(factor));
        uses[factor] = true;
      } else if (i != 0) {
        return RuleError(what, " ", value,
                         ": expected batch dimensions in front of the others, "
                         "found them at ",
                         i);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSizes(const FactorOptions& options, const FactorUses& uses) {
  std::set<std::string> known;
  for (const auto& [factor, size] : options.factor_sizes) {
    const auto found = uses.find(factor);
    if (found == uses.end()) {
      return RuleError("factor_sizes: factor ", factor,
                       " is not used in the rule, but has the size ", size);
    }
    if (found->second) {
      return RuleError("factor_sizes: factor ", factor,
                       " is a whole dimension, which says its size: expected "
                       "none, found ",
                       size);
    }
    if (!known.insert(factor).second) {
      return RuleError("factor_sizes: factor ", factor, " is there twice");
    }
  }
  for (const auto& [factor, is_whole] : uses) {
    if (is_whole || known.contains(factor)) continue;
    return RuleError("factor ", factor,
                     " is in compounds alone: expected its size in "
                     "factor_sizes, found none");
  }
  return absl::OkStatus();
}

absl::Status CheckLists(const FactorOptions& options, const FactorUses& uses) {
  std::map<std::string, absl::string_view> list_of;
  for (const FactorList& list : ListsOf(options)) {
    for (const std::string& factor : list.factors) {
      const auto error = [&](const auto&... problem) {
        return RuleError(list.name, " ", QuotedNames(list.factors), ": factor ",
                         factor, " ", problem...);
      };
      if (!uses.contains(factor)) return error("is not used in the rule");
      const auto [other, is_new] = list_of.try_emplace(factor, list.name);
      if (is_new) continue;
      if (other->second == list.name) return error("is there twice");
      return error("is in ", other->second, " already");
    }
  }
  return absl::OkStatus();
}

std::string TextOf(const DimMapping& dim) {
  if (const auto* compound = std::get_if<CompoundFactor>(&dim)) {
    return QuotedNames(compound->factors);
  }
  return QuotedName(std::get<std::string>(dim));
}

std::string TextOf(const std::vector<ArrayMapping>& mappings) {
  std::vector<std::string> values;
  for (const ArrayMapping& mapping : mappings) {
    std::vector<std::string> dims;
    for (const DimMapping& dim : mapping) dims.push_back(TextOf(dim));
    values.push_back(TupleOfTexts(dims));
  }
  return TupleOfTexts(values);
}

}  // namespace

std::string internal::BatchGroupOf(const ArrayMapping& mapping) {
  if (mapping.empty()) return "";
  const auto* first = std::get_if<std::string>(&mapping.front());
  if (first == nullptr || !IsBatching(*first)) return "";
  absl::string_view digits = *first;
  absl::ConsumePrefix(&digits, kBatching);
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits.empty() ? "0" : std::string(digits);
}

absl::StatusOr<SdyShardingRule> SdyShardingRule::Create(
    std::vector<ArrayMapping> operand_mappings,
    std::vector<ArrayMapping> result_mappings, FactorOptions options) {
  FactorUses uses;
  RETURN_IF_ERROR(AddUses(operand_mappings, "operand", uses));
  RETURN_IF_ERROR(AddUses(result_mappings, "result", uses));
  RETURN_IF_ERROR(CheckSizes(options, uses));
  RETURN_IF_ERROR(CheckLists(options, uses));
  return SdyShardingRule(std::move(operand_mappings),
                         std::move(result_mappings), std::move(options));
}

std::string SdyShardingRule::ToString() const {
  std::string text =
      absl::StrCat("SdyShardingRule(", TextOf(operand_mappings_), ", ",
                   TextOf(result_mappings_), ", {",
                   absl::StrJoin(options_.factor_sizes, ", ",
                                 [](std::string* out, const auto& size) {
                                   absl::StrAppend(out, QuotedName(size.first),
                                                   ": ", size.second);
                                 }),
                   "}");
  for (const FactorList& list : ListsOf(options_)) {
    if (list.factors.empty()) continue;
    absl::StrAppend(&text, " ", list.name, "=", QuotedNames(list.factors));
  }
  return text + ")";
}

}  // namespace lockstep
