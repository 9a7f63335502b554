#include "runtime/passes/import/op_walk.h"

#include "absl/container/flat_hash_set.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

class FreeValueFinder {
 public:
  std::vector<Value*> Find(const Op& op) {
    Visit(op);
    return std::move(free_);
  }
  std::vector<Value*> Find(const Region& region) {
    Visit(region);
    return std::move(free_);
  }

 private:
  void Visit(const Op& op) {
    for (Value* operand : op.operands()) {
      if (!inside_.contains(operand) && seen_.insert(operand).second) {
        free_.push_back(operand);
      }
    }
    for (const auto& region : op.regions()) Visit(*region);
  }
  void Visit(const Region& region) {
    for (const auto& argument : region.arguments()) {
      inside_.insert(argument.get());
    }
    for (const auto& op : region.ops()) {
      Visit(*op);
      for (const auto& result : op->results()) inside_.insert(result.get());
    }
  }

  absl::flat_hash_set<const Value*> inside_;
  absl::flat_hash_set<const Value*> seen_;
  std::vector<Value*> free_;
};

}  // namespace

absl::Status ForEachOp(const Region& region,
                       absl::FunctionRef<absl::Status(Op&)> visit) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(visit(*op));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(ForEachOp(*inner, visit));
    }
  }
  return absl::OkStatus();
}

absl::Status ForEachOp(const Module& module,
                       absl::FunctionRef<absl::Status(Op&)> visit) {
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(ForEachOp(function->body(), visit));
  }
  return absl::OkStatus();
}

std::vector<Value*> FreeValues(const Op& op) {
  return FreeValueFinder().Find(op);
}

std::vector<Value*> FreeValues(const Region& region) {
  return FreeValueFinder().Find(region);
}

void RemapOperands(Op& op, const ValueMap& map) {
  for (int i = 0; i < op.operand_count(); ++i) {
    op.set_operand(i, map.Find(op.operand(i)));
  }
  for (const auto& region : op.regions()) {
    for (const auto& inner : region->ops()) RemapOperands(*inner, map);
  }
}

}  // namespace lockstep::internal
