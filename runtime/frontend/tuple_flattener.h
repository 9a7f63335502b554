#ifndef LOCKSTEP_RUNTIME_FRONTEND_TUPLE_FLATTENER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_TUPLE_FLATTENER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// The module with the elements of tuples, also of nested ones, in their place:
// as arguments and results of functions and calls, carried by loops, returned
// by branches. stablehlo.tuple and get_tuple_element disappear. Null when there
// is no tuple to replace. The module verifies. The attributes of an argument or
// result stay with each of its elements. RESOURCE_EXHAUSTED: tuples of tuples
// that have more than a million elements together.
absl::StatusOr<std::unique_ptr<Module>> FlattenTuples(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_TUPLE_FLATTENER_H_
