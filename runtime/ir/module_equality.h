#ifndef LOCKSTEP_RUNTIME_IR_MODULE_EQUALITY_H_
#define LOCKSTEP_RUNTIME_IR_MODULE_EQUALITY_H_

#include <optional>
#include <string>

#include "runtime/ir/module.h"

namespace lockstep::internal {

// The first thing in which two modules differ, with the place in each:
// "a.mlir:3:5, b.mlir:3:5: op: stablehlo.add, stablehlo.multiply". Nothing
// when they are the same program. Locations and the names of values do not
// count; the order of functions and ops does, that of attributes does not.
std::optional<std::string> FirstDifference(const Module& a, const Module& b);

bool Equal(const Module& a, const Module& b);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_MODULE_EQUALITY_H_
