#ifndef LOCKSTEP_RUNTIME_FRONTEND_FUNCTION_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_FUNCTION_PARSER_H_

#include "absl/status/status.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// "func.func public @f(..) -> (..) attributes {..} { ops }"; the cursor stands
// at "func.func". Adds the function to the module.
absl::Status ParseFunction(Cursor& cursor, Module& module);

// The same function as "func.func"() <{sym_name = "f", ..}> ({..}) : () -> ().
absl::Status ParseGenericFunction(Cursor& cursor, Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_FUNCTION_PARSER_H_
