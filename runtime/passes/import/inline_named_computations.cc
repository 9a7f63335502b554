#include "runtime/passes/import/inline_named_computations.h"

#include <memory>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_builder.h"

namespace lockstep::internal {
namespace {

class Inliner {
 public:
  absl::Status Rebuild(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      RETURN_IF_ERROR(Place(std::move(op), region));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Place(std::unique_ptr<Op> op, Region& region) {
    for (int i = 0; i < op->operand_count(); ++i) {
      op->set_operand(i, map_.Find(op->operand(i)));
    }
    if (op->name() == "sdy.named_computation") {
      return Inline(std::move(op), region);
    }
    for (const auto& inner : op->regions()) RETURN_IF_ERROR(Rebuild(*inner));
    region.Append(std::move(op));
    return absl::OkStatus();
  }

  absl::Status Inline(std::unique_ptr<Op> op, Region& region) {
    Region& body = op->region();
    for (int i = 0; i < op->operand_count(); ++i) {
      ASSIGN_OR_RETURN(Value * operand, Constrained(*op, "in_shardings", i,
                                                    op->operand(i), region));
      map_.Set(body.arguments()[i].get(), operand);
    }
    std::vector<std::unique_ptr<Op>> ops = std::move(body.mutable_ops());
    body.mutable_ops().clear();
    std::unique_ptr<Op> end = std::move(ops.back());
    ops.pop_back();
    for (std::unique_ptr<Op>& inner : ops) {
      RETURN_IF_ERROR(Place(std::move(inner), region));
    }
    for (int i = 0; i < op->result_count(); ++i) {
      ASSIGN_OR_RETURN(Value * result,
                       Constrained(*op, "out_shardings", i,
                                   map_.Find(end->operand(i)), region));
      map_.Set(op->result(i), result);
    }
    inlined_.push_back(std::move(op));
    return absl::OkStatus();
  }

  static absl::StatusOr<Value*> Constrained(const Op& op,
                                            absl::string_view shardings, int i,
                                            Value* value, Region& region) {
    const Attribute* attribute = op.attribute(shardings);
    if (attribute == nullptr || !value->type().is_tensor()) return value;
    OpBuilder builder(&region);
    builder.set_location(op.location());
    OpState state;
    state.name = "sdy.sharding_constraint";
    state.operands = {value};
    state.attributes.Set(
        "sharding",
        Attribute::Sharding{
            attribute->As<Attribute::ShardingPerValue>()->values[i]});
    ASSIGN_OR_RETURN(Op * constraint, builder.Build(std::move(state)));
    return constraint->result();
  }

  ValueMap map_;
  // Kept until the end: the map knows values by their addresses.
  std::vector<std::unique_ptr<Op>> inlined_;
};

}  // namespace

absl::Status InlineNamedComputations(Region& region) {
  return Inliner().Rebuild(region);
}

}  // namespace lockstep::internal
