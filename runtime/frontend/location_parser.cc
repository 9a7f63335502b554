#include "runtime/frontend/location_parser.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/lexer.h"

namespace lockstep::internal {
namespace {

using Place = std::shared_ptr<const Location>;

absl::StatusOr<Place> ParseInner(Cursor& cursor);

absl::StatusOr<int> ParseNumber(Cursor& cursor) {
  Token token;
  RETURN_IF_ERROR(cursor.Take(TokenKind::kInteger, "a number", &token));
  int number = 0;  // 0 where it does not fit
  if (!absl::SimpleAtoi(token.text, &number)) number = 0;
  return number;
}

// "f.py":3:8, "f.py":3:8 to 4:1, "name", "name"(inner).
absl::StatusOr<Place> ParseAfterString(Cursor& cursor, std::string text) {
  if (cursor.TryConsume("(")) {
    ASSIGN_OR_RETURN(Place place, ParseInner(cursor));
    RETURN_IF_ERROR(cursor.Expect(")"));
    return place;
  }
  if (!cursor.TryConsume(":")) return Place();
  Location place;
  ASSIGN_OR_RETURN(place.line, ParseNumber(cursor));
  RETURN_IF_ERROR(cursor.Expect(":"));
  ASSIGN_OR_RETURN(place.column, ParseNumber(cursor));
  if (cursor.TryConsume("to")) {
    if (!cursor.Is(":")) RETURN_IF_ERROR(ParseNumber(cursor).status());
    RETURN_IF_ERROR(cursor.Expect(":"));
    RETURN_IF_ERROR(ParseNumber(cursor).status());
  }
  if (place.line == 0) return Place();
  place.file = std::make_shared<const std::string>(std::move(text));
  return std::make_shared<const Location>(std::move(place));
}

absl::StatusOr<Place> ParseCallSite(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("("));
  ASSIGN_OR_RETURN(Place callee, ParseInner(cursor));
  RETURN_IF_ERROR(cursor.Expect("at"));
  ASSIGN_OR_RETURN(Place caller, ParseInner(cursor));
  RETURN_IF_ERROR(cursor.Expect(")"));
  return callee != nullptr ? callee : caller;
}

absl::StatusOr<Place> ParseFused(Cursor& cursor) {
  if (cursor.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttribute(cursor).status());
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  RETURN_IF_ERROR(cursor.Expect("["));
  Place first;
  if (cursor.TryConsume("]")) return first;
  do {
    ASSIGN_OR_RETURN(Place place, ParseInner(cursor));
    if (first == nullptr) first = std::move(place);
  } while (cursor.TryConsume(","));
  RETURN_IF_ERROR(cursor.Expect("]"));
  return first;
}

// #loc1. A text that was cut out of another may lack it: that is no error.
absl::StatusOr<Place> ParseAlias(Cursor& cursor) {
  const Token name = cursor.token();
  cursor.Advance();
  if (cursor.Is("<")) {
    RETURN_IF_ERROR(cursor.SkipBrackets());
    return Place();
  }
  Definitions& definitions = cursor.state().definitions;
  if (!definitions.Defines(cursor, name)) return Place();
  // Only its place is kept: however long the locations in it are, they do not
  // count as text that aliases stand for.
  const size_t expanded = cursor.state().expanded_bytes;
  ASSIGN_OR_RETURN(Place place, definitions.ResolveLocation(cursor, name));
  cursor.state().expanded_bytes = expanded;
  return place;
}

// What stands in the brackets of loc(..).
absl::StatusOr<Place> ParseInner(Cursor& cursor) {
  const NestingGuard guard(cursor);
  RETURN_IF_ERROR(guard.Check());
  if (cursor.Is(TokenKind::kString)) {
    std::string text = Unquote(cursor.token().text);
    cursor.Advance();
    return ParseAfterString(cursor, std::move(text));
  }
  if (cursor.Is(TokenKind::kHashName)) return ParseAlias(cursor);
  if (cursor.TryConsume("callsite")) return ParseCallSite(cursor);
  if (cursor.TryConsume("fused")) return ParseFused(cursor);
  if (cursor.TryConsume("unknown")) return Place();
  if (cursor.Is("loc")) return ParseOptionalLocation(cursor);
  return cursor.Unexpected("a location");
}

}  // namespace

absl::StatusOr<Place> ParseOptionalLocation(Cursor& cursor) {
  if (!cursor.TryConsume("loc")) return Place();
  RETURN_IF_ERROR(cursor.Expect("("));
  ASSIGN_OR_RETURN(Place place, ParseInner(cursor));
  RETURN_IF_ERROR(cursor.Expect(")"));
  return place;
}

absl::Status SkipOptionalLocation(Cursor& cursor) {
  return ParseOptionalLocation(cursor).status();
}

}  // namespace lockstep::internal
