#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPIER_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPIER_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/ir/module.h"

namespace lockstep {

// Copies ops of one module into another. Values map from the source to the
// copy; functions that copied ops name (calls, decompositions) are noted and
// copied by CopyNotedFunctions. Both modules outlive it. Not synchronised.
class FunctionCopier {
 public:
  FunctionCopier(const Module& source, Module& target)
      : source_(source), target_(target) {}

  // Asked for an operand that has no copy; its answer is kept. Null or no such
  // function: the copied op keeps no operand there, which the verifier refuses.
  void set_on_missing(std::function<Value*(const Value*)> on_missing) {
    on_missing_ = std::move(on_missing);
  }

  void Map(const Value* from, Value* to) { values_[from] = to; }
  Value* Find(const Value* from);

  void CopyArguments(const Region& from, Region& to);
  void CopyOp(const Op& op, Region& to);
  void CopyOps(const Region& from, Region& to);

  // The function with its name, or another.
  void CopyFunction(const Function& function, const std::string& name);
  void CopyNotedFunctions();

 private:
  void NoteFunctions(const Attribute& attribute);

  const Module& source_;
  Module& target_;
  std::function<Value*(const Value*)> on_missing_;
  absl::flat_hash_map<const Value*, Value*> values_;
  absl::flat_hash_set<const Function*> noted_;
  std::deque<const Function*> to_copy_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_FUNCTION_COPIER_H_
