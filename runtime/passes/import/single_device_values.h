#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_SINGLE_DEVICE_VALUES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_SINGLE_DEVICE_VALUES_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// A value whose sharding is on a maximal mesh is whole on every device instead:
// each computes what the single one would, and none has to send it. Its
// sharding is closed and without axes, on the empty mesh. INVALID_ARGUMENT,
// with the place of the value: a device that the program does not have.
absl::Status SpreadSingleDeviceValues(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_SINGLE_DEVICE_VALUES_H_
