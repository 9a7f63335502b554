#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_UNSUPPORTED_OP_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_UNSUPPORTED_OP_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// UNIMPLEMENTED: the op of this name, and where it says that the file is no
// portable bytecode, what is.
absl::Status UnsupportedOp(const Location& location, absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_UNSUPPORTED_OP_H_
