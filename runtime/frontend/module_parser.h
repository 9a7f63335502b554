#ifndef LOCKSTEP_RUNTIME_FRONTEND_MODULE_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_MODULE_PARSER_H_

#include "absl/status/status.h"
#include "runtime/frontend/cursor.h"
#include "runtime/frontend/definitions.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Reads a whole text: a module, or functions without one, and the aliases and
// resources around it.
absl::Status ParseTopLevel(Cursor& cursor, Definitions& definitions,
                           Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_MODULE_PARSER_H_
