#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_REGION_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_REGION_READER_H_

#include "absl/status/status.h"
#include "runtime/frontend/bytecode/op_reader.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Reads an op of VHLO or Shardy with its regions and appends it to `region`, as
// the op of StableHLO that it is. A cast between types of VHLO and others
// becomes its operand. UNIMPLEMENTED for other ops.
absl::Status ReadOpInto(BytecodeOpReader& ops, ByteReader& reader,
                        Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_REGION_READER_H_
