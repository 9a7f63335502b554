#include "runtime/frontend/lexer.h"

#include <gtest/gtest.h>

#include <vector>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

std::vector<Token> Lex(const std::string& text) {
  Lexer lexer(text.data(), text.data() + text.size());
  std::vector<Token> tokens;
  do {
    tokens.push_back(lexer.Next());
  } while (tokens.back().kind != TokenKind::kEnd &&
           tokens.back().kind != TokenKind::kError);
  return tokens;
}

std::string Spellings(const std::string& text) {
  std::string all;
  for (const Token& token : Lex(text)) {
    if (token.kind == TokenKind::kEnd) break;
    absl::StrAppend(&all, all.empty() ? "" : " ",
                    token.kind == TokenKind::kError ? "ERROR" : "", token.text);
  }
  return all;
}

TEST(Lexer, CutsTextIntoTokens) {
  const struct {
    const char* text;
    const char* tokens;
  } cases[] = {
      {"%0:2 = stablehlo.add %a#1, %b_1", "%0 : 2 = stablehlo.add %a#1 , %b_1"},
      {"[1:4, 0:3:2]", "[ 1 : 4 , 0 : 3 : 2 ]"},
      {"-1 -> 1.5e-3 0xFF 2.", "- 1 -> 1.5e-3 0xFF 2."},
      {"[0]x[1, o]->[b]", "[ 0 ] x [ 1 , o ] -> [ b ]"},
      {"@f::@\"a b\" ^bb0 !x.y #a.b<c>", "@f :: @\"a b\" ^bb0 !x.y #a.b < c >"},
      {"\"a \\\" b\" // comment \"\n x", "\"a \\\" b\" x"},
      {"{-# a #-} {b}", "{-# a #-} { b }"},
      {"1e5 1e 8m7 e8m7", "1e5 1 e 8 m7 e8m7"},
      {"(1)2", "( 1 ) 2"},
      {"", ""},
      {" // only a comment", ""},
      {"%", "ERROR%"},
      {"@", "ERROR@"},
      {"#", "ERROR#"},
      {"a $", "a ERROR$"},
      {"\"open", "ERROR\"open"},
      {"\"line\nbreak\"", "ERROR\"line"},
      {"\"bad \\q\"", "ERROR\\"},
  };
  for (const auto& c : cases) EXPECT_EQ(Spellings(c.text), c.tokens);
}

TEST(Lexer, AnyByteAloneEndsInATokenOrAnError) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::vector<Token> tokens =
        Lex(std::string(1, static_cast<char>(byte)));
    EXPECT_LE(tokens.size(), 2u) << byte;
  }
}

TEST(Lexer, StringsWithEscapesGiveTheirValue) {
  EXPECT_EQ(Unquote("\"a\\n\\t\\\\\\\"\\22\\C3\\a9\""), "a\n\t\\\"\"\xC3\xA9");
}

TEST(SkipBalanced, EndsBehindTheMatchingBracket) {
  const struct {
    std::string text;
    int end;  // -1: nothing matches
  } cases[] = {
      {"<a>b", 3},           {"<a -> b>c", 8},   {"<\">\">x", 5},
      {"<[{()}]>x", 8},      {"<[>]>", -1},      {"<a", -1},
      {"(// )\n)x", 7},      {"<\"\\\">\">", 7}, {"<\"open>", -1},
      {"{a<(b) -> c>}", 13},
  };
  for (const auto& c : cases) {
    const char* begin = c.text.data();
    const char* after = SkipBalanced(begin, begin + c.text.size());
    EXPECT_EQ(after == nullptr ? -1 : static_cast<int>(after - begin), c.end)
        << c.text;
  }
}

}  // namespace
}  // namespace lockstep::internal
