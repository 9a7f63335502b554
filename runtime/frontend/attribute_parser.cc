#include "runtime/frontend/attribute_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/dialect_attribute_parser.h"
#include "runtime/frontend/literal_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/number_parser.h"
#include "runtime/frontend/type_parser.h"

namespace lockstep::internal {
namespace {

std::string TextSince(const Cursor& cursor, const char* begin) {
  return std::string(begin, cursor.previous_end());
}

absl::StatusOr<Attribute> ParseArray(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("["));
  Attribute::Array array;
  if (!cursor.Is("]")) {
    do {
      ASSIGN_OR_RETURN(Attribute element, ParseAttribute(cursor));
      array.elements.push_back(std::move(element));
    } while (cursor.TryConsume(","));
  }
  RETURN_IF_ERROR(cursor.Expect("]"));
  return Attribute(std::move(array));
}

absl::StatusOr<int64_t> ParseDenseArrayElement(Cursor& cursor, bool is_bool) {
  if (cursor.TryConsume("true")) return 1;
  if (cursor.TryConsume("false")) return 0;
  const Token token = cursor.token();
  ASSIGN_OR_RETURN(const int64_t value, ParseInteger(cursor));
  if (is_bool && value != 0 && value != 1) {
    return InvalidAt(cursor.LocationOf(token),
                     absl::StrCat("expected true or false, found ", value));
  }
  return value;
}

// array<i64: 1, 2>, array<i1: true>, array<i64>.
absl::StatusOr<Attribute> ParseDenseArray(Cursor& cursor) {
  const char* const begin = cursor.token().begin();
  cursor.Advance();
  if (!cursor.Is("<")) return cursor.Unexpected("'<'");
  const char* const open = cursor.token().begin();
  cursor.Advance();
  Token type;
  RETURN_IF_ERROR(cursor.Take(TokenKind::kWord, "an element type", &type));
  if (!IsTypeWord(type.text)) {
    return InvalidAt(
        cursor.LocationOf(type),
        absl::StrCat("expected an element type, found '", type.text, "'"));
  }
  if (type.text[0] != 'i' && type.text[0] != 'u' && type.text[0] != 's') {
    cursor.MoveTo(open);
    RETURN_IF_ERROR(cursor.SkipBrackets());
    return Attribute(Attribute::Opaque{TextSince(cursor, begin)});
  }
  Attribute::DenseArray array{std::string(type.text), {}};
  if (!cursor.Is(">")) {
    RETURN_IF_ERROR(cursor.Expect(":"));
    do {
      ASSIGN_OR_RETURN(const int64_t value,
                       ParseDenseArrayElement(cursor, type.text == "i1"));
      array.values.push_back(value);
    } while (cursor.TryConsume(","));
  }
  RETURN_IF_ERROR(cursor.Expect(">"));
  return Attribute(std::move(array));
}

absl::StatusOr<Attribute> ParseTypeAttribute(Cursor& cursor) {
  ASSIGN_OR_RETURN(ParsedType parsed, ParseAnyType(cursor));
  Attribute::TypeValue value{parsed.ToString(), std::nullopt};
  if (parsed.supported.ok()) value.type = std::move(parsed.type);
  return Attribute(std::move(value));
}

absl::StatusOr<Attribute> ParseString(Cursor& cursor) {
  Attribute::String value{Unquote(cursor.token().text)};
  cursor.Advance();
  if (cursor.TryConsume(":")) RETURN_IF_ERROR(ParseAnyType(cursor).status());
  return Attribute(std::move(value));
}

// loc(..), affine_map<..> and others whose content means nothing to us.
absl::StatusOr<Attribute> ParseOpaqueWord(Cursor& cursor) {
  const char* const begin = cursor.token().begin();
  if (cursor.Is("loc")) {
    ASSIGN_OR_RETURN(auto place, ParseOptionalLocation(cursor));
    if (place != nullptr) {
      return Attribute(
          Attribute::Place{*place->file, place->line, place->column});
    }
  } else {
    cursor.Advance();
    if (!cursor.Is("<")) return cursor.Unexpected("'<'");
    RETURN_IF_ERROR(cursor.SkipBrackets());
  }
  return Attribute(Attribute::Opaque{TextSince(cursor, begin)});
}

absl::StatusOr<Attribute> ParseWord(Cursor& cursor) {
  const absl::string_view word = cursor.token().text;
  if (cursor.TryConsume("true")) return Attribute(Attribute::Bool{true});
  if (cursor.TryConsume("false")) return Attribute(Attribute::Bool{false});
  if (cursor.TryConsume("unit")) return Attribute(Attribute::Unit{});
  if (word == "dense") return ParseDense(cursor);
  if (word == "dense_resource") return ParseDenseResource(cursor);
  if (word == "array") return ParseDenseArray(cursor);
  if (word == "loc" || word == "affine_map" || word == "affine_set" ||
      word == "strided" || word == "sparse" || word == "opaque") {
    return ParseOpaqueWord(cursor);
  }
  if (IsTypeWord(word)) return ParseTypeAttribute(cursor);
  return cursor.Unexpected("an attribute value");
}

// A name of a dictionary's entry.
absl::StatusOr<std::string> ParseEntryName(Cursor& cursor) {
  std::string name;
  if (cursor.Is(TokenKind::kString)) {
    name = Unquote(cursor.token().text);
  } else if (cursor.Is(TokenKind::kWord)) {
    name = std::string(cursor.token().text);
  } else {
    return cursor.Unexpected("the name of an attribute");
  }
  cursor.Advance();
  return name;
}

}  // namespace

