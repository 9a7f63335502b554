#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/op_key.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/side_effects.h"

namespace lockstep::internal {
namespace {

// An op by what it computes; the hash is kept, since operands change.
struct Computation {
  const Op* op;
  size_t hash;
  friend bool operator==(const Computation& a, const Computation& b) {
    return a.hash == b.hash && ComputesSame(*a.op, *b.op);
  }
  template <typename H>
  friend H AbslHashValue(H h, const Computation& computation) {
    return H::combine(std::move(h), computation.hash);
  }
};

class CommonSubexpressions {
 public:
  explicit CommonSubexpressions(const SideEffects& effects)
      : effects_(effects) {}

  // What a region computes is known in it and in the regions of its ops.
  void Run(Region& region) {
    std::vector<Computation> own;
    for (std::unique_ptr<Op>& op : region.mutable_ops()) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      for (const auto& nested : op->regions()) Run(*nested);
      if (!IsCandidate(*op)) continue;
      const Computation computation = {op.get(), ComputationHash(*op)};
      const auto [known, is_new] = known_.emplace(computation, op.get());
      if (is_new) {
        own.push_back(computation);
        continue;
      }
      for (int i = 0; i < op->result_count(); ++i) {
        map_.Set(op->result(i), known->second->result(i));
      }
      erased_.push_back(std::move(op));
    }
    for (const Computation& computation : own) known_.erase(computation);
    std::erase(region.mutable_ops(), nullptr);
  }

 private:
  bool IsCandidate(const Op& op) const {
    // A barrier separates what is computed before from what comes after.
    return op.result_count() > 0 && op.def() != nullptr &&
           op.def()->kind() != OpKind::kIdentity && !effects_.Has(op);
  }

  const SideEffects& effects_;
  ValueMap map_;
  absl::flat_hash_map<Computation, Op*> known_;
  // Kept until the end: the addresses of their results are keys of map_.
  std::vector<std::unique_ptr<Op>> erased_;
};

}  // namespace

Pass EliminateCommonSubexpressions() {
  return {"eliminate_common_subexpressions",
          [](Module& module) -> absl::Status {
            const SideEffects effects(module);
            for (const auto& function : module.functions()) {
              CommonSubexpressions(effects).Run(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
