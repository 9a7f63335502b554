#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {
namespace {

// Calls stay calls when all functions together would grow beyond this.
constexpr int64_t kMaxOps = int64_t{1} << 18;

const Function* CalleeOf(const Module& module, const Op& op) {
  const Attribute* callee = nullptr;
  if (op.name() == "func.call") callee = op.attribute("callee");
  if (op.name() == "stablehlo.composite") {
    callee = op.attribute("decomposition");
  }
  if (callee == nullptr) return nullptr;
  const auto* symbol = callee->As<Attribute::Symbol>();
  return symbol == nullptr ? nullptr : module.FindFunction(symbol->name);
}

void AppendCallees(const Module& module, const Region& region,
                   std::vector<const Function*>& callees) {
  for (const auto& op : region.ops()) {
    if (const Function* callee = CalleeOf(module, *op)) {
      callees.push_back(callee);
    }
    for (const auto& nested : op->regions()) {
      AppendCallees(module, *nested, callees);
    }
  }
}

// The functions that `entry` reaches, callees before callers. Calls are not
// recursive: the module is verified.
std::vector<const Function*> CalleesFirst(const Module& module,
                                          const Function& entry) {
  struct Visit {
    const Function* function;
    std::vector<const Function*> callees;
    size_t next = 0;
  };
  std::vector<const Function*> order;
  absl::flat_hash_set<const Function*> seen = {&entry};
  std::vector<Visit> stack;
  const auto push = [&](const Function& function) {
    stack.push_back({&function, {}, 0});
    AppendCallees(module, function.body(), stack.back().callees);
  };
  push(entry);
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.next == visit.callees.size()) {
      order.push_back(visit.function);
      stack.pop_back();
      continue;
    }
    const Function* callee = visit.callees[visit.next++];
    if (seen.insert(callee).second) push(*callee);
  }
  return order;
}

int64_t CountOps(const Region& region) {
  int64_t count = static_cast<int64_t>(region.ops().size());
  for (const auto& op : region.ops()) {
    for (const auto& nested : op->regions()) count += CountOps(*nested);
  }
  return count;
}

class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module) {
    for (const auto& function : module.functions()) {
      total_ += CountOps(function->body());
    }
  }

  void Run(Function& function) {
    ValueMap map;
    Rebuild(function.body(), map);
    sizes_[&function] = CountOps(function.body());
  }

 private:
  void Rebuild(Region& region, ValueMap& map) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map.Find(op->operand(i)));
      }
      const Function* callee = CalleeOf(module_, *op);
      if (callee != nullptr && total_ + sizes_[callee] <= kMaxOps) {
        Inline(*op, *callee, region, map);
        inlined_.push_back(std::move(op));
        continue;
      }
      for (const auto& nested : op->regions()) Rebuild(*nested, map);
      region.Append(std::move(op));
    }
  }

  void Inline(const Op& call, const Function& callee, Region& region,
              ValueMap& map) {
    total_ += sizes_[&callee];
    ValueMap body;
    for (int i = 0; i < call.operand_count(); ++i) {
      body.Set(callee.body().arguments()[i].get(), call.operand(i));
    }
    const Op& end = *callee.body().terminator();
    for (const auto& op : callee.body().ops()) {
      if (op.get() != &end) region.Append(CloneOp(*op, body));
    }
    for (int i = 0; i < call.result_count(); ++i) {
      map.Set(call.result(i), body.Find(end.operand(i)));
    }
  }

  const Module& module_;
  absl::flat_hash_map<const Function*, int64_t> sizes_;
  int64_t total_ = 0;
  // Kept until the end: the addresses of their results are keys of maps.
  std::vector<std::unique_ptr<Op>> inlined_;
};

}  // namespace

Pass InlineCalls() {
  return {"inline_calls", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(const Function* entry, module.EntryFunction());
            Inliner inliner(module);
            for (const Function* function : CalleesFirst(module, *entry)) {
              inliner.Run(*module.FindFunction(function->name()));
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
