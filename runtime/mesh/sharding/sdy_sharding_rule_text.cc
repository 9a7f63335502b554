#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sdy_sharding_rule.h"

namespace lockstep {
namespace {

constexpr absl::string_view kArrow = "->";
constexpr absl::string_view kEllipsis = "...";

// Reads the values of one side of a rule.
class SideReader {
 public:
  // Of characters [begin, end) of `rule`.
  SideReader(absl::string_view rule, size_t begin, size_t end)
      : rule_(rule), begin_(begin), position_(begin), end_(end) {}

  absl::StatusOr<std::vector<ArrayMapping>> Read() {
    std::vector<ArrayMapping> values;
    do {
      ASSIGN_OR_RETURN(values.emplace_back(), ReadValue());
    } while (Consume(','));
    return values;
  }

 private:
  bool AtEnd() const { return position_ == end_; }
  void SkipBlanks() {
    while (!AtEnd() && absl::ascii_isspace(rule_[position_])) ++position_;
  }
  // '\0' at the end.
  char Peek() {
    SkipBlanks();
    return AtEnd() ? '\0' : rule_[position_];
  }
  bool Consume(char c) {
    if (Peek() != c) return false;
    ++position_;
    return true;
  }

  template <typename... T>
  absl::Status ErrorAt(size_t position, const T&... problem) const {
    return absl::InvalidArgumentError(
        absl::StrCat("sharding rule '", rule_, "': character ", position + 1,
                     ": ", problem...));
  }

  // Up to a comma or the end of the side.
  absl::StatusOr<ArrayMapping> ReadValue() {
    ArrayMapping dims;
    while (Peek() != '\0' && Peek() != ',') {
      if (Peek() == '(') {
        ASSIGN_OR_RETURN(dims.emplace_back(), ReadCompound());
      } else if (Peek() == '.') {
        ASSIGN_OR_RETURN(std::string batching, ReadEllipsis(dims.empty()));
        dims.emplace_back(std::move(batching));
      } else {
        ASSIGN_OR_RETURN(std::string factor, ReadFactor());
        dims.emplace_back(std::move(factor));
      }
    }
    return dims;
  }

  // "…1" for "...1".
  absl::StatusOr<std::string> ReadEllipsis(bool is_first) {
    const size_t start = position_;
    if (!absl::StartsWith(rule_.substr(start, end_ - start), kEllipsis)) {
      return ErrorAt(start, "'.' outside of an ellipsis '...'");
    }
    if (!is_first) {
      return ErrorAt(start, "expected an ellipsis in front of the value only");
    }
    position_ += kEllipsis.size();
    const size_t digits = position_;
    while (!AtEnd() && absl::ascii_isdigit(rule_[position_])) ++position_;
    absl::string_view group = rule_.substr(digits, position_ - digits);
    while (group.size() > 1 && group[0] == '0') group.remove_prefix(1);
    return absl::StrCat(kBatching, group.empty() ? "0" : group);
  }

  absl::StatusOr<CompoundFactor> ReadCompound() {
    const size_t start = position_++;
    CompoundFactor compound;
    while (!Consume(')')) {
      switch (Peek()) {
        case '\0':
        case ',':
          return ErrorAt(
              start, "the bracket is not closed in '",
              absl::StripAsciiWhitespace(rule_.substr(begin_, end_ - begin_)),
              "'");
        case '(':
          return ErrorAt(position_,
                         "expected a factor in the bracket of "
                         "character ",
                         start + 1, ", found another bracket");
        case '.':
          // Says what is wrong with it.
          RETURN_IF_ERROR(ReadEllipsis(/*is_first=*/false).status());
          break;
        default:
          ASSIGN_OR_RETURN(compound.factors.emplace_back(), ReadFactor());
      }
    }
    if (compound.factors.size() < 2) {
      return ErrorAt(start,
                     "expected two factors or more in a compound, found '",
                     rule_.substr(start, position_ - start), "'");
    }
    return compound;
  }

  absl::StatusOr<std::string> ReadFactor() {
    const size_t start = position_;
    const char first = rule_[start];
    if (first == ')') return ErrorAt(start, "')' closes no bracket");
    if (absl::ascii_isdigit(first) || first == '_') {
      return ErrorAt(start,
                     "expected a factor, which begins with a letter, "
                     "found '",
                     rule_.substr(start, 1), "'");
    }
    if (!absl::ascii_isalpha(first)) {
      return ErrorAt(start, "unknown character '", CharacterAt(start), "'");
    }
    while (!AtEnd() &&
           (absl::ascii_isalnum(rule_[position_]) || rule_[position_] == '_')) {
      ++position_;
    }
    return std::string(rule_.substr(start, position_ - start));
  }

  // All bytes of it, in UTF-8.
  absl::string_view CharacterAt(size_t position) const {
    size_t length = 1;
    while (position + length < end_ &&
           (static_cast<unsigned char>(rule_[position + length]) & 0xC0) ==
               0x80) {
      ++length;
    }
    return rule_.substr(position, length);
  }

  const absl::string_view rule_;
  const size_t begin_;
  size_t position_;
  const size_t end_;
};

}  // namespace

absl::StatusOr<SdyShardingRule> SdyShardingRule::Parse(absl::string_view rule,
                                                       FactorOptions options) {
  const size_t arrow = rule.find(kArrow);
  size_t arrows = 0;
  for (size_t at = arrow; at != rule.npos;
       at = rule.find(kArrow, at + kArrow.size())) {
    ++arrows;
  }
  if (arrows != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sharding rule '", rule, "': expected one '->', ", "found ", arrows));
  }
  ASSIGN_OR_RETURN(std::vector<ArrayMapping> operands,
                   SideReader(rule, 0, arrow).Read());
  ASSIGN_OR_RETURN(std::vector<ArrayMapping> results,
                   SideReader(rule, arrow + kArrow.size(), rule.size()).Read());
  absl::StatusOr<SdyShardingRule> created =
      Create(std::move(operands), std::move(results), std::move(options));
  if (created.ok()) return created;
  absl::string_view problem = created.status().message();
  absl::ConsumePrefix(&problem, "sharding rule: ");
  return absl::InvalidArgumentError(
      absl::StrCat("sharding rule '", rule, "': ", problem));
}

}  // namespace lockstep
