#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/side_effects.h"

namespace lockstep::internal {
namespace {

// What makes much of little stays in the loop: it would live through all of it.
constexpr double kMaxGrowth = 2;
constexpr double kSmallBytes = 4096;

class InvariantHoister {
 public:
  explicit InvariantHoister(const SideEffects& effects) : effects_(effects) {}

  void Run(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      if (op->name() == "stablehlo.while") {
        op = WithoutInvariantState(std::move(op));
      }
      for (const auto& nested : op->regions()) Run(*nested);
      if (op->name() == "stablehlo.while") Hoist(*op, region);
      region.Append(std::move(op));
    }
  }

 private:
  // State that the body gives back as it got it is not state: the regions use
  // the initial value instead.
  std::unique_ptr<Op> WithoutInvariantState(std::unique_ptr<Op> loop) {
    const std::vector<Value*>& next = loop->region(1).terminator()->operands();
    std::vector<int> kept;
    for (int i = 0; i < loop->operand_count(); ++i) {
      if (next[i] != loop->region(1).arguments()[i].get()) kept.push_back(i);
    }
    if (static_cast<int>(kept.size()) == loop->operand_count() ||
        kept.empty()) {
      return loop;
    }
    OpState state = StateLike(*loop);
    for (int i : kept) {
      state.operands.push_back(loop->operand(i));
      state.result_types.push_back(loop->operand(i)->type());
    }
    for (int r = 0; r < 2; ++r) {
      state.regions.push_back(WithState(*loop, loop->region(r), kept, r == 1));
    }
    auto smaller = std::make_unique<Op>(std::move(state));
    for (int i = 0; i < loop->operand_count(); ++i) {
      map_.Set(loop->result(i), loop->operand(i));
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      map_.Set(loop->result(kept[i]), smaller->result(static_cast<int>(i)));
    }
    replaced_.push_back(std::move(loop));
    return smaller;
  }

  // The ops of `from` in a region whose arguments are those of `kept`.
  std::unique_ptr<Region> WithState(const Op& loop, Region& from,
                                    const std::vector<int>& kept,
                                    bool is_body) {
    auto region = std::make_unique<Region>();
    for (int i = 0; i < loop.operand_count(); ++i) {
      map_.Set(from.arguments()[i].get(), loop.operand(i));
    }
    for (int i : kept) {
      map_.Set(from.arguments()[i].get(),
               region->AddArgument(from.arguments()[i]->type()));
    }
    for (std::unique_ptr<Op>& op : from.mutable_ops()) {
      region->Append(std::move(op));
    }
    from.mutable_ops().clear();
    if (!is_body) return region;
    OpState end = StateLike(*region->terminator());
    for (int i : kept) {
      end.operands.push_back(region->terminator()->operand(i));
    }
    region->mutable_ops().pop_back();
    region->Append(std::make_unique<Op>(std::move(end)));
    return region;
  }

  // Moves what does not change to `outside`, where the loop will be appended.
  void Hoist(Op& loop, Region& outside) {
    absl::flat_hash_set<const Value*> changing;
    for (int r = 0; r < 2; ++r) {
      Region& region = loop.region(r);
      for (const auto& argument : region.arguments()) {
        changing.insert(argument.get());
      }
      for (std::unique_ptr<Op>& op : region.mutable_ops()) {
        if (CanHoist(*op, changing)) {
          outside.Append(std::move(op));
          continue;
        }
        for (const auto& result : op->results()) changing.insert(result.get());
      }
      std::erase(region.mutable_ops(), nullptr);
    }
  }

  bool CanHoist(const Op& op,
                const absl::flat_hash_set<const Value*>& changing) const {
    // Control flow might not end, and a callback might fail, when the loop
    // would not have run it.
    if (op.def() == nullptr || op.def()->is_terminator() || effects_.Has(op) ||
        op.def()->kind() == OpKind::kControlFlow ||
        op.def()->kind() == OpKind::kCustomCall ||
        op.def()->kind() == OpKind::kIdentity || UsesAny(op, changing)) {
      return false;
    }
    double read = 0;  // sums of sizes may exceed 64 bits
    double written = 0;
    for (const Value* operand : op.operands()) {
      if (!operand->type().is_tensor()) return false;
      read += static_cast<double>(operand->shape().byte_size());
    }
    for (const auto& result : op.results()) {
      if (!result->type().is_tensor()) return false;
      written += static_cast<double>(result->shape().byte_size());
    }
    return written <= kSmallBytes || op.def()->kind() == OpKind::kConstant ||
           written <= kMaxGrowth * read;
  }

  static bool UsesAny(const Op& op,
                      const absl::flat_hash_set<const Value*>& values) {
    for (const Value* operand : op.operands()) {
      if (values.contains(operand)) return true;
    }
    for (const auto& region : op.regions()) {
      for (const auto& nested : region->ops()) {
        if (UsesAny(*nested, values)) return true;
      }
    }
    return false;
  }

  const SideEffects& effects_;
  ValueMap map_;
  // Kept until the end: the addresses of their values are keys of map_.
  std::vector<std::unique_ptr<Op>> replaced_;
};

}  // namespace

Pass HoistLoopInvariants() {
  return {"hoist_loop_invariants", [](Module& module) {
            const SideEffects effects(module);
            for (const auto& function : module.functions()) {
              InvariantHoister(effects).Run(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
