#include "runtime/ops/op_expansion.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

absl::flat_hash_map<std::string, ExpandFn>& Expansions() {
  static auto& expansions = *new absl::flat_hash_map<std::string, ExpandFn>;
  return expansions;
}

// By target of custom_call.
absl::flat_hash_map<std::string, ExpandFn>& CallExpansions() {
  static auto& expansions = *new absl::flat_hash_map<std::string, ExpandFn>;
  return expansions;
}

// Null for ops that stay.
ExpandFn ExpansionOf(const Op& op) {
  const absl::string_view target = CustomCallTargetName(op);
  const auto& expansions = target.empty() ? Expansions() : CallExpansions();
  const auto found = expansions.find(target.empty() ? op.name() : target);
  return found == expansions.end() ? nullptr : found->second;
}

std::unique_ptr<Op> MakeOp(OpState state, const Location& location) {
  state.def = OpRegistry::Get().Find(state.name);
  state.location = location;
  return std::make_unique<Op>(std::move(state));
}

bool IsReductionOverDevices(const Op& op) {
  return op.name() == "stablehlo.all_reduce" ||
         op.name() == "stablehlo.reduce_scatter" ||
         op.name() == "stablehlo.collective_reduce";
}

struct NamedCall {
  absl::string_view target;
  absl::string_view op;
};

// Elementwise ops that artifacts of other dialects write as custom calls.
constexpr NamedCall kElementwiseCalls[] = {
    {"mhlo.acos", "chlo.acos"},   {"mhlo.acosh", "chlo.acosh"},
    {"mhlo.asin", "chlo.asin"},   {"mhlo.asinh", "chlo.asinh"},
    {"mhlo.atanh", "chlo.atanh"}, {"mhlo.cosh", "chlo.cosh"},
    {"mhlo.erf", "chlo.erf"},     {"mhlo.sinh", "chlo.sinh"},
    {"mhlo.tan", "chlo.tan"},
};

// "" for those that stay.
absl::string_view OpOfCall(const Op& op) {
  const absl::string_view target = CustomCallTargetName(op);
  for (const NamedCall& call : kElementwiseCalls) {
    if (call.target == target) return call.op;
  }
  return "";
}

// The attributes that say how the results of any op are split.
AttributeMap ShardingAttributes(const Op& op) {
  AttributeMap attributes;
  for (const char* name :
       {"mhlo.frontend_attributes", "mhlo.sharding", "sdy.sharding"}) {
    const Attribute* attribute = op.attribute(name);
    if (attribute != nullptr) attributes.Set(name, *attribute);
  }
  return attributes;
}

// body(x, y) = x + y.
std::unique_ptr<Region> SumBody(ElementType type, const Location& location) {
  const Shape scalar(type, {});
  auto region = std::make_unique<Region>();
  OpState sum;
  sum.name = "stablehlo.add";
  sum.operands = {region->AddArgument(scalar), region->AddArgument(scalar)};
  sum.result_types = {scalar};
  const Op* added = region->Append(MakeOp(std::move(sum), location));
  OpState end;
  end.name = "stablehlo.return";
  end.operands = {added->result()};
  region->Append(MakeOp(std::move(end), location));
  return region;
}

}  // namespace

Value* ExpansionBuilder::Create(absl::string_view name,
                                std::vector<Value*> operands, Type result,
                                AttributeMap attributes,
                                std::vector<std::unique_ptr<Region>> regions) {
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  state.result_types = {std::move(result)};
  state.attributes = std::move(attributes);
  state.regions = std::move(regions);
  Op* op = region_->Append(MakeOp(std::move(state), location_));
  if (status_.ok()) status_ = op->def()->verify()(*op);
  return op->result();
}

Value* ExpansionBuilder::Elementwise(absl::string_view name,
                                     std::vector<Value*> operands) {
  Type type = operands[0]->type();
  return Create(absl::StrCat("stablehlo.", name), std::move(operands),
                std::move(type));
}

Value* ExpansionBuilder::Splat(const Shape& shape, double value) {
  Literal scalar(Shape(shape.element_type(), {}));
  ConvertElements(Literal::Scalar(value), scalar.mutable_view());
  Attribute::Elements elements;
  elements.shape = shape;
  elements.values = std::make_shared<const Literal>(std::move(scalar));
  elements.is_splat = true;
  AttributeMap attributes;
  attributes.Set("value", std::move(elements));
  return Create("stablehlo.constant", {}, shape, std::move(attributes));
}

