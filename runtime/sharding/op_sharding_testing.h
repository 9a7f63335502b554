#ifndef LOCKSTEP_RUNTIME_SHARDING_OP_SHARDING_TESTING_H_
#define LOCKSTEP_RUNTIME_SHARDING_OP_SHARDING_TESTING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// Of "([ij])->([i, j]) {i=2, j=4}".
inline OpShardingRule RuleOfText(absl::string_view text) {
  return *OpShardingRule::Parse(
      absl::StrCat("#sdy.op_sharding_rule<", text, ">"));
}

// Of "[{\"x\", ?}, {}], replicated={\"y\"}", on @mesh; of "none" none.
inline std::optional<TensorSharding> ShardingOfText(absl::string_view text) {
  if (text == "none") return std::nullopt;
  return *ParseSdySharding(absl::StrCat("<@mesh, ", text, ">"));
}

inline std::vector<std::optional<TensorSharding>> ShardingsOfTexts(
    const std::vector<std::string>& texts) {
  std::vector<std::optional<TensorSharding>> shardings;
  shardings.reserve(texts.size());
  for (const std::string& text : texts) {
    shardings.push_back(ShardingOfText(text));
  }
  return shardings;
}

// What ShardingOfText takes.
inline std::string TextOfSharding(
    const std::optional<TensorSharding>& sharding) {
  if (!sharding.has_value()) return "none";
  const std::string text = ToSdyString(*sharding);
  constexpr absl::string_view kStart = "<@mesh, ";
  return text.substr(kStart.size(), text.size() - kStart.size() - 1);
}

inline std::vector<std::string> TextsOfShardings(
    const std::vector<std::optional<TensorSharding>>& shardings) {
  std::vector<std::string> texts;
  texts.reserve(shardings.size());
  for (const auto& sharding : shardings) {
    texts.push_back(TextOfSharding(sharding));
  }
  return texts;
}

// The products of the sizes of their factors, which rules in tests have small.
inline std::vector<int64_t> ElementsOf(
    const OpShardingRule& rule,
    const std::vector<OpShardingRule::TensorFactors>& tensors) {
  std::vector<int64_t> elements;
  for (const auto& dims : tensors) {
    elements.push_back(1);
    for (const auto& dim : dims) {
      for (const int factor : dim) {
        elements.back() *= rule.factors()[factor].size;
      }
    }
  }
  return elements;
}

// A rule with one to five factors, up to three of them in a dim, and what may
// be sharded by it; with a fixed seed.
class RandomOps {
 public:
  explicit RandomOps(uint32_t seed) : random_(seed) {}

  int64_t Below(int64_t end) { return random_.Below(end); }
  ShardingMesh Mesh() { return random_.Mesh(); }
  OpShardingRule Rule() {
    const std::vector<int64_t> sizes = {2, 2, 3, 4, 4, 6, 8, 12};
    OpShardingRule::Parts parts;
    parts.factors.resize(1 + Below(5));
    for (OpShardingRule::Factor& factor : parts.factors) {
      factor.size = sizes[Below(static_cast<int64_t>(sizes.size()))];
      factor.is_blocked = Below(8) == 0;
    }
    std::vector<bool> is_used(parts.factors.size());
    for (int64_t i = Below(3); i >= 0; --i) {
      parts.operands.push_back(Tensor(is_used));
    }
    for (int64_t i = Below(2); i >= 0; --i) {
      parts.results.push_back(Tensor(is_used));
    }
    for (size_t i = 0; i < is_used.size(); ++i) {
      if (!is_used[i]) parts.operands[0].push_back({static_cast<int>(i)});
    }
    return *OpShardingRule::Create(std::move(parts));
  }
  // Factors of operands alone are reduced in one of two rules, and one in three
  // of the others costs something.
  OpShardingRule RuleOfAnyKinds() {
    const OpShardingRule rule = Rule();
    OpShardingRule::Parts parts = {.factors = rule.factors(),
                                   .operands = rule.operands(),
                                   .results = rule.results()};
    const bool has_reductions = Below(2) == 0;
    for (size_t i = 0; i < parts.factors.size(); ++i) {
      FactorKind& kind = parts.factors[i].kind;
      if (has_reductions && IsUnused(rule.results(), static_cast<int>(i))) {
        kind = FactorKind::kReduction;
      } else if (Below(3) == 0) {
        kind = Below(2) == 0 ? FactorKind::kNeedReplication
                             : FactorKind::kPermutation;
      }
    }
    return *OpShardingRule::Create(std::move(parts));
  }
  // One in two tensors has none.
  OpShardings Shardings(const OpShardingRule& rule, const ShardingMesh& mesh) {
    OpShardings shardings;
    for (const auto& dims : rule.operands()) {
      shardings.operands.push_back(Sharding(dims, mesh));
    }
    for (const auto& dims : rule.results()) {
      shardings.results.push_back(Sharding(dims, mesh));
    }
    return shardings;
  }

 private:
  static bool IsUnused(
      const std::vector<OpShardingRule::TensorFactors>& tensors, int factor) {
    for (const auto& dims : tensors) {
      for (const auto& dim : dims) {
        for (const int other : dim) {
          if (other == factor) return false;
        }
      }
    }
    return true;
  }
  OpShardingRule::TensorFactors Tensor(std::vector<bool>& is_used) {
    std::vector<int> factors;
    for (size_t i = 0; i < is_used.size(); ++i) {
      if (Below(4) > 0) factors.push_back(static_cast<int>(i));
    }
    random_.Shuffle(factors);
    OpShardingRule::TensorFactors dims;
    for (const int factor : factors) {
      is_used[factor] = true;
      if (dims.empty() || dims.back().size() == 3 || Below(2) == 0) {
        dims.emplace_back();
      }
      dims.back().push_back(factor);
    }
    return dims;
  }
  std::optional<TensorSharding> Sharding(
      const OpShardingRule::TensorFactors& dims, const ShardingMesh& mesh) {
    if (Below(2) == 0) return std::nullopt;
    return random_.Sharding(mesh, static_cast<int64_t>(dims.size()));
  }

  RandomShardings random_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_OP_SHARDING_TESTING_H_
