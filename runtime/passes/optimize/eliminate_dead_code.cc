#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/base/status.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/side_effects.h"

namespace lockstep::internal {
namespace {

// Ops come after what they use, so one walk from the end sees every use of a
// value before its definition.
class DeadOps {
 public:
  explicit DeadOps(const SideEffects& effects) : effects_(effects) {}

  void Erase(Region& region) {
    std::vector<std::unique_ptr<Op>>& ops = region.mutable_ops();
    for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
      if (!IsNeeded(**it)) {
        it->reset();
        continue;
      }
      used_.insert((*it)->operands().begin(), (*it)->operands().end());
      for (const auto& nested : (*it)->regions()) Erase(*nested);
    }
    ops.erase(std::remove(ops.begin(), ops.end(), nullptr), ops.end());
  }

 private:
  bool IsNeeded(const Op& op) const {
    if (effects_.Has(op)) return true;
    for (const auto& result : op.results()) {
      if (used_.contains(result.get())) return true;
    }
    return false;
  }

  const SideEffects& effects_;
  absl::flat_hash_set<const Value*> used_;
};

void AppendSymbols(const Attribute& attribute,
                   std::vector<std::string>& symbols) {
  if (const auto* symbol = attribute.As<Attribute::Symbol>()) {
    symbols.push_back(symbol->name);
  } else if (const auto* array = attribute.As<Attribute::Array>()) {
    for (const Attribute& element : array->elements) {
      AppendSymbols(element, symbols);
    }
  }
}

void AppendSymbols(const Region& region, std::vector<std::string>& symbols) {
  for (const auto& op : region.ops()) {
    for (const auto& [name, attribute] : op->attributes().entries()) {
      AppendSymbols(attribute, symbols);
    }
    for (const auto& nested : op->regions()) AppendSymbols(*nested, symbols);
  }
}

// The functions that the entry function names, directly or not.
absl::flat_hash_set<const Function*> ReachedFunctions(const Module& module,
                                                      const Function& entry) {
  absl::flat_hash_set<const Function*> reached = {&entry};
  std::vector<const Function*> pending = {&entry};
  while (!pending.empty()) {
    std::vector<std::string> symbols;
    AppendSymbols(pending.back()->body(), symbols);
    pending.pop_back();
    for (const std::string& symbol : symbols) {
      const Function* function = module.FindFunction(symbol);
      if (function == nullptr || !reached.insert(function).second) continue;
      pending.push_back(function);
    }
  }
  return reached;
}

}  // namespace

Pass EliminateDeadCode() {
  return {"eliminate_dead_code", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(const Function* entry, module.EntryFunction());
            const auto reached = ReachedFunctions(module, *entry);
            module.EraseFunctions([&](const Function& function) {
              return !reached.contains(&function);
            });
            const SideEffects effects(module);
            for (const auto& function : module.functions()) {
              DeadOps(effects).Erase(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
