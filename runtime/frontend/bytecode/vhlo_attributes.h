#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VHLO_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VHLO_ATTRIBUTES_H_

#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/attribute_table.h"

namespace lockstep::internal {

// An attribute of VHLO; its code is the next of `reader`. Enumerations get the
// kind that StableHLO's have.
absl::StatusOr<BytecodeAttribute> DecodeVhloAttribute(AttributeTable& table,
                                                      ByteReader& reader);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VHLO_ATTRIBUTES_H_
