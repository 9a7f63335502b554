#include "runtime/frontend/dialect_attribute_parser.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/number_parser.h"
#include "runtime/frontend/sharding_parser.h"

namespace lockstep::internal {
namespace {

// "#dialect.name<..>" as it stands; the cursor is behind the name.
absl::StatusOr<Attribute> ParseOpaque(Cursor& cursor, const Token& name) {
  if (cursor.Is("<")) RETURN_IF_ERROR(cursor.SkipBrackets());
  return Attribute(
      Attribute::Opaque{std::string(name.begin(), cursor.previous_end())});
}

// "<kind VALUE>"; other things in the brackets are kept as they are.
absl::StatusOr<Attribute> ParseEnum(Cursor& cursor, const Token& name) {
  const Cursor open(cursor);
  cursor.Advance();
  const Token kind = cursor.token();
  const Token value = cursor.PeekNext();
  if (kind.kind == TokenKind::kWord && value.kind == TokenKind::kWord) {
    cursor.Advance();
    cursor.Advance();
    RETURN_IF_ERROR(cursor.Expect(">"));
    return Attribute(
        Attribute::Enum{std::string(kind.text), std::string(value.text)});
  }
  cursor.MoveTo(open.token().begin());
  return ParseOpaque(cursor, name);
}

// "(1)2", the sub-axis of size 2 behind a product of sizes 1.
absl::StatusOr<Attribute> ParseSubAxis(Cursor& cursor) {
  Attribute::Struct sub_axis{"sub_axis_info", {}};
  RETURN_IF_ERROR(cursor.Expect("("));
  ASSIGN_OR_RETURN(const int64_t pre_size, ParseInteger(cursor));
  RETURN_IF_ERROR(cursor.Expect(")"));
  ASSIGN_OR_RETURN(const int64_t size, ParseInteger(cursor));
  sub_axis.fields.Append("pre_size", Attribute::I64(pre_size));
  sub_axis.fields.Append("size", Attribute::I64(size));
  return Attribute(std::move(sub_axis));
}

// "<a = 1, b>"; a trailing comma is allowed.
absl::StatusOr<Attribute> ParseStruct(Cursor& cursor,
                                      absl::string_view struct_name) {
  Attribute::Struct value{std::string(struct_name), {}};
  absl::flat_hash_set<absl::string_view> names;
  cursor.Advance();
  while (!cursor.Is(">")) {
    Token field;
    RETURN_IF_ERROR(cursor.Take(TokenKind::kWord, "a field", &field));
    if (!names.insert(field.text).second) {
      return InvalidAt(cursor.LocationOf(field),
                       absl::StrCat("field ", field.text, " is given twice"));
    }
    Attribute content;
    if (cursor.TryConsume("=")) {
      if (cursor.Is("(") && cursor.PeekNext().kind == TokenKind::kInteger) {
        ASSIGN_OR_RETURN(content, ParseSubAxis(cursor));
      } else {
        ASSIGN_OR_RETURN(content, ParseAttribute(cursor));
      }
    }
    value.fields.Append(field.text, std::move(content));
    if (!cursor.TryConsume(",")) break;
  }
  RETURN_IF_ERROR(cursor.Expect(">"));
  return Attribute(std::move(value));
}

// Whether "<..>" at the cursor reads as fields.
bool IsStruct(const Cursor& cursor) {
  Cursor at(cursor);
  at.Advance();
  if (at.Is(">")) return true;
  if (!at.Is(TokenKind::kWord)) return false;
  const Token next = at.PeekNext();
  return next.Is("=") || next.Is(",") || next.Is(">");
}

}  // namespace

absl::StatusOr<Attribute> ParseDialectAttribute(Cursor& cursor) {
  const Token name = cursor.token();
  cursor.Advance();
  absl::string_view rest = name.text;
  const bool is_touching = cursor.token().begin() == name.end();
  const bool has_body = cursor.Is("<") && is_touching;
  if (!has_body && !absl::StrContains(rest, '.')) {
    return cursor.state().definitions.ResolveAttribute(cursor, name);
  }
  if (has_body) {
    ASSIGN_OR_RETURN(std::optional<Attribute> sharding,
                     ParseShardingAttribute(cursor, name));
    if (sharding.has_value()) return *std::move(sharding);
  }
  // Those of chlo (the direction of a comparison) mean what StableHLO's do.
  if (!(absl::ConsumePrefix(&rest, "#stablehlo") || rest == "#chlo") ||
      !has_body) {
    return ParseOpaque(cursor, name);
  }
  absl::ConsumePrefix(&rest, "#chlo");
  if (rest.empty()) return ParseEnum(cursor, name);
  if (absl::ConsumePrefix(&rest, ".") && IsStruct(cursor)) {
    return ParseStruct(cursor, rest);
  }
  return ParseOpaque(cursor, name);
}

}  // namespace lockstep::internal
