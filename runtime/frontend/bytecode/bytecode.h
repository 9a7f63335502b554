#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// The MLIR bytecode in a file: all of it, or what a file of jax.export holds.
// Nullopt when there is none.
std::optional<absl::string_view> FindBytecode(absl::string_view bytes);
// Whether there may be one in a file of which these are the first bytes.
bool MayBeginBytecode(absl::string_view start);

// Reads a StableHLO program in portable form, a file in which FindBytecode
// finds one. The module is that of the text of the program, verified and
// expanded as by ParseAndVerify.
//
// INVALID_ARGUMENT "file:offset: expected .., found .."; UNIMPLEMENTED for ops,
// types and attributes that are valid but not supported. The line of a location
// is the offset of the op in the file; beside it stands the place in the source
// that the file says.
absl::StatusOr<std::unique_ptr<Module>> ReadBytecode(
    absl::string_view bytes, absl::string_view file_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_H_
