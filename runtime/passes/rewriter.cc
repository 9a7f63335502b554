#include "runtime/passes/rewriter.h"

#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

// Rules apply to what rules made, so deep.
constexpr int kMaxDepth = 8;

}  // namespace

void Rewriter::Run(Module& module) {
  for (const auto& function : module.functions()) CountUses(function->body());
  for (const auto& function : module.functions()) Run(function->body());
}

void Rewriter::CountUses(const Region& region) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) ++uses_[operand];
    for (const auto& nested : op->regions()) CountUses(*nested);
  }
}

int Rewriter::UseCount(const Value* value) const {
  const auto found = uses_.find(value);
  return found == uses_.end() ? 0 : found->second;
}

void Rewriter::Run(Region& region) {
  std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
  region.mutable_ops().clear();
  region.mutable_ops().reserve(ops.size());
  for (std::unique_ptr<Op>& op : ops) {
    for (int i = 0; i < op->operand_count(); ++i) {
      op->set_operand(i, map_.Find(op->operand(i)));
    }
    for (const auto& nested : op->regions()) Run(*nested);
    region_ = &region;
    current_ = op.get();
    if (Value* value = Apply(*op)) {
      map_.Set(op->result(), value);
      uses_[value] += UseCount(op->result());
      for (const Value* operand : op->operands()) --uses_[operand];
    }
    region.Append(std::move(op));
  }
}

Value* Rewriter::Apply(const Op& op) {
  if (op.result_count() != 1 || op.def() == nullptr) return nullptr;
  // Rules need not think of tensors without elements.
  const Type& type = op.result()->type();
  if (type.is_tensor() && type.shape().element_count() == 0) return nullptr;
  for (Rule rule : rules_) {
    if (Value* value = rule(op, *this)) return value;
  }
  return nullptr;
}

Value* Rewriter::Insert(OpState state) {
  state.def = OpRegistry::Get().Find(state.name);
  state.location = current_->location();
  Op* op = region_->Append(std::make_unique<Op>(std::move(state)));
  for (const Value* operand : op->operands()) ++uses_[operand];
  if (depth_ == kMaxDepth) return op->result();
  ++depth_;
  Value* value = Apply(*op);
  --depth_;
  return value == nullptr ? op->result() : value;
}

Value* Rewriter::Create(absl::string_view name, std::vector<Value*> operands,
                        Type result, AttributeMap attributes,
                        std::vector<std::unique_ptr<Region>> regions) {
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  state.result_types.push_back(std::move(result));
  state.attributes = std::move(attributes);
  state.regions = std::move(regions);
  return Insert(std::move(state));
}

Value* Rewriter::CreateLike(const Op& op, std::vector<Value*> operands,
                            Type result) {
  OpState state = StateLike(op);
  state.operands = std::move(operands);
  state.result_types.push_back(std::move(result));
  for (const auto& region : op.regions()) {
    ValueMap map;
    state.regions.push_back(CloneRegion(*region, map));
  }
  return Insert(std::move(state));
}

Value* Rewriter::CreateConstant(Attribute::Elements value) {
  AttributeMap attributes;
  const Shape shape = value.shape;
  attributes.Set("value", std::move(value));
  return Create("stablehlo.constant", {}, shape, std::move(attributes));
}

Value* Rewriter::CreateSplat(const Shape& shape, Literal scalar) {
  Attribute::Elements value;
  value.shape = shape;
  value.values = std::make_shared<const Literal>(std::move(scalar));
  value.is_splat = true;
  return CreateConstant(std::move(value));
}

}  // namespace lockstep::internal
