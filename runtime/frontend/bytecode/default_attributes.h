#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_DEFAULT_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_DEFAULT_ATTRIBUTES_H_

#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// Removes the attributes of an op of VHLO, "dot_general", that say what holds
// without them in StableHLO.
void RemoveDefaultAttributes(absl::string_view op, AttributeMap& attributes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_DEFAULT_ATTRIBUTES_H_
