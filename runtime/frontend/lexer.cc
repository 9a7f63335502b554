#include "runtime/frontend/lexer.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"

namespace lockstep::internal {
namespace {

bool IsWordStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsWordPart(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
}
// Of %names, #names and ^names.
bool IsNamePart(char c) { return IsWordPart(c) || c == '-'; }

int HexDigit(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  return absl::ascii_tolower(c) - 'a' + 10;
}

template <typename Predicate>
const char* SkipWhile(const char* at, const char* end, Predicate predicate) {
  while (at != end && predicate(*at)) ++at;
  return at;
}

bool IsDigit(char c) { return absl::ascii_isdigit(c); }
bool IsHexDigit(char c) { return absl::ascii_isxdigit(c); }

const char* SkipComment(const char* at, const char* end) {
  const void* newline = std::memchr(at, '\n', static_cast<size_t>(end - at));
  return newline == nullptr ? end : static_cast<const char*>(newline);
}

bool StartsComment(const char* at, const char* end) {
  return end - at >= 2 && at[0] == '/' && at[1] == '/';
}

}  // namespace

Token Lexer::Finish(TokenKind kind, const char* begin, const char* end) {
  next_ = end;
  return Token{kind, absl::string_view(begin, static_cast<size_t>(end - begin)),
               nullptr};
}

Token Lexer::Fail(const char* begin, const char* end, const char* error) {
  Token token = Finish(TokenKind::kError, begin, end);
  token.error = error;
  return token;
}

void Lexer::SkipBlanks() {
  while (next_ != end_) {
    if (*next_ == ' ' || *next_ == '\n' || *next_ == '\t' || *next_ == '\r') {
      ++next_;
    } else if (StartsComment(next_, end_)) {
      next_ = SkipComment(next_, end_);
    } else {
      return;
    }
  }
}

Token Lexer::Next() {
  SkipBlanks();
  const char* begin = next_;
  if (begin == end_) return Finish(TokenKind::kEnd, begin, begin);
  const char c = *begin;
  if (IsWordStart(c)) {
    return Finish(TokenKind::kWord, begin,
                  SkipWhile(begin + 1, end_, IsWordPart));
  }
  if (IsDigit(c)) return LexNumber(begin);
  switch (c) {
    case '"':
      return LexString(begin);
    case '%':
      return LexName(TokenKind::kValueName, begin);
    case '^':
      return LexName(TokenKind::kBlockName, begin);
    case '!':
      return LexName(TokenKind::kBangName, begin);
    case '#':
      if (end_ - begin >= 3 && begin[1] == '-' && begin[2] == '}') {
        return Finish(TokenKind::kPunctuation, begin, begin + 3);
      }
      return LexName(TokenKind::kHashName, begin);
    case '@':
      return LexSymbol(begin);
    default:
      return LexPunctuation(begin);
  }
}

Token Lexer::LexNumber(const char* begin) {
  if (*begin == '0' && end_ - begin >= 3 && begin[1] == 'x' &&
      IsHexDigit(begin[2])) {
    return Finish(TokenKind::kInteger, begin,
                  SkipWhile(begin + 2, end_, IsHexDigit));
  }
  const char* at = SkipWhile(begin, end_, IsDigit);
  TokenKind kind = TokenKind::kInteger;
  if (at != end_ && *at == '.') {
    kind = TokenKind::kFloat;
    at = SkipWhile(at + 1, end_, IsDigit);
  }
  if (at != end_ && (*at == 'e' || *at == 'E')) {
    const char* digits = at + 1;
    if (digits != end_ && (*digits == '+' || *digits == '-')) ++digits;
    if (digits != end_ && IsDigit(*digits)) {
      kind = TokenKind::kFloat;
      at = SkipWhile(digits, end_, IsDigit);
    }
  }
  return Finish(kind, begin, at);
}

Token Lexer::LexString(const char* begin) {
  const char* at = begin + 1;
  for (; at != end_; ++at) {
    if (*at == '"') return Finish(TokenKind::kString, begin, at + 1);
    if (*at == '\n') break;
    if (*at != '\\') continue;
    ++at;
    if (at == end_) break;
    if (*at == 'n' || *at == 't' || *at == '\\' || *at == '"') continue;
    if (end_ - at >= 2 && IsHexDigit(at[0]) && IsHexDigit(at[1])) {
      ++at;
      continue;
    }
    return Fail(at - 1, at, "unknown escape in a string");
  }
  return Fail(begin, at, "string that does not end on its line");
}

Token Lexer::LexName(TokenKind kind, const char* begin) {
  const char* at = begin + 1;
  if (at != end_ && IsDigit(*at)) {
    at = SkipWhile(at, end_, IsDigit);
  } else if (at != end_ && (IsNamePart(*at) && *at != '-' && *at != '.')) {
    at = SkipWhile(at, end_,
                   kind == TokenKind::kBangName ? IsWordPart : IsNamePart);
  } else {
    return Fail(begin, begin + 1, "sign without a name");
  }
  if (kind == TokenKind::kValueName && end_ - at >= 2 && *at == '#' &&
      IsDigit(at[1])) {
    at = SkipWhile(at + 1, end_, IsDigit);
  }
  return Finish(kind, begin, at);
}

Token Lexer::LexSymbol(const char* begin) {
  const char* at = begin + 1;
  if (at != end_ && *at == '"') {
    Token name = LexString(at);
    if (name.kind == TokenKind::kError) return name;
    return Finish(TokenKind::kSymbol, begin, name.end());
  }
  if (at == end_ || !IsWordStart(*at)) {
    return Fail(begin, at, "sign without a name");
  }
  return Finish(TokenKind::kSymbol, begin, SkipWhile(at, end_, IsWordPart));
}

Token Lexer::LexPunctuation(const char* begin) {
  const absl::string_view rest(begin, static_cast<size_t>(end_ - begin));
  for (absl::string_view longer : {"->", "::", "{-#"}) {
    if (rest.substr(0, longer.size()) == longer) {
      return Finish(TokenKind::kPunctuation, begin, begin + longer.size());
    }
  }
  constexpr absl::string_view kSigns = "()[]{}<>,:=-+*?/|";
  if (*begin != '\0' && kSigns.find(*begin) != absl::string_view::npos) {
    return Finish(TokenKind::kPunctuation, begin, begin + 1);
  }
  return Fail(begin, begin + 1, "unexpected character");
}

std::string Unquote(absl::string_view quoted) {
  std::string value;
  value.reserve(quoted.size());
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      value.push_back(quoted[i]);
      continue;
    }
    const char c = quoted[++i];
    if (c == 'n') {
      value.push_back('\n');
    } else if (c == 't') {
      value.push_back('\t');
    } else if (c == '\\' || c == '"') {
      value.push_back(c);
    } else {
      value.push_back(
          static_cast<char>(HexDigit(c) * 16 + HexDigit(quoted[i + 1])));
      ++i;
    }
  }
  return value;
}

const char* SkipBalanced(const char* open, const char* end) {
  std::string closers;
  for (const char* at = open; at != end; ++at) {
    switch (*at) {
      case '(':
        closers.push_back(')');
        break;
      case '[':
        closers.push_back(']');
        break;
      case '{':
        closers.push_back('}');
        break;
      case '<':
        closers.push_back('>');
        break;
      case '>':
        if (at[-1] == '-') break;  // "->"; an opening bracket came before
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (closers.back() != *at) return nullptr;
        closers.pop_back();
        if (closers.empty()) return at + 1;
        break;
      case '"': {
        const char* close = at + 1;
        while (close != end && *close != '"' && *close != '\n') {
          close += (*close == '\\' && end - close >= 2) ? 2 : 1;
        }
        if (close == end || *close == '\n') return nullptr;
        at = close;
        break;
      }
      case '/':
        if (StartsComment(at, end)) at = SkipComment(at, end) - 1;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace lockstep::internal
