#include "runtime/mesh/sharding/text_scanner.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {
namespace {

int HexDigit(char c) {
  return absl::ascii_isdigit(c) ? c - '0' : absl::ascii_toupper(c) - 'A' + 10;
}

}  // namespace

void TextScanner::SkipBlanks() {
  while (!AtEnd()) {
    if (absl::ascii_isspace(Peek())) {
      ++position_;
    } else if (absl::StartsWith(text_.substr(position_), "/*")) {
      const size_t end = text_.find("*/", position_ + 2);
      if (end == absl::string_view::npos) return;
      position_ = end + 2;
    } else {
      return;
    }
  }
}

bool TextScanner::ConsumeAdjacent(absl::string_view token) {
  if (!absl::StartsWith(text_.substr(position_), token)) return false;
  position_ += token.size();
  return true;
}

bool TextScanner::Consume(absl::string_view token) {
  if (!ConsumeAdjacent(token)) return false;
  SkipBlanks();
  return true;
}

absl::Status TextScanner::Error(absl::string_view problem) const {
  return absl::InvalidArgumentError(
      absl::StrCat("column ", position_ + 1, ": ", problem));
}

absl::Status TextScanner::Expected(absl::string_view expected) const {
  constexpr size_t kShown = 20;
  const absl::string_view rest = text_.substr(position_);
  return Error(absl::StrCat(
      "expected ", expected, ", found ",
      rest.empty() ? "the end of the text"
                   : absl::StrCat("'", rest.substr(0, kShown),
                                  rest.size() > kShown ? "...'" : "'")));
}

absl::Status TextScanner::Expect(absl::string_view token) {
  if (Consume(token)) return absl::OkStatus();
  return Expected(absl::StrCat("'", token, "'"));
}

absl::Status TextScanner::ExpectEnd() {
  return AtEnd() ? absl::OkStatus() : Expected("the end of the text");
}

absl::StatusOr<int64_t> TextScanner::Integer() {
  size_t end = position_;
  if (end < text_.size() && text_[end] == '-') ++end;
  while (end < text_.size() && absl::ascii_isdigit(text_[end])) ++end;
  const absl::string_view digits = text_.substr(position_, end - position_);
  if (digits.empty() || digits == "-") return Expected("a number");
  if (digits.size() > 1 && digits[0] == '0') {
    return Expected("a number without leading zeros");
  }
  int64_t number = 0;
  if (!absl::SimpleAtoi(digits, &number)) {
    return Expected("a number of 64 bits");
  }
  position_ = end;
  SkipBlanks();
  return number;
}

absl::StatusOr<std::string> TextScanner::QuotedName() {
  if (Peek() != '"') return Expected("a name in quotes");
  std::string name;
  for (size_t i = position_ + 1; i < text_.size(); ++i) {
    if (text_[i] == '"') {
      position_ = i + 1;
      SkipBlanks();
      return name;
    }
    if (text_[i] != '\\') {
      name += text_[i];
      continue;
    }
    const absl::string_view escape = text_.substr(i + 1, 2);
    if (absl::StartsWith(escape, "\\") || absl::StartsWith(escape, "\"")) {
      name += escape[0];
      i += 1;
    } else if (absl::StartsWith(escape, "n") || absl::StartsWith(escape, "t")) {
      name += escape[0] == 'n' ? '\n' : '\t';
      i += 1;
    } else if (escape.size() == 2 && absl::ascii_isxdigit(escape[0]) &&
               absl::ascii_isxdigit(escape[1])) {
      name += static_cast<char>(HexDigit(escape[0]) * 16 + HexDigit(escape[1]));
      i += 2;
    } else {
      position_ = i;
      return Expected("two hexadecimal digits behind the backslash");
    }
  }
  return Error("the quotes are not closed");
}

absl::StatusOr<std::string> TextScanner::Symbol() {
  if (!ConsumeAdjacent("@")) return Expected("a symbol with its '@'");
  if (Peek() == '"') return QuotedName();
  const absl::string_view rest = text_.substr(position_);
  const auto end =
      std::find_if_not(rest.begin(), rest.end(), IsSymbolCharacter);
  std::string name(rest.begin(), end);
  if (name.empty()) return Expected("the name of a symbol");
  position_ += name.size();
  SkipBlanks();
  return name;
}

absl::Status TextScanner::List(absl::string_view open, absl::string_view close,
                               absl::FunctionRef<absl::Status()> element) {
  RETURN_IF_ERROR(Expect(open));
  if (Consume(close)) return absl::OkStatus();
  do {
    RETURN_IF_ERROR(element());
  } while (Consume(","));
  return Consume(close) ? absl::OkStatus()
                        : Expected(absl::StrCat("',' or '", close, "'"));
}

absl::StatusOr<std::vector<int64_t>> TextScanner::Integers(
    absl::string_view open, absl::string_view close) {
  std::vector<int64_t> numbers;
  RETURN_IF_ERROR(List(open, close, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const int64_t number, Integer());
    numbers.push_back(number);
    return absl::OkStatus();
  }));
  return numbers;
}

absl::Status TextScanner::SkipString() {
  for (size_t i = position_ + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      position_ = i + 1;
      return absl::OkStatus();
    }
  }
  return Error("the quotes are not closed");
}

absl::Status TextScanner::SkipBraces() {
  if (Peek() != '{') return Expected("'{'");
  int64_t depth = 0;
  while (!AtEnd()) {
    const char c = Peek();
    if (c == '"') {
      RETURN_IF_ERROR(SkipString());
      continue;
    }
    ++position_;
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth == 0) {
      SkipBlanks();
      return absl::OkStatus();
    }
  }
  return Expected("'}'");
}

}  // namespace lockstep::internal
