#include "runtime/ops/enclosing_module.h"

namespace lockstep::internal {

const Module* EnclosingModule(const Op& op) {
  const Region* region = op.parent();
  while (region != nullptr && region->parent_op() != nullptr) {
    region = region->parent_op()->parent();
  }
  if (region == nullptr || region->parent_function() == nullptr) return nullptr;
  return region->parent_function()->module();
}

}  // namespace lockstep::internal
