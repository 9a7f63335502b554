#ifndef LOCKSTEP_RUNTIME_IR_CLONE_H_
#define LOCKSTEP_RUNTIME_IR_CLONE_H_

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What stands for each value of an original in its copy. A value that is not in
// it stands for itself.
class ValueMap {
 public:
  Value* Find(Value* value) const {
    const auto found = map_.find(value);
    return found == map_.end() ? value : found->second;
  }
  bool Contains(const Value* value) const { return map_.contains(value); }
  void Set(const Value* from, Value* to) { map_[from] = to; }

 private:
  absl::flat_hash_map<const Value*, Value*> map_;
};

// A copy with the operands that `map` says, also inside its regions. The
// results of the copy are added to `map`.
std::unique_ptr<Op> CloneOp(const Op& op, ValueMap& map);

// The same for a region.
std::unique_ptr<Region> CloneRegion(const Region& region, ValueMap& map);

// What makes an op like `op`, without operands, results and regions.
OpState StateLike(const Op& op);

std::unique_ptr<Module> CloneModule(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_CLONE_H_
