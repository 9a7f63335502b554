#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/text_scanner.h"

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
  explicit RuleReader(absl::string_view text) : scanner_(text) {}

  absl::StatusOr<Parts> Read() {
    RETURN_IF_ERROR(scanner_.Expect(kName));
    RETURN_IF_ERROR(scanner_.Expect("<"));
    Parts parts;
    ASSIGN_OR_RETURN(parts.operands, ReadMaps());
    RETURN_IF_ERROR(scanner_.Expect("->"));
    ASSIGN_OR_RETURN(parts.results, ReadMaps());
    RETURN_IF_ERROR(ReadSizes(parts));
    RETURN_IF_ERROR(ReadKinds(parts));
    if (scanner_.Consume(",")) {
      RETURN_IF_ERROR(scanner_.Expect("custom"));
      parts.is_custom = true;
    }
    RETURN_IF_ERROR(scanner_.Expect(">"));
    RETURN_IF_ERROR(scanner_.ExpectEnd());
    return parts;
  }

 private:
  void SkipBlanks() { scanner_.Consume(""); }

  // Leaves the blanks behind it.
  absl::StatusOr<int> ReadSymbol() {
    const char letter = scanner_.Peek();
    if (letter < 'i' || letter > 'z') {
      return scanner_.Expected("a factor, i to z");
    }
    if (!scanner_.ConsumeAdjacent("z_")) {
      scanner_.ConsumeAdjacent(absl::string_view(&letter, 1));
      return letter - 'i';
    }
    std::string digits;
    while (absl::ascii_isdigit(static_cast<unsigned char>(scanner_.Peek()))) {
      digits += scanner_.Peek();
      scanner_.ConsumeAdjacent(digits.substr(digits.size() - 1));
    }
    int number = 0;
    if (!absl::SimpleAtoi(digits, &number) || number < 1 ||
        number > kMaxFactors) {
      return scanner_.Expected(absl::StrCat("a number from 1 to ", kMaxFactors,
                                            " for the factor before"));
    }
    return kLetters - 1 + number;
  }

  // "([i, jk], [])"
  absl::StatusOr<std::vector<TensorFactors>> ReadMaps() {
    std::vector<TensorFactors> maps;
    RETURN_IF_ERROR(scanner_.List("(", ")", [&] {
      TensorFactors& dims = maps.emplace_back();
      return scanner_.List("[", "]", [&]() -> absl::Status {
        ASSIGN_OR_RETURN(dims.emplace_back(), ReadDim());
        return absl::OkStatus();
      });
    }));
    return maps;
  }

  // Its symbols have nothing between them.
  absl::StatusOr<DimFactors> ReadDim() {
    DimFactors factors;
    do {
      ASSIGN_OR_RETURN(factors.emplace_back(), ReadSymbol());
    } while (absl::ascii_isalpha(static_cast<unsigned char>(scanner_.Peek())));
    SkipBlanks();
    return factors;
  }

  // " {i=2, j=3}", of all factors in order, or nothing.
  absl::Status ReadSizes(Parts& parts) {
    if (scanner_.Peek() != '{') return absl::OkStatus();
    return scanner_.List("{", "}", [&]() -> absl::Status {
      const int next = static_cast<int>(parts.factors.size());
      RETURN_IF_ERROR(scanner_.Expect(FactorSymbol(next)));
      RETURN_IF_ERROR(scanner_.Expect("="));
      ASSIGN_OR_RETURN(const int64_t size, scanner_.Integer());
      parts.factors.push_back({.size = size});
      return absl::OkStatus();
    });
  }

  absl::Status ReadKinds(Parts& parts) {
    for (FactorKind kind : kNamedKinds) {
      if (!scanner_.Consume(FactorKindName(kind))) continue;
      ASSIGN_OR_RETURN(const std::vector<int> factors, ReadList(parts));
      for (int factor : factors) {
        if (parts.factors[factor].kind != FactorKind::kPassThrough) {
          return absl::InvalidArgumentError(
              absl::StrCat("factor ", FactorSymbol(factor), " is in both ",
                           FactorKindName(parts.factors[factor].kind), " and ",
                           FactorKindName(kind)));
        }
        parts.factors[factor].kind = kind;
      }
    }
    if (!scanner_.Consume(kBlocked)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<int> factors, ReadList(parts));
    for (int factor : factors) parts.factors[factor].is_blocked = true;
    return absl::OkStatus();
  }

  // "={i, k}": sorted, each once, each with a size.
  absl::StatusOr<std::vector<int>> ReadList(const Parts& parts) {
    RETURN_IF_ERROR(scanner_.Expect("="));
    std::vector<int> factors;
    RETURN_IF_ERROR(scanner_.List("{", "}", [&]() -> absl::Status {
      ASSIGN_OR_RETURN(const int factor, ReadSymbol());
      SkipBlanks();
      if (factor >= static_cast<int>(parts.factors.size())) {
        return absl::InvalidArgumentError(absl::StrCat(
            "factor ", FactorSymbol(factor), " of a list has no size"));
      }
      if (!factors.empty() && factor <= factors.back()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "expected lists of factors in order, found ", FactorSymbol(factor),
            " after ", FactorSymbol(factors.back())));
      }
      factors.push_back(factor);
      return absl::OkStatus();
    }));
    return factors;
  }

  TextScanner scanner_;
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
  absl::StatusOr<Parts> parts = RuleReader(text).Read();
  if (!parts.ok()) return Annotate(parts.status(), "sharding rule");
  return Create(*std::move(parts));
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
