#ifndef LOCKSTEP_RUNTIME_OPS_CHECKS_ENCLOSING_MODULE_H_
#define LOCKSTEP_RUNTIME_OPS_CHECKS_ENCLOSING_MODULE_H_

#include "runtime/ir/module.h"

namespace lockstep::internal {

// The module that the op stands in, or null.
const Module* EnclosingModule(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHECKS_ENCLOSING_MODULE_H_
