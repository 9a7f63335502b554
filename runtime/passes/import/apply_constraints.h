#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_APPLY_CONSTRAINTS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_APPLY_CONSTRAINTS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// A closed constraint of a value that has no sharding becomes that of the value
// itself, unless another constraint or a manual computation asks for something
// else of it: propagation then begins there, and not behind it (Shardy). Values
// that come out of regions and into them are left alone, since what they share
// a sharding with is not known here.
absl::Status ApplyConstraints(Function& function);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_APPLY_CONSTRAINTS_H_
