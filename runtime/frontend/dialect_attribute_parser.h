#ifndef LOCKSTEP_RUNTIME_FRONTEND_DIALECT_ATTRIBUTE_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_DIALECT_ATTRIBUTE_PARSER_H_

#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// What begins with "#": #stablehlo<kind VALUE> (Enum), #stablehlo.name<a = 1>
// (Struct), an alias (its value), and anything of another dialect (Opaque).
absl::StatusOr<Attribute> ParseDialectAttribute(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_DIALECT_ATTRIBUTE_PARSER_H_
