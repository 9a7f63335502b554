#include "runtime/frontend/location_parser.h"

#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"

namespace lockstep::internal {
namespace {

absl::Status SkipInner(Cursor& cursor);

absl::Status ExpectInteger(Cursor& cursor) {
  Token token;
  return cursor.Take(TokenKind::kInteger, "a number", &token);
}

// What may follow "f.py" or "name".
absl::Status SkipAfterString(Cursor& cursor) {
  if (cursor.TryConsume("(")) {
    RETURN_IF_ERROR(SkipInner(cursor));
    return cursor.Expect(")");
  }
  if (!cursor.TryConsume(":")) return absl::OkStatus();
  RETURN_IF_ERROR(ExpectInteger(cursor));
  RETURN_IF_ERROR(cursor.Expect(":"));
  RETURN_IF_ERROR(ExpectInteger(cursor));
  if (!cursor.TryConsume("to")) return absl::OkStatus();
  if (!cursor.Is(":")) RETURN_IF_ERROR(ExpectInteger(cursor));
  RETURN_IF_ERROR(cursor.Expect(":"));
  return ExpectInteger(cursor);
}

absl::Status SkipCallSite(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(SkipInner(cursor));
  RETURN_IF_ERROR(cursor.Expect("at"));
  RETURN_IF_ERROR(SkipInner(cursor));
  return cursor.Expect(")");
}

absl::Status SkipFused(Cursor& cursor) {
  if (cursor.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttribute(cursor).status());
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  RETURN_IF_ERROR(cursor.Expect("["));
  if (cursor.TryConsume("]")) return absl::OkStatus();
  do {
    RETURN_IF_ERROR(SkipInner(cursor));
  } while (cursor.TryConsume(","));
  return cursor.Expect("]");
}

// What stands in the brackets of loc(..).
absl::Status SkipInner(Cursor& cursor) {
  const NestingGuard guard(cursor);
  RETURN_IF_ERROR(guard.Check());
  if (cursor.Is(TokenKind::kString)) {
    cursor.Advance();
    return SkipAfterString(cursor);
  }
  if (cursor.Is(TokenKind::kHashName)) {
    cursor.Advance();
    return cursor.Is("<") ? cursor.SkipBrackets() : absl::OkStatus();
  }
  if (cursor.TryConsume("callsite")) return SkipCallSite(cursor);
  if (cursor.TryConsume("fused")) return SkipFused(cursor);
  if (cursor.TryConsume("unknown")) return absl::OkStatus();
  if (cursor.Is("loc")) return SkipOptionalLocation(cursor);
  return cursor.Unexpected("a location");
}

}  // namespace

absl::Status SkipOptionalLocation(Cursor& cursor) {
  if (!cursor.TryConsume("loc")) return absl::OkStatus();
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(SkipInner(cursor));
  return cursor.Expect(")");
}

}  // namespace lockstep::internal
