#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_PROPERTIES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_PROPERTIES_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// An attribute of an op that a file holds in the op's properties, without its
// name: they stand in the order of their names.
struct OpProperty {
  absl::string_view name;
  bool is_optional = false;
};

// Those of an op, "vhlo.dot_general_v2". Null for an op without any, and for
// one that is not known.
const std::vector<OpProperty>* PropertiesOfOp(absl::string_view op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_PROPERTIES_H_
