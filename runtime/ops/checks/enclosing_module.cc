#include "runtime/ops/checks/enclosing_module.h"

namespace lockstep::internal {

const Module* EnclosingModule(const Op& op) {
  const Region* region = op.parent();
  if (region == nullptr) return nullptr;
  while (region->enclosing() != nullptr) region = region->enclosing();
  if (region->parent_function() == nullptr) return nullptr;
  return region->parent_function()->module();
}

}  // namespace lockstep::internal
