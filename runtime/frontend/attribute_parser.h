#ifndef LOCKSTEP_RUNTIME_FRONTEND_ATTRIBUTE_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_ATTRIBUTE_PARSER_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// Any attribute value, of our dialects or of others.
absl::StatusOr<Attribute> ParseAttribute(Cursor& cursor);

// "{a = 1, b}". A name that is there already is an error.
absl::Status ParseAttributeDictionary(Cursor& cursor, AttributeMap& attributes);

// "f" for @f, "a::b" for @a::@b.
absl::StatusOr<std::string> ParseSymbolName(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_ATTRIBUTE_PARSER_H_
