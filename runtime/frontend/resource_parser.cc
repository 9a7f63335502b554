#include "runtime/frontend/resource_parser.h"

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// "key:"; keys are words or strings.
absl::Status ParseKey(Cursor& cursor, Token* key) {
  if (!cursor.Is(TokenKind::kWord) && !cursor.Is(TokenKind::kString)) {
    return cursor.Unexpected("a resource key");
  }
  *key = cursor.token();
  cursor.Advance();
  return cursor.Expect(":");
}

// "{ key: value, .. }" where `value` reads each value.
template <typename Value>
absl::Status ParseSection(Cursor& cursor, absl::string_view close,
                          Value value) {
  if (cursor.TryConsume(close)) return absl::OkStatus();
  do {
    if (cursor.Is(close)) break;  // after a trailing comma
    Token key;
    RETURN_IF_ERROR(ParseKey(cursor, &key));
    RETURN_IF_ERROR(value(key));
  } while (cursor.TryConsume(","));
  return cursor.Expect(close);
}

absl::Status ParseBuiltin(Cursor& cursor, const ResourceFn& on_resource) {
  RETURN_IF_ERROR(cursor.Expect("{"));
  return ParseSection(cursor, "}", [&](const Token& key) -> absl::Status {
    Token value;
    RETURN_IF_ERROR(cursor.Take(TokenKind::kString, "a hex string", &value));
    on_resource(key, value);
    return absl::OkStatus();
  });
}

absl::Status SkipSection(Cursor& cursor) {
  if (!cursor.Is("{")) return cursor.Unexpected("'{'");
  return cursor.SkipBrackets();
}

}  // namespace

absl::Status ParseResources(Cursor& cursor, const ResourceFn& on_resource) {
  RETURN_IF_ERROR(cursor.Expect("{-#"));
  return ParseSection(cursor, "#-}", [&](const Token& key) -> absl::Status {
    if (key.text != "dialect_resources") return SkipSection(cursor);
    RETURN_IF_ERROR(cursor.Expect("{"));
    return ParseSection(cursor, "}", [&](const Token& dialect) -> absl::Status {
      if (dialect.text != "builtin") return SkipSection(cursor);
      return ParseBuiltin(cursor, on_resource);
    });
  });
}

}  // namespace lockstep::internal
