#include "runtime/frontend/cursor.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

std::string Describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  constexpr size_t kLongest = 40;
  std::string text =
      absl::CHexEscape(absl::string_view(token.text).substr(0, kLongest));
  if (token.text.size() > kLongest) text += "...";
  return absl::StrCat("'", text, "'");
}

}  // namespace

Cursor::Cursor(ParseState& state, const char* begin)
    : state_(state),
      lexer_(begin, state.source.end()),
      token_(lexer_.Next()),
      previous_end_(begin) {}

Token Cursor::PeekNext() const { return Lexer(lexer_).Next(); }

void Cursor::Advance() {
  previous_end_ = token_.end();
  token_ = lexer_.Next();
}

void Cursor::MoveTo(const char* position) {
  previous_end_ = position;
  lexer_ = Lexer(position, state_.source.end());
  token_ = lexer_.Next();
}

absl::Status Cursor::SkipBrackets() {
  const char* after = SkipBalanced(token_.begin(), state_.source.end());
  if (after == nullptr) {
    return Error(absl::StrCat("expected a matching bracket for '", token_.text,
                              "', found none"));
  }
  MoveTo(after);
  return absl::OkStatus();
}

bool Cursor::TryConsume(absl::string_view spelling) {
  if (!token_.Is(spelling)) return false;
  Advance();
  return true;
}

absl::Status Cursor::Expect(absl::string_view spelling) {
  if (TryConsume(spelling)) return absl::OkStatus();
  return Unexpected(absl::StrCat("'", spelling, "'"));
}

absl::Status Cursor::Take(TokenKind kind, absl::string_view expected,
                          Token* token) {
  if (token_.kind != kind) return Unexpected(expected);
  *token = token_;
  Advance();
  return absl::OkStatus();
}

absl::Status Cursor::Unexpected(absl::string_view expected) const {
  std::string found = Describe(token_);
  if (token_.kind == TokenKind::kError) {
    found = absl::StrCat(token_.error, " ", found);
  }
  const Location here = location();
  const Location before = state_.source.LocationAt(previous_end_);
  if (token_.kind == TokenKind::kError || previous_end_ > token_.begin() ||
      before.line == here.line) {
    return Error(absl::StrCat("expected ", expected, ", found ", found));
  }
  return InvalidAt(before, absl::StrCat("expected ", expected, ", found ",
                                        found, " in line ", here.line));
}

absl::Status Cursor::Error(absl::string_view message) const {
  return InvalidAt(location(), message);
}

absl::Status Cursor::Locate(const absl::Status& status,
                            const char* position) const {
  return ErrorAt(state_.source.LocationAt(position), status.code(),
                 status.message());
}

absl::Status NestingGuard::Check() const {
  if (cursor_.state().depth <= kMaxNesting) return absl::OkStatus();
  return cursor_.Error(absl::StrCat("expected at most ", kMaxNesting,
                                    " levels of nesting, found more"));
}

}  // namespace lockstep::internal
