#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {
namespace {

using Parts = OpShardingRule::Parts;
using DimFactors = OpShardingRule::DimFactors;
using TensorFactors = OpShardingRule::TensorFactors;

constexpr absl::string_view kName = "#sdy.op_sharding_rule";
constexpr absl::string_view kBlocked = "blocked_propagation";
constexpr FactorKind kNamedKinds[] = {FactorKind::kReduction,
                                      FactorKind::kNeedReplication,
                                      FactorKind::kPermutation};
constexpr int kLetters = 'z' - 'i' + 1;
// What a text can name; far above what an op has.
constexpr int kMaxFactors = 1 << 20;

class RuleReader {
 public:
  explicit RuleReader(absl::string_view text) : text_(text) {}

  absl::StatusOr<Parts> Read() {
    RETURN_IF_ERROR(Expect(kName));
    RETURN_IF_ERROR(Expect("<"));
    Parts parts;
    ASSIGN_OR_RETURN(parts.operands, ReadMaps());
    RETURN_IF_ERROR(Expect("->"));
    ASSIGN_OR_RETURN(parts.results, ReadMaps());
    RETURN_IF_ERROR(ReadSizes(parts));
    RETURN_IF_ERROR(ReadKinds(parts));
    if (TryConsume(",")) {
      RETURN_IF_ERROR(Expect("custom"));
      parts.is_custom = true;
    }
    RETURN_IF_ERROR(Expect(">"));
    if (!Rest().empty()) return Expected("the end");
    return parts;
  }

 private:
  absl::string_view Rest() {
    while (position_ < text_.size() &&
           absl::ascii_isspace(static_cast<unsigned char>(text_[position_]))) {
      ++position_;
    }
    return text_.substr(position_);
  }
  bool TryConsume(absl::string_view token) {
    if (!absl::StartsWith(Rest(), token)) return false;
    position_ += token.size();
    return true;
  }
  absl::Status Expect(absl::string_view token) {
    return TryConsume(token) ? absl::OkStatus()
                             : Expected(absl::StrCat("'", token, "'"));
  }
  absl::Status Expected(absl::string_view what) {
    const absl::string_view rest = Rest();
    return absl::InvalidArgumentError(absl::StrCat(
        "sharding rule: expected ", what, " at character ", position_ + 1,
        ", found ", rest.empty() ? "the end" : rest.substr(0, 20)));
  }

  absl::StatusOr<int64_t> ReadInteger() {
    const absl::string_view rest = Rest();
    size_t length = 0;
    while (length < rest.size() &&
           absl::ascii_isdigit(static_cast<unsigned char>(rest[length]))) {
      ++length;
    }
    int64_t value;
    if (!absl::SimpleAtoi(rest.substr(0, length), &value)) {
      return Expected("an integer");
    }
    position_ += length;
    return value;
  }

  absl::StatusOr<int> ReadSymbol() {
    const absl::string_view rest = Rest();
    if (rest.empty() || rest[0] < 'i' || rest[0] > 'z') {
      return Expected("a factor, i to z");
    }
    ++position_;
    if (!absl::StartsWith(rest, "z_")) return rest[0] - 'i';
    ++position_;
    ASSIGN_OR_RETURN(const int64_t number, ReadInteger());
    if (number < 1 || number > kMaxFactors) {
      return Expected(absl::StrCat("a number from 1 to ", kMaxFactors,
                                   " for the factor before"));
    }
    return kLetters - 1 + static_cast<int>(number);
  }

  // "([i, jk], [])"
  absl::StatusOr<std::vector<TensorFactors>> ReadMaps() {
    RETURN_IF_ERROR(Expect("("));
    std::vector<TensorFactors> maps;
    if (TryConsume(")")) return maps;
    do {
      RETURN_IF_ERROR(Expect("["));
      TensorFactors dims;
      if (!TryConsume("]")) {
        do {
          ASSIGN_OR_RETURN(DimFactors dim, ReadDim());
          dims.push_back(std::move(dim));
        } while (TryConsume(","));
        RETURN_IF_ERROR(Expect("]"));
      }
      maps.push_back(std::move(dims));
    } while (TryConsume(","));
    RETURN_IF_ERROR(Expect(")"));
    return maps;
  }

  // Its symbols have nothing between them.
  absl::StatusOr<DimFactors> ReadDim() {
    DimFactors factors;
    do {
      ASSIGN_OR_RETURN(const int factor, ReadSymbol());
      factors.push_back(factor);
    } while (position_ < text_.size() &&
             absl::ascii_isalpha(static_cast<unsigned char>(text_[position_])));
    return factors;
  }

