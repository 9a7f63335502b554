#ifndef LOCKSTEP_RUNTIME_PASSES_REWRITER_H_
#define LOCKSTEP_RUNTIME_PASSES_REWRITER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Rewrites a module op by op, in order, with rules that look at one op and what
// it is computed from. New ops are rewritten too. What is replaced becomes dead
// and stays in the module (see EliminateDeadCode); nothing else changes. Used
// by one thread, for one module.
class Rewriter {
 public:
  // What stands for op's only result, which has elements: another value of the
  // same type, possibly of new ops; null when the rule has nothing to say.
  using Rule = std::function<Value*(const Op& op, Rewriter& rewriter)>;

  explicit Rewriter(std::vector<Rule> rules) : rules_(std::move(rules)) {}

  void Run(Module& module);

  // For rules. A new op with one result, before the op at hand and with its
  // location.
  Value* Create(absl::string_view name, std::vector<Value*> operands,
                Type result, AttributeMap attributes = {},
                std::vector<std::unique_ptr<Region>> regions = {});
  // The same op on other operands, which may give another result.
  Value* CreateLike(const Op& op, std::vector<Value*> operands, Type result);
  Value* CreateConstant(Attribute::Elements value);
  Value* CreateSplat(const Shape& shape, Literal scalar);

  // Operands of ops and of terminators that are this value.
  int UseCount(const Value* value) const;

 private:
  void Run(Region& region);
  // The first rule that applies.
  Value* Apply(const Op& op);
  Value* Insert(OpState state);
  void CountUses(const Region& region);

  const std::vector<Rule> rules_;
  ValueMap map_;
  absl::flat_hash_map<const Value*, int> uses_;
  // Where new ops go, and what they come from.
  Region* region_ = nullptr;
  const Op* current_ = nullptr;
  int depth_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_REWRITER_H_