absl::StatusOr<Attribute> ParseAttribute(Cursor& cursor) {
  const NestingGuard guard(cursor);
  RETURN_IF_ERROR(guard.Check());
  switch (cursor.token().kind) {
    case TokenKind::kWord:
      return ParseWord(cursor);
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return ParseNumberAttribute(cursor);
    case TokenKind::kString:
      return ParseString(cursor);
    case TokenKind::kSymbol: {
      ASSIGN_OR_RETURN(std::string name, ParseSymbolName(cursor));
      return Attribute(Attribute::Symbol{std::move(name)});
    }
    case TokenKind::kHashName:
      return ParseDialectAttribute(cursor);
    case TokenKind::kBangName:
      return ParseTypeAttribute(cursor);
    default:
      break;
  }
  if (cursor.Is("-")) return ParseNumberAttribute(cursor);
  if (cursor.Is("[")) return ParseArray(cursor);
  if (cursor.Is("(")) return ParseTypeAttribute(cursor);
  if (cursor.Is("{")) {
    Attribute::Dictionary dictionary;
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, dictionary.entries));
    return Attribute(std::move(dictionary));
  }
  return cursor.Unexpected("an attribute value");
}

absl::Status ParseAttributeDictionary(Cursor& cursor,
                                      AttributeMap& attributes) {
  RETURN_IF_ERROR(cursor.Expect("{"));
  if (cursor.TryConsume("}")) return absl::OkStatus();
  absl::flat_hash_set<std::string> names;
  for (const auto& [name, value] : attributes.entries()) names.insert(name);
  do {
    const Token token = cursor.token();
    ASSIGN_OR_RETURN(std::string name, ParseEntryName(cursor));
    Attribute value;
    if (cursor.TryConsume("=")) {
      ASSIGN_OR_RETURN(value, ParseAttribute(cursor));
    }
    if (!names.insert(name).second) {
      return InvalidAt(cursor.LocationOf(token),
                       absl::StrCat("attribute ", name, " is given twice"));
    }
    attributes.Append(name, std::move(value));
  } while (cursor.TryConsume(","));
  return cursor.Expect("}");
}

absl::StatusOr<std::string> ParseSymbolName(Cursor& cursor) {
  std::vector<std::string> parts;
  do {
    Token symbol;
    RETURN_IF_ERROR(cursor.Take(TokenKind::kSymbol, "a symbol", &symbol));
    const absl::string_view text = symbol.text.substr(1);
    parts.push_back(text[0] == '"' ? Unquote(text) : std::string(text));
  } while (cursor.TryConsume("::"));
  return absl::StrJoin(parts, "::");
}

}  // namespace lockstep::internal
