#include "runtime/frontend/type_parser.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/definitions.h"

namespace lockstep::internal {
namespace {

absl::string_view TextBetween(const char* begin, const char* end) {
  return absl::string_view(begin, static_cast<size_t>(end - begin));
}

ParsedType Unsupported(Cursor& cursor, const char* begin,
                       absl::string_view what) {
  ParsedType parsed;
  parsed.text = std::string(TextBetween(begin, cursor.previous_end()));
  parsed.supported = ErrorAt(cursor.source().LocationAt(begin),
                             absl::StatusCode::kUnimplemented,
                             absl::StrCat("type ", parsed.text, ": ", what));
  return parsed;
}

ParsedType Supported(Type type) {
  return ParsedType{std::move(type), "", absl::OkStatus()};
}

// Reading the literal of a tensor recurses once per dimension.
constexpr size_t kMaxRank = 256;

// Reads "2x3x" right after the "<" of a tensor and leaves the cursor at the
// element type. The text is read itself: as tokens, "2x3xf32" would be a
// number and a word. Returns what is unsupported about the dims, or nothing.
absl::StatusOr<absl::string_view> ParseDims(Cursor& cursor, Dims& dims) {
  absl::string_view unsupported;
  const char* at = cursor.token().end();
  const char* const end = cursor.source().end();
  const auto skip_blanks = [&] {
    while (at != end && absl::ascii_isspace(*at)) ++at;
  };
  while (true) {
    skip_blanks();
    if (at == end || !(absl::ascii_isdigit(*at) || *at == '?' || *at == '*')) {
      cursor.MoveTo(at);
      return unsupported;
    }
    if (dims.size() == kMaxRank) {
      cursor.MoveTo(at);
      return cursor.Unexpected(
          absl::StrCat("at most ", kMaxRank, " dimensions"));
    }
    const char* begin = at++;
    if (*begin == '?') {
      unsupported = "dynamic dimensions are not supported";
      dims.push_back(0);
    } else if (*begin == '*') {
      unsupported = "tensors without a rank are not supported";
    } else {
      while (at != end && absl::ascii_isdigit(*at)) ++at;
      int64_t size;
      if (!absl::SimpleAtoi(TextBetween(begin, at), &size)) {
        cursor.MoveTo(begin);
        return cursor.Unexpected("a dimension size below 2^63");
      }
      dims.push_back(size);
    }
    skip_blanks();
    if (at == end || *at != 'x') {
      cursor.MoveTo(at);
      return cursor.Unexpected("'x' after a dimension size");
    }
    ++at;
  }
}

// The element type's name, as ParseStablehloName takes it; empty when it is of
// another dialect.
absl::StatusOr<std::string> ParseElementTypeName(Cursor& cursor) {
  if (cursor.Is(TokenKind::kBangName)) return std::string();
  Token word;
  RETURN_IF_ERROR(
      cursor.Take(TokenKind::kWord, "a dimension or an element type", &word));
  if (word.text != "complex") return std::string(word.text);
  RETURN_IF_ERROR(cursor.Expect("<"));
  Token part;
  RETURN_IF_ERROR(
      cursor.Take(TokenKind::kWord, "the type of the parts", &part));
  RETURN_IF_ERROR(cursor.Expect(">"));
  return absl::StrCat("complex<", part.text, ">");
}

// `begin` is where "tensor" stands; the cursor is at its "<".
absl::StatusOr<ParsedType> ParseTensor(Cursor& cursor, const char* begin) {
  if (!cursor.Is("<")) return cursor.Unexpected("'<'");
  const char* const open = cursor.token().begin();
  Dims dims;
  ASSIGN_OR_RETURN(absl::string_view unsupported, ParseDims(cursor, dims));
  const char* const element_position = cursor.token().begin();
  ASSIGN_OR_RETURN(const std::string name, ParseElementTypeName(cursor));
  if (name.empty() || cursor.Is(",")) {
    const absl::string_view what = !unsupported.empty() ? unsupported
                                   : name.empty()
                                       ? "the element type is not supported"
                                       : "the encoding is not supported";
    cursor.MoveTo(open);
    RETURN_IF_ERROR(cursor.SkipBrackets());
    return Unsupported(cursor, begin, what);
  }
  RETURN_IF_ERROR(cursor.Expect(">"));
  if (!unsupported.empty()) return Unsupported(cursor, begin, unsupported);
  absl::StatusOr<ElementType> element_type = ParseStablehloName(name);
  if (!element_type.ok()) {
    if (absl::IsUnimplemented(element_type.status()) || IsTypeWord(name)) {
      return Unsupported(cursor, begin, "the element type is not supported");
    }
    return cursor.Locate(element_type.status(), element_position);
  }
  absl::StatusOr<Shape> shape = Shape::Create(*element_type, dims);
  if (!shape.ok()) return cursor.Locate(shape.status(), begin);
  return Supported(*std::move(shape));
}

absl::StatusOr<ParsedType> ParseTuple(Cursor& cursor, const char* begin) {
  RETURN_IF_ERROR(cursor.Expect("<"));
  std::vector<Type> elements;
  absl::Status supported;
  if (!cursor.TryConsume(">")) {
    do {
      ASSIGN_OR_RETURN(ParsedType element, ParseAnyType(cursor));
      if (supported.ok()) supported = element.supported;
      elements.push_back(std::move(element.type));
    } while (cursor.TryConsume(","));
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  if (supported.ok()) return Supported(Type::Tuple(std::move(elements)));
  ParsedType parsed;
  parsed.text = std::string(TextBetween(begin, cursor.previous_end()));
  parsed.supported = std::move(supported);
  return parsed;
}

absl::StatusOr<ParsedType> ParseBangType(Cursor& cursor) {
  const Token name = cursor.token();
  const absl::string_view dialect_name = name.text.substr(1);
  cursor.Advance();
  if (dialect_name == "stablehlo.token") return Supported(Type::Token());
  if (cursor.Is("<")) {
    RETURN_IF_ERROR(cursor.SkipBrackets());
  } else if (!absl::StrContains(dialect_name, '.')) {
    return cursor.state().definitions.ResolveType(cursor, name);
  }
  return Unsupported(cursor, name.begin(), "not supported");
}

// "(T, ..)" or one T; appends to `text`.
absl::Status AppendTypeList(Cursor& cursor, std::string* text) {
  if (!cursor.TryConsume("(")) {
    ASSIGN_OR_RETURN(const ParsedType type, ParseAnyType(cursor));
    absl::StrAppend(text, type.ToString());
    return absl::OkStatus();
  }
  text->push_back('(');
  if (!cursor.Is(")")) {
    bool first = true;
    do {
      ASSIGN_OR_RETURN(const ParsedType type, ParseAnyType(cursor));
      absl::StrAppend(text, first ? "" : ", ", type.ToString());
      first = false;
    } while (cursor.TryConsume(","));
  }
  text->push_back(')');
  return cursor.Expect(")");
}

absl::StatusOr<ParsedType> ParseFunctionAsType(Cursor& cursor) {
  const char* const begin = cursor.token().begin();
  ParsedType parsed;
  RETURN_IF_ERROR(AppendTypeList(cursor, &parsed.text));
  RETURN_IF_ERROR(cursor.Expect("->"));
  parsed.text += " -> ";
  RETURN_IF_ERROR(AppendTypeList(cursor, &parsed.text));
  parsed.supported = ErrorAt(
      cursor.source().LocationAt(begin), absl::StatusCode::kUnimplemented,
      absl::StrCat("type ", parsed.text, ": values of it are not supported"));
  return parsed;
}

// "(T, U)", or one type without brackets when `may_be_single`.
absl::Status ParseTypes(Cursor& cursor, bool may_be_single,
                        std::vector<Type>& types) {
  if (may_be_single && !cursor.Is("(")) {
    ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    types.push_back(std::move(type));
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(cursor.Expect("("));
  if (cursor.TryConsume(")")) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    types.push_back(std::move(type));
  } while (cursor.TryConsume(","));
  return cursor.Expect(")");
}

}  // namespace

bool IsTypeWord(absl::string_view word) {
  if (word == "tensor" || word == "tuple" || word == "index" ||
      word == "none" || word == "complex" || word == "vector" ||
      word == "memref" || word == "bf16" || word == "tf32") {
    return true;
  }
  const bool is_integer = absl::ConsumePrefix(&word, "ui") ||
                          absl::ConsumePrefix(&word, "si") ||
                          absl::ConsumePrefix(&word, "i");
  if (is_integer) {
    return !word.empty() &&
           word.find_first_not_of("0123456789") == absl::string_view::npos;
  }
  return word.size() >= 2 && word[0] == 'f' && absl::ascii_isdigit(word[1]);
}

absl::StatusOr<ParsedType> ParseAnyType(Cursor& cursor) {
  const NestingGuard guard(cursor);
  RETURN_IF_ERROR(guard.Check());
  const Token token = cursor.token();
  if (token.kind == TokenKind::kBangName) return ParseBangType(cursor);
  if (token.Is("(")) return ParseFunctionAsType(cursor);
  if (token.kind != TokenKind::kWord || !IsTypeWord(token.text)) {
    return cursor.Unexpected("a type");
  }
  cursor.Advance();
  if (token.text == "tensor") return ParseTensor(cursor, token.begin());
  if (token.text == "tuple") return ParseTuple(cursor, token.begin());
  if (cursor.Is("<") && (token.text == "complex" || token.text == "vector" ||
                         token.text == "memref")) {
    RETURN_IF_ERROR(cursor.SkipBrackets());
  }
  return Unsupported(cursor, token.begin(),
                     "values must be tensors, tokens or tuples");
}

absl::StatusOr<Type> ParseType(Cursor& cursor) {
  ASSIGN_OR_RETURN(ParsedType parsed, ParseAnyType(cursor));
  RETURN_IF_ERROR(parsed.supported);
  return std::move(parsed.type);
}

absl::StatusOr<ParsedFunctionType> ParseFunctionType(Cursor& cursor) {
  ParsedFunctionType type;
  RETURN_IF_ERROR(ParseTypes(cursor, /*may_be_single=*/false, type.inputs));
  RETURN_IF_ERROR(cursor.Expect("->"));
  RETURN_IF_ERROR(ParseTypes(cursor, /*may_be_single=*/true, type.results));
  return type;
}

}  // namespace lockstep::internal