Value* ExpansionBuilder::Broadcast(Value* value,
                                   absl::Span<const int64_t> positions,
                                   absl::Span<const int64_t> dims) {
  if (value->shape().dims() == dims) return value;
  AttributeMap attributes;
  attributes.Set("broadcast_dimensions", Attribute::I64Array(positions));
  return Create("stablehlo.broadcast_in_dim", {value},
                Shape(value->shape().element_type(), dims),
                std::move(attributes));
}

Value* ExpansionBuilder::Sum(Value* value, absl::Span<const int64_t> dims) {
  const Shape& shape = value->shape();
  Dims kept;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (!absl::c_linear_search(dims, i)) kept.push_back(shape.dim(i));
  }
  AttributeMap attributes;
  attributes.Set("dimensions", Attribute::I64Array(dims));
  std::vector<std::unique_ptr<Region>> regions;
  regions.push_back(SumBody(shape.element_type(), location_));
  Value* zero = Splat(Shape(shape.element_type(), {}), 0);
  return Create("stablehlo.reduce", {value, zero},
                Shape(shape.element_type(), kept), std::move(attributes),
                std::move(regions));
}

// Rebuilds the lists of ops; what is replaced lives until the end, since the
// addresses of its results are keys.
class OpExpander {
 public:
  absl::Status Run(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    region.mutable_ops().reserve(ops.size());
    absl::Status status;
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      for (const auto& nested : op->regions()) {
        if (status.ok()) status = Run(*nested);
      }
      if (IsReductionOverDevices(*op)) {
        ConvertOperands(*op, region);
        if (status.ok()) status = builder_.status();
      }
      if (!OpOfCall(*op).empty() && status.ok()) {
        status = ReplaceCall(*op, OpOfCall(*op), region);
        replaced_.push_back(std::move(op));
        continue;
      }
      const ExpandFn expansion = ExpansionOf(*op);
      if (expansion == nullptr || !status.ok()) {
        region.Append(std::move(op));
        continue;
      }
      status = Expand(*op, expansion, region);
      replaced_.push_back(std::move(op));
    }
    return status;
  }

 private:
  // What the devices exchange has the type of the body, which may be wider than
  // that of the operands (C5 of all_reduce): a mean of bf16 that is summed in
  // f32. Roots, which come last, stay.
  void ConvertOperands(Op& op, Region& region) {
    builder_.region_ = &region;
    builder_.location_ = op.location();
    const ElementType type = op.region().arguments()[0]->shape().element_type();
    for (int i = 0; i < op.result_count(); ++i) {
      const Shape& shape = op.operand(i)->shape();
      if (shape.element_type() == type) continue;
      op.set_operand(i, builder_.Create("stablehlo.convert", {op.operand(i)},
                                        Shape(type, shape.dims())));
    }
  }

  absl::Status ReplaceCall(const Op& call, absl::string_view name,
                           Region& region) {
    if (call.operand_count() != 1 || call.result_count() != 1) {
      return call.Error(absl::StrCat(
          "as ", name, ": expected one operand and one result, found ",
          call.operand_count(), " and ", call.result_count()));
    }
    builder_.region_ = &region;
    builder_.location_ = call.location();
    map_.Set(call.result(),
             builder_.Create(name, {call.operand(0)}, call.result()->type(),
                             ShardingAttributes(call)));
    return builder_.status();
  }

  absl::Status Expand(const Op& op, ExpandFn expand, Region& region) {
    builder_.region_ = &region;
    builder_.location_ = op.location();
    ASSIGN_OR_RETURN(const std::vector<Value*> values, expand(op, builder_));
    RETURN_IF_ERROR(builder_.status());
    for (int i = 0; i < op.result_count(); ++i) {
      map_.Set(op.result(i), values[i]);
    }
    return absl::OkStatus();
  }

  ExpansionBuilder builder_;
  ValueMap map_;
  std::vector<std::unique_ptr<Op>> replaced_;
};

void AddExpandedOp(OpDef def, ExpandFn expand) {
  Expansions().emplace(def.name(), expand);
  OpRegistry::Get().Add(std::move(def));
}

void AddExpandedCall(absl::string_view target, ExpandFn expand) {
  CallExpansions().emplace(target, expand);
}

bool IsExpandedOp(absl::string_view name) {
  return Expansions().contains(name);
}

absl::Status ExpandOps(Module& module) {
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(OpExpander().Run(function->body()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
