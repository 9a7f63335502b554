#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_MODULE_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_MODULE_READER_H_

#include "absl/status/status.h"
#include "runtime/frontend/bytecode/op_reader.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Reads the module that the IR of a file is. INVALID_ARGUMENT and
// UNIMPLEMENTED with the file, the offset and, of an op, its name.
absl::Status ReadModuleOp(BytecodeOpReader& ops, ByteReader ir, Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_MODULE_READER_H_
