#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPY_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPY_H_

#include <string>

#include "runtime/ir/module.h"

namespace lockstep::internal {

// Parts of a module as a module of their own.

// A copy of the function, under that name. Calls keep the names they call.
void CopyFunction(const Function& function, const std::string& name,
                  Module& target);

// Copies the functions of `source` that the functions of `target` name, as
// callee, decomposition or otherwise, and those that they name.
void CopyNamedFunctions(const Module& source, Module& target);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPY_H_
