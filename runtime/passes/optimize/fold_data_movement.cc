#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/dim_maps.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

// The forms that chains of movements take, so that kernels and other passes
// see one of a kind:
//   - a movement of a movement is one movement;
//   - what changes no order is a reshape;
//   - a broadcast reads a tensor without dims of size 1;
//   - a reshape stands after elementwise ops, not before.

// A chain of concatenates would give ever longer lists of parts.
constexpr size_t kMaxParts = 128;

constexpr char kReshape[] = "stablehlo.reshape";
constexpr char kBroadcast[] = "stablehlo.broadcast_in_dim";
constexpr char kTranspose[] = "stablehlo.transpose";

const Op* Movement(const Value* value, absl::string_view name) {
  const Op* op = value->defining_op();
  return op != nullptr && op->name() == name ? op : nullptr;
}

DimList ListOf(const Op& op, absl::string_view name) {
  auto list = op.IntegersAttribute(name);
  return list.ok() ? *std::move(list) : DimList();
}
DimList BroadcastDims(const Op& op) {
  return ListOf(op, "broadcast_dimensions");
}
DimList Permutation(const Op& op) { return ListOf(op, "permutation"); }

Value* Reshape(Value* value, const Shape& shape, Rewriter& rewriter) {
  if (value->type() == Type(shape)) return value;
  return rewriter.Create(kReshape, {value}, shape);
}
Value* Broadcast(Value* value, absl::Span<const int64_t> dims,
                 const Type& result, Rewriter& rewriter) {
  AttributeMap attributes;
  attributes.Set("broadcast_dimensions", Attribute::I64Array(dims));
  return rewriter.Create(kBroadcast, {value}, result, std::move(attributes));
}
Value* Transpose(Value* value, absl::Span<const int64_t> permutation,
                 const Type& result, Rewriter& rewriter) {
  AttributeMap attributes;
  attributes.Set("permutation", Attribute::I64Array(permutation));
  return rewriter.Create(kTranspose, {value}, result, std::move(attributes));
}

// A reshape of a broadcast that adds or removes dims of size 1 only.
Value* ReshapeOfBroadcast(const Op& reshape, const Op& broadcast,
                          Rewriter& rewriter) {
  const Shape& from = broadcast.result()->shape();
  const Shape& to = reshape.result()->shape();
  const DimList from_large = LargeDims(from);
  const DimList to_large = LargeDims(to);
  if (OnlyDims(from, from_large) != OnlyDims(to, to_large)) return nullptr;
  DimList dims = BroadcastDims(broadcast);
  for (int64_t& dim : dims) {
    const auto found = std::find(from_large.begin(), from_large.end(), dim);
    if (found == from_large.end()) return nullptr;
    dim = to_large[found - from_large.begin()];
  }
  return Broadcast(broadcast.operand(0), dims, reshape.result()->type(),
                   rewriter);
}

Value* FoldReshape(const Op& op, Rewriter& rewriter) {
  Value* operand = op.operand(0);
  if (operand->type() == op.result()->type()) return operand;
  if (const Op* inner = Movement(operand, kReshape)) {
    return Reshape(inner->operand(0), op.result()->shape(), rewriter);
  }
  if (const Op* inner = Movement(operand, kBroadcast)) {
    return ReshapeOfBroadcast(op, *inner, rewriter);
  }
  return nullptr;
}

Value* FoldBroadcast(const Op& op, Rewriter& rewriter) {
  Value* operand = op.operand(0);
  const Shape& from = operand->shape();
  const Shape& to = op.result()->shape();
  const DimList dims = BroadcastDims(op);
  if (from.element_count() == to.element_count()) {
    // The dims of size 1 may stand anywhere.
    const DimList large = LargeDims(from);
    if (IsAscending(Compose(dims, large)))
      return Reshape(operand, to, rewriter);
  }
  const DimList large = LargeDims(from);
  if (static_cast<int64_t>(large.size()) < from.rank()) {
    return Broadcast(Reshape(operand, OnlyDims(from, large), rewriter),
                     Compose(dims, large), to, rewriter);
  }
  if (const Op* inner = Movement(operand, kBroadcast)) {
    return Broadcast(inner->operand(0), Compose(dims, BroadcastDims(*inner)),
                     to, rewriter);
  }
  if (const Op* inner = Movement(operand, kTranspose)) {
    return Broadcast(inner->operand(0),
                     Compose(dims, Inverse(Permutation(*inner))), to, rewriter);
  }
  return nullptr;
}

Value* FoldTranspose(const Op& op, Rewriter& rewriter) {
  Value* operand = op.operand(0);
  const DimList permutation = Permutation(op);
  if (IsIota(permutation)) return operand;
  DimList large;
  for (int64_t dim : permutation) {
    if (operand->shape().dim(dim) != 1) large.push_back(dim);
  }
  if (IsAscending(large)) {
    return Reshape(operand, op.result()->shape(), rewriter);
  }
  if (const Op* inner = Movement(operand, kTranspose)) {
    return Transpose(inner->operand(0),
                     Compose(Permutation(*inner), permutation),
                     op.result()->type(), rewriter);
  }
  if (const Op* inner = Movement(operand, kBroadcast)) {
    return Broadcast(inner->operand(0),
                     Compose(Inverse(permutation), BroadcastDims(*inner)),
                     op.result()->type(), rewriter);
  }
  return nullptr;
}