  // " {i=2, j=3}", of all factors in order, or nothing.
  absl::Status ReadSizes(Parts& parts) {
    if (!TryConsume("{")) return absl::OkStatus();
    if (TryConsume("}")) return absl::OkStatus();
    do {
      const int next = static_cast<int>(parts.factors.size());
      RETURN_IF_ERROR(Expect(FactorSymbol(next)));
      RETURN_IF_ERROR(Expect("="));
      ASSIGN_OR_RETURN(const int64_t size, ReadInteger());
      parts.factors.push_back({.size = size});
    } while (TryConsume(","));
    return Expect("}");
  }

  absl::Status ReadKinds(Parts& parts) {
    for (FactorKind kind : kNamedKinds) {
      if (!TryConsume(FactorKindName(kind))) continue;
      ASSIGN_OR_RETURN(const std::vector<int> factors, ReadList(parts));
      for (int factor : factors) {
        if (parts.factors[factor].kind != FactorKind::kPassThrough) {
          return absl::InvalidArgumentError(absl::StrCat(
              "sharding rule: factor ", FactorSymbol(factor), " is in both ",
              FactorKindName(parts.factors[factor].kind), " and ",
              FactorKindName(kind)));
        }
        parts.factors[factor].kind = kind;
      }
    }
    if (!TryConsume(kBlocked)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<int> factors, ReadList(parts));
    for (int factor : factors) parts.factors[factor].is_blocked = true;
    return absl::OkStatus();
  }

  // "={i, k}": sorted, each once, each with a size.
  absl::StatusOr<std::vector<int>> ReadList(const Parts& parts) {
    RETURN_IF_ERROR(Expect("="));
    RETURN_IF_ERROR(Expect("{"));
    std::vector<int> factors;
    if (TryConsume("}")) return factors;
    do {
      ASSIGN_OR_RETURN(const int factor, ReadSymbol());
      if (factor >= static_cast<int>(parts.factors.size())) {
        return absl::InvalidArgumentError(
            absl::StrCat("sharding rule: factor ", FactorSymbol(factor),
                         " of a list has no size"));
      }
      if (!factors.empty() && factor <= factors.back()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "sharding rule: expected lists of factors in order, found ",
            FactorSymbol(factor), " after ", FactorSymbol(factors.back())));
      }
      factors.push_back(factor);
    } while (TryConsume(","));
    RETURN_IF_ERROR(Expect("}"));
    return factors;
  }

  const absl::string_view text_;
  size_t position_ = 0;
};

struct SymbolFormatter {
  void operator()(std::string* out, int factor) const {
    absl::StrAppend(out, FactorSymbol(factor));
  }
};

std::string MapsText(const std::vector<TensorFactors>& maps) {
  return absl::StrCat(
      "(",
      absl::StrJoin(maps, ", ",
                    [](std::string* out, const TensorFactors& dims) {
                      absl::StrAppend(
                          out, "[",
                          absl::StrJoin(
                              dims, ", ",
                              [](std::string* dim, const DimFactors& factors) {
                                dim->append(absl::StrJoin(factors, "",
                                                          SymbolFormatter()));
                              }),
                          "]");
                    }),
      ")");
}

void AppendList(absl::string_view name, const std::vector<int>& factors,
                std::string& text) {
  if (factors.empty()) return;
  absl::StrAppend(&text, " ", name, "={",
                  absl::StrJoin(factors, ", ", SymbolFormatter()), "}");
}

}  // namespace

std::string FactorSymbol(int factor) {
  if (factor < kLetters) return std::string(1, static_cast<char>('i' + factor));
  return absl::StrCat("z_", factor - kLetters + 1);
}

absl::string_view FactorKindName(FactorKind kind) {
  switch (kind) {
    case FactorKind::kPassThrough:
      return "pass_through";
    case FactorKind::kReduction:
      return "reduction";
    case FactorKind::kNeedReplication:
      return "need_replication";
    case FactorKind::kPermutation:
      return "permutation";
  }
  return "";
}

absl::StatusOr<OpShardingRule> OpShardingRule::Parse(absl::string_view text) {
  ASSIGN_OR_RETURN(Parts parts, RuleReader(text).Read());
  return Create(std::move(parts));
}

std::string OpShardingRule::ToString() const {
  std::string text =
      absl::StrCat(kName, "<", MapsText(operands()), "->", MapsText(results()));
  for (size_t i = 0; i < factors().size(); ++i) {
    absl::StrAppend(&text, i == 0 ? " {" : ", ",
                    FactorSymbol(static_cast<int>(i)), "=", factors()[i].size);
  }
  if (!factors().empty()) text += "}";
  for (FactorKind kind : kNamedKinds) {
    AppendList(FactorKindName(kind), FactorsOfKind(kind), text);
  }
  AppendList(kBlocked, BlockedFactors(), text);
  absl::StrAppend(&text, is_custom() ? ", custom" : "", ">");
  return text;
}

}  // namespace lockstep::internal
