#ifndef LOCKSTEP_RUNTIME_FRONTEND_TYPE_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_TYPE_PARSER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/type.h"

namespace lockstep::internal {

// Any type of a text. `text` is empty when `supported` is OK: then it is
// type.ToString().
struct ParsedType {
  Type type;
  std::string text;
  // UNIMPLEMENTED for a type that lockstep does not have.
  absl::Status supported;

  std::string ToString() const {
    return supported.ok() ? type.ToString() : text;
  }
};

// A word that begins a type: tensor, tuple, i32, bf16, index.
bool IsTypeWord(absl::string_view word);

// A type in any position. INVALID_ARGUMENT for what is no type.
absl::StatusOr<ParsedType> ParseAnyType(Cursor& cursor);

// The type of a value: tensor, token or tuple. UNIMPLEMENTED with the name for
// dynamic, quantized and other unsupported ones.
absl::StatusOr<Type> ParseType(Cursor& cursor);

struct ParsedFunctionType {
  std::vector<Type> inputs;
  std::vector<Type> results;
};

// "(T, T) -> U", "(T) -> (U, V)", "() -> ()".
absl::StatusOr<ParsedFunctionType> ParseFunctionType(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_TYPE_PARSER_H_
