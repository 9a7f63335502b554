#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_ATTRIBUTES_H_

#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/attribute_table.h"

namespace lockstep::internal {

// A builtin attribute; its code is the next of `reader`. A location that is a
// value is not read.
absl::StatusOr<BytecodeAttribute> DecodeBuiltinAttribute(AttributeTable& table,
                                                         ByteReader& reader);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_ATTRIBUTES_H_
