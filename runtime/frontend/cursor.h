#ifndef LOCKSTEP_RUNTIME_FRONTEND_CURSOR_H_
#define LOCKSTEP_RUNTIME_FRONTEND_CURSOR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/lexer.h"
#include "runtime/frontend/source_text.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

class Definitions;

// What all cursors over one text share.
struct ParseState {
  const SourceText& source;
  Definitions& definitions;
  // Open types, attributes and regions around the cursor.
  int depth = 0;
  // Bytes of aliases that were put in place of their names.
  size_t expanded_bytes = 0;
};

// Deeper nesting of types, attributes, locations and regions is refused, so
// that recursion over them is safe.
inline constexpr int kMaxNesting = 256;

// A place between two tokens of a text. The parse functions of this package
// take one, read what they are named after, and leave it behind that.
class Cursor {
 public:
  Cursor(ParseState& state, const char* begin);

  const Token& token() const { return token_; }
  // The token after token().
  Token PeekNext() const;
  // What was consumed last ends here.
  const char* previous_end() const { return previous_end_; }
  ParseState& state() const { return state_; }
  const SourceText& source() const { return state_.source; }

  bool Is(TokenKind kind) const { return token_.kind == kind; }
  bool Is(absl::string_view spelling) const { return token_.Is(spelling); }
  void Advance();
  // Goes on at `position`, forwards or backwards.
  void MoveTo(const char* position);
  // Behind the bracket that closes token(), which opens one.
  absl::Status SkipBrackets();

  bool TryConsume(absl::string_view spelling);
  absl::Status Expect(absl::string_view spelling);
  // Consumes a token of this kind; `expected` is for the message.
  absl::Status Take(TokenKind kind, absl::string_view expected, Token* token);

  Location LocationOf(const Token& token) const {
    return state_.source.LocationAt(token.begin());
  }
  Location location() const { return LocationOf(token_); }
  // "f:1:2: expected a type, found ')'"; when that begins another line, at the
  // end of the one that goes on too early.
  absl::Status Unexpected(absl::string_view expected) const;
  absl::Status Error(absl::string_view message) const;
  // The same code, with the place before the message.
  absl::Status Locate(const absl::Status& status, const char* position) const;

 private:
  ParseState& state_;
  Lexer lexer_;
  Token token_;
  const char* previous_end_;
};

// Counts the nesting while it lives.
class NestingGuard {
 public:
  explicit NestingGuard(const Cursor& cursor) : cursor_(cursor) {
    ++cursor_.state().depth;
  }
  ~NestingGuard() { --cursor_.state().depth; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

  // INVALID_ARGUMENT when too deep.
  absl::Status Check() const;

 private:
  const Cursor& cursor_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_CURSOR_H_
