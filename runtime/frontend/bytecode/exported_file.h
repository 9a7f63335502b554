#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPORTED_FILE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPORTED_FILE_H_

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The module in a file that jax.export.Exported.serialize wrote: a table of
// FlatBuffers, of which it is a field. Empty for anything else.
absl::string_view ModuleOfExportedFile(absl::string_view bytes);
// Whether a file of which these are the first bytes may be one: the table and
// its fields stand at the begin.
bool MayBeginExportedFile(absl::string_view start);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPORTED_FILE_H_
