#ifndef LOCKSTEP_RUNTIME_SHARDING_FUNCTION_VALUES_H_
#define LOCKSTEP_RUNTIME_SHARDING_FUNCTION_VALUES_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The values of a function and of the regions of its ops, numbered from 0 in
// program order. Borrows the function, which must not change. Immutable.
class FunctionValues {
 public:
  explicit FunctionValues(const Function& function);

  const std::vector<const Value*>& values() const { return values_; }
  bool Contains(const Value* value) const { return indices_.contains(value); }
  // The number of a value of the function.
  int IndexOf(const Value* value) const { return indices_.at(value); }
  // How many operands it is, terminators included.
  int UseCount(const Value* value) const { return use_counts_[IndexOf(value)]; }

 private:
  void Add(const Value* value);
  void AddRegion(const Region& region);
  void CountUses(const Region& region);

  std::vector<const Value*> values_;
  std::vector<int> use_counts_;
  absl::flat_hash_map<const Value*, int> indices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_FUNCTION_VALUES_H_
