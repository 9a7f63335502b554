#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_STABLEHLO_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_STABLEHLO_ATTRIBUTES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// Makes the attributes of an op of VHLO those that the same op of StableHLO
// has; `op` is its name in both, "dot_general". VHLO writes every attribute,
// one by one: those that say what holds without them are removed, numbers of
// dimensions become one attribute, lists of integers get the type of a list.
// Any other attribute stays as it is.
//
// INVALID_ARGUMENT without a place for an attribute of another kind.
absl::Status MakeStablehloAttributes(absl::string_view op,
                                     AttributeMap& attributes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_STABLEHLO_ATTRIBUTES_H_
