#ifndef LOCKSTEP_RUNTIME_FRONTEND_LEXER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_LEXER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

enum class TokenKind : uint8_t {
  kEnd,
  kError,        // `error` says what is wrong
  kWord,         // stablehlo.add, dims, i32
  kInteger,      // 12, 0x1F
  kFloat,        // 1.0, 2.5e-3
  kString,       // with its quotes
  kValueName,    // %0, %arg0, %0#1
  kSymbol,       // @f, @"f"
  kBlockName,    // ^bb0
  kHashName,     // #loc7, #stablehlo, #stablehlo.gather
  kBangName,     // !stablehlo.token
  kPunctuation,  // ( ) [ ] { } < > , : :: = -> - + * ? / | {-# #-}
};

// A piece of the source text. Cheap to copy; lives as long as the text.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  absl::string_view text;
  const char* error = nullptr;

  const char* begin() const { return text.data(); }
  const char* end() const { return text.data() + text.size(); }
  // Punctuation, a word or an integer that reads so.
  bool Is(absl::string_view spelling) const {
    return text == spelling &&
           (kind == TokenKind::kPunctuation || kind == TokenKind::kWord ||
            kind == TokenKind::kInteger);
  }
};

// Cuts text into tokens; skips blanks and "//" comments. Any bytes are fine:
// what is no token comes out as kError.
class Lexer {
 public:
  // Reads [begin, end).
  Lexer(const char* begin, const char* end) : next_(begin), end_(end) {}

  Token Next();
  const char* position() const { return next_; }

 private:
  void SkipBlanks();
  Token Finish(TokenKind kind, const char* begin, const char* end);
  Token Fail(const char* begin, const char* end, const char* error);
  Token LexNumber(const char* begin);
  Token LexString(const char* begin);
  Token LexName(TokenKind kind, const char* begin);
  Token LexSymbol(const char* begin);
  Token LexPunctuation(const char* begin);

  const char* next_;
  const char* end_;
};

// The value of a string token: without quotes, escapes replaced.
std::string Unquote(absl::string_view quoted);

// What follows the bracket that closes the one at `open` ('(', '[', '{' or
// '<'); null when nothing closes it before `end`. Strings, comments and "->"
// are stepped over.
const char* SkipBalanced(const char* open, const char* end);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_LEXER_H_
