#include "runtime/ir/op_sharding_rule.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {
namespace {

using Factor = OpShardingRule::Factor;
using DimFactors = OpShardingRule::DimFactors;
using TensorFactors = OpShardingRule::TensorFactors;

template <typename... T>
absl::Status RuleError(const T&... parts) {
  return absl::InvalidArgumentError(absl::StrCat("sharding rule: ", parts...));
}

// Marks the factors of the tensor in `is_used`.
absl::Status CheckTensor(const std::vector<Factor>& factors,
                         absl::string_view what, const TensorFactors& dims,
                         std::vector<bool>& is_used) {
  absl::flat_hash_set<int> seen;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    const std::string place = absl::StrCat(what, " dim ", dim);
    if (dims[dim].empty()) {
      return RuleError(place, ": expected a factor, found none");
    }
    for (int factor : dims[dim]) {
      const std::string symbol = FactorSymbol(factor);
      if (factor < 0 || factor >= static_cast<int>(factors.size())) {
        return RuleError(place, ": factor ", symbol, " has no size");
      }
      if (!seen.insert(factor).second) {
        return RuleError(place, ": factor ", symbol,
                         " is in this tensor already");
      }
      if (dims[dim].size() > 1 && factors[factor].size == 1) {
        return RuleError(place, ": factor ", symbol,
                         " of size 1 is not alone in its dim");
      }
      is_used[factor] = true;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNoReduction(const std::vector<Factor>& factors,
                              absl::string_view what,
                              const TensorFactors& dims) {
  for (const auto& dim : dims) {
    for (int factor : dim) {
      if (factors[factor].kind != FactorKind::kReduction) continue;
      return RuleError(what, ": expected no reduction factor, found ",
                       FactorSymbol(factor));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckParts(const OpShardingRule::Parts& parts) {
  if (parts.operands.empty() || parts.results.empty()) {
    return RuleError("expected operands and results, found ",
                     parts.operands.size(), " and ", parts.results.size());
  }
  const std::vector<Factor>& factors = parts.factors;
  std::vector<bool> is_used(factors.size());
  for (size_t i = 0; i < parts.operands.size(); ++i) {
    RETURN_IF_ERROR(CheckTensor(factors, absl::StrCat("operand ", i),
                                parts.operands[i], is_used));
  }
  for (size_t i = 0; i < parts.results.size(); ++i) {
    const std::string what = absl::StrCat("result ", i);
    RETURN_IF_ERROR(CheckTensor(factors, what, parts.results[i], is_used));
    RETURN_IF_ERROR(CheckNoReduction(factors, what, parts.results[i]));
  }
  for (size_t i = 0; i < factors.size(); ++i) {
    const std::string symbol = FactorSymbol(static_cast<int>(i));
    if (factors[i].size < 0) {
      return RuleError("factor ", symbol, ": expected a size of 0 or more, ",
                       "found ", factors[i].size);
    }
    if (!is_used[i]) return RuleError("factor ", symbol, " is in no dim");
  }
  return absl::OkStatus();
}

// Of a rule that a user gives: a factor alone in a dim is no larger than it,
// and several make it up.
absl::Status CheckSizes(const Op& op, absl::string_view place,
                        const std::vector<Factor>& factors,
                        const DimFactors& dim, int64_t size) {
  int64_t product = 1;
  bool overflows = false;
  std::vector<std::string> symbols;
  for (const int factor : dim) {
    overflows |=
        __builtin_mul_overflow(product, factors[factor].size, &product);
    symbols.push_back(FactorSymbol(factor));
  }
  if (!overflows && (dim.size() == 1 ? product <= size : product == size)) {
    return absl::OkStatus();
  }
  return op.Error(
      absl::StrCat("sharding rule: ", place, ": expected ",
                   dim.size() == 1 ? "at least " : "",
                   overflows ? "a size beyond 64 bits" : absl::StrCat(product),
                   dim.size() == 1 ? ", the size of the factor "
                                   : ", the product of the factors ",
                   absl::StrJoin(symbols, ", "), ", found ", size));
}

absl::Status CheckRanks(const Op& op, absl::string_view what,
                        const std::vector<TensorFactors>& maps,
                        const std::vector<const Value*>& values) {
  if (maps.size() != values.size()) {
    return op.Error(absl::StrCat("sharding rule: expected ", values.size(), " ",
                                 what, " maps, found ", maps.size()));
  }
  for (size_t i = 0; i < maps.size(); ++i) {
    const Type& type = values[i]->type();
    const int64_t rank = type.is_tensor() ? type.shape().rank() : 0;
    if (static_cast<int64_t>(maps[i].size()) == rank) continue;
    return op.Error(absl::StrCat("sharding rule: ", what, " ", i,
                                 ": expected rank ", rank, ", found ",
                                 maps[i].size()));
  }
  return absl::OkStatus();
}

absl::Status CheckSizes(const Op& op, absl::string_view what,
                        const std::vector<Factor>& factors,
                        const std::vector<TensorFactors>& maps,
                        const std::vector<const Value*>& values) {
  for (size_t i = 0; i < maps.size(); ++i) {
    for (size_t dim = 0; dim < maps[i].size(); ++dim) {
      RETURN_IF_ERROR(CheckSizes(
          op, absl::StrCat(what, " ", i, " dim ", dim), factors, maps[i][dim],
          values[i]->shape().dim(static_cast<int64_t>(dim))));
    }
  }
  return absl::OkStatus();
}

}  // namespace

OpShardingRule::OpShardingRule(Parts parts) : parts_(std::move(parts)) {}

absl::StatusOr<OpShardingRule> OpShardingRule::Create(Parts parts) {
  RETURN_IF_ERROR(CheckParts(parts));
  return OpShardingRule(std::move(parts));
}

absl::Status OpShardingRule::CheckFits(const Op& op) const {
  const std::vector<const Value*> operands(op.operands().begin(),
                                           op.operands().end());
  std::vector<const Value*> results;
  for (const auto& result : op.results()) results.push_back(result.get());
  RETURN_IF_ERROR(CheckRanks(op, "operand", this->operands(), operands));
  RETURN_IF_ERROR(CheckRanks(op, "result", this->results(), results));
  if (!is_custom()) return absl::OkStatus();
  RETURN_IF_ERROR(
      CheckSizes(op, "operand", factors(), this->operands(), operands));
  return CheckSizes(op, "result", factors(), this->results(), results);
}

std::vector<int> OpShardingRule::FactorsOfKind(FactorKind kind) const {
  std::vector<int> found;
  for (size_t i = 0; i < factors().size(); ++i) {
    if (factors()[i].kind == kind) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<int> OpShardingRule::BlockedFactors() const {
  std::vector<int> found;
  for (size_t i = 0; i < factors().size(); ++i) {
    if (factors()[i].is_blocked) found.push_back(static_cast<int>(i));
  }
  return found;
}

}  // namespace lockstep::internal
