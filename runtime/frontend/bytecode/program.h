#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_PROGRAM_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_PROGRAM_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Reads a program in any form that it may have: bytecode, bare or in a file of
// jax.export (ReadBytecode), else text (ParseAndVerify).
absl::StatusOr<std::unique_ptr<Module>> ReadProgram(
    absl::string_view bytes, absl::string_view file_name);

// The program as text, as hosts are given it: `bytes` themselves, or `module`,
// which was read from them, printed with its places.
std::string ProgramText(absl::string_view bytes, const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_PROGRAM_H_
