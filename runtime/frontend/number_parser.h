#ifndef LOCKSTEP_RUNTIME_FRONTEND_NUMBER_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_NUMBER_PARSER_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// "[-]12" or "[-]0xC", in 64 bits.
absl::StatusOr<int64_t> ParseInteger(Cursor& cursor);

// A number with or without its type: "1", "-1 : i32", "1.0 : f32",
// "0x7FC0 : bf16". It must fit the type.
absl::StatusOr<Attribute> ParseNumberAttribute(Cursor& cursor);

// The text of "[-]number" at the cursor, sign included.
absl::StatusOr<std::string> ParseNumberText(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_NUMBER_PARSER_H_
