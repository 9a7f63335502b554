#ifndef LOCKSTEP_RUNTIME_PASSES_SIDE_EFFECTS_H_
#define LOCKSTEP_RUNTIME_PASSES_SIDE_EFFECTS_H_

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Which ops of a module do more than compute their results: collectives, custom
// calls (but for callbacks without an effect), calls, terminators, ops that
// nobody registered, random numbers with a hidden state, and whatever has one
// of these in its regions. They may not be removed, doubled or reordered among
// themselves. Terminators inside of regions belong to their region and do not
// count for the op around it.
class SideEffects {
 public:
  explicit SideEffects(const Module& module);
  bool Has(const Op& op) const { return ops_.contains(&op); }

 private:
  bool Visit(const Region& region);

  absl::flat_hash_set<const Op*> ops_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_SIDE_EFFECTS_H_