Value* FoldSlice(const Op& op, Rewriter& rewriter) {
  Value* operand = op.operand(0);
  if (operand->type() == op.result()->type()) return operand;
  const Op* inner = Movement(operand, "stablehlo.slice");
  if (inner == nullptr) return nullptr;
  DimList start = ListOf(op, "start_indices");
  DimList limit = ListOf(op, "limit_indices");
  DimList strides = ListOf(op, "strides");
  const DimList inner_start = ListOf(*inner, "start_indices");
  const DimList inner_strides = ListOf(*inner, "strides");
  if (strides.empty()) strides.assign(start.size(), 1);
  for (size_t i = 0; i < start.size(); ++i) {
    const int64_t step = inner_strides.empty() ? 1 : inner_strides[i];
    // The last element that is taken, and one more.
    const int64_t count = op.result()->shape().dim(static_cast<int64_t>(i));
    const int64_t last = start[i] + (count - 1) * strides[i];
    start[i] = inner_start[i] + start[i] * step;
    limit[i] = inner_start[i] + last * step + 1;
    strides[i] *= step;
  }
  AttributeMap attributes;
  attributes.Set("start_indices", Attribute::I64Array(start));
  attributes.Set("limit_indices", Attribute::I64Array(limit));
  attributes.Set("strides", Attribute::I64Array(strides));
  return rewriter.Create("stablehlo.slice", {inner->operand(0)},
                         op.result()->type(), std::move(attributes));
}

// The parts of parts that nobody else needs are parts.
Value* FoldConcatenate(const Op& op, Rewriter& rewriter) {
  if (op.operand_count() == 1) return op.operand(0);
  std::vector<Value*> parts;
  for (Value* operand : op.operands()) {
    const Op* inner = Movement(operand, "stablehlo.concatenate");
    if (inner != nullptr && rewriter.UseCount(operand) == 1 &&
        *inner->attribute("dimension") == *op.attribute("dimension")) {
      parts.insert(parts.end(), inner->operands().begin(),
                   inner->operands().end());
    } else {
      parts.push_back(operand);
    }
  }
  if (static_cast<int>(parts.size()) == op.operand_count() ||
      parts.size() > kMaxParts) {
    return nullptr;
  }
  return rewriter.CreateLike(op, std::move(parts), op.result()->type());
}

// A dynamic_slice from known places.
Value* FoldDynamicSlice(const Op& op, Rewriter& rewriter) {
  const Shape& from = op.operand(0)->shape();
  const Shape& to = op.result()->shape();
  if (from == to) return op.operand(0);
  DimList start, limit;
  for (int64_t i = 0; i < from.rank(); ++i) {
    const auto index = SplatNumber(op.operand(static_cast<int>(i) + 1));
    if (!index.has_value()) return nullptr;
    const auto room = static_cast<double>(from.dim(i) - to.dim(i));
    start.push_back(
        static_cast<int64_t>(std::min(std::max(*index, 0.0), room)));
    limit.push_back(start.back() + to.dim(i));
  }
  AttributeMap attributes;
  attributes.Set("start_indices", Attribute::I64Array(start));
  attributes.Set("limit_indices", Attribute::I64Array(limit));
  attributes.Set("strides", Attribute::I64Array(DimList(start.size(), 1)));
  return rewriter.Create("stablehlo.slice", {op.operand(0)},
                         op.result()->type(), std::move(attributes));
}

Value* FoldDynamicUpdateSlice(const Op& op, Rewriter&) {
  return op.operand(0)->type() == op.operand(1)->type() ? op.operand(1)
                                                        : nullptr;
}

// f(reshape x, reshape y, splat) is reshape f(x, y, splat).
Value* SinkReshape(const Op& op, Rewriter& rewriter) {
  const Shape& to = op.result()->shape();
  if (op.name() == "stablehlo.bitcast_convert") return nullptr;
  std::optional<Dims> from;
  for (const Value* operand : op.operands()) {
    const Op* reshape = Movement(operand, kReshape);
    if (reshape == nullptr) {
      if (SplatOf(operand) == nullptr) return nullptr;
      continue;
    }
    if (operand->shape().dims() != to.dims()) return nullptr;
    const auto dims = reshape->operand(0)->shape().dims();
    if (from.has_value() && absl::MakeConstSpan(*from) != dims) return nullptr;
    from.emplace(dims.begin(), dims.end());
  }
  if (!from.has_value()) return nullptr;
  std::vector<Value*> operands;
  for (Value* operand : op.operands()) {
    if (const Op* reshape = Movement(operand, kReshape)) {
      operands.push_back(reshape->operand(0));
    } else if (operand->shape().dims() != to.dims()) {
      operands.push_back(operand);
    } else {
      const Attribute::Elements& splat = *SplatOf(operand);
      const ElementType type = splat.shape.element_type();
      operands.push_back(rewriter.CreateSplat(
          Shape(type, *from), Literal::CopyOf(LiteralView(
                                  Shape(type, {}), splat.values->bytes()))));
    }
  }
  return Reshape(rewriter.CreateLike(op, std::move(operands),
                                     Shape(to.element_type(), *from)),
                 to, rewriter);
}

Value* Fold(const Op& op, Rewriter& rewriter) {
  static const auto& rules =
      *new absl::flat_hash_map<std::string, Rewriter::Rule>{
          {kBroadcast, FoldBroadcast},
          {kReshape, FoldReshape},
          {kTranspose, FoldTranspose},
          {"stablehlo.concatenate", FoldConcatenate},
          {"stablehlo.dynamic_slice", FoldDynamicSlice},
          {"stablehlo.dynamic_update_slice", FoldDynamicUpdateSlice},
          {"stablehlo.slice", FoldSlice},
      };
  if (op.def()->kind() == OpKind::kElementwise) {
    return SinkReshape(op, rewriter);
  }
  const auto rule = rules.find(op.name());
  return rule == rules.end() ? nullptr : rule->second(op, rewriter);
}

}  // namespace

Pass FoldDataMovement() {
  return {"fold_data_movement", [](Module& module) {
            Rewriter({Fold}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
