#include "runtime/passes/partition/local_select.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/halo_exchange.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// A type that has all values of another one, and one more.
struct WideType {
  ElementType type;
  double extra;
};

std::optional<WideType> WideTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBF16:
    case ElementType::kF32:
      return WideType{ElementType::kF64, 1 + 1.0 / (int64_t{1} << 40)};
    default:
      break;
  }
  if (IsInteger(type) && BitWidth(type) >= 8 && BitWidth(type) <= 32) {
    return WideType{ElementType::kS64, static_cast<double>(int64_t{1} << 40)};
  }
  return std::nullopt;
}

// What the combiner adds without a trace: to -0, zero would leave one.
Literal NeutralOf(Combiner combiner) {
  const ElementType type = combiner.identity.shape().element_type();
  if (combiner.op == "stablehlo.add" && IsFloat(type)) {
    return ScalarOf(type, -0.0);
  }
  return std::move(combiner.identity);
}

absl::StatusOr<Value*> Converted(Value* x, ElementType type,
                                 ShardBuilder& builder) {
  if (x->shape().element_type() == type) return x;
  return builder.BuildOfType("stablehlo.convert", {x},
                             Shape(type, x->shape().dims()));
}

// A region of two scalars of the wide type around one of the other type.
class WidenedBody {
 public:
  WidenedBody(const WideType& wide, ShardBuilder& around)
      : wide_(wide),
        body_(MakeRegionWithin(around.ops())),
        a_(body_->AddArgument(Shape(wide.type, {}))),
        b_(body_->AddArgument(Shape(wide.type, {}))),
        channels_(0),
        builder_(body_.get(), around.mesh(), channels_) {
    builder_.ops().set_location(around.ops().location());
  }

  // Keeps what there is where `select` does; all that is given instead of the
  // extra value, and nothing of the extra value.
  absl::StatusOr<std::unique_ptr<Region>> Select(const Region& select) && {
    ASSIGN_OR_RETURN(Value * keeps, Inlined(select));
    ASSIGN_OR_RETURN(Value * extra,
                     builder_.Constant(ScalarOf(wide_.type, wide_.extra)));
    ASSIGN_OR_RETURN(Value * is_kept, Compared("NE", a_, extra));
    ASSIGN_OR_RETURN(Value * is_none, Compared("EQ", b_, extra));
    ASSIGN_OR_RETURN(keeps, builder_.Build("stablehlo.and", {is_kept, keeps}));
    ASSIGN_OR_RETURN(keeps, builder_.Build("stablehlo.or", {is_none, keeps}));
    builder_.ops().Terminate("stablehlo.return", {keeps});
    return std::move(body_);
  }

  absl::StatusOr<std::unique_ptr<Region>> Scatter(const Region& scatter) && {
    ASSIGN_OR_RETURN(Value * sum, Inlined(scatter));
    ASSIGN_OR_RETURN(sum, Converted(sum, wide_.type, builder_));
    builder_.ops().Terminate("stablehlo.return", {sum});
    return std::move(body_);
  }

 private:
  // The result of the body.
  absl::StatusOr<Value*> Inlined(const Region& narrow) {
    ValueMap map;
    Value* const arguments[] = {a_, b_};
    for (size_t i = 0; i < 2; ++i) {
      const Value* argument = narrow.arguments()[i].get();
      ASSIGN_OR_RETURN(
          Value * value,
          Converted(arguments[i], argument->shape().element_type(), builder_));
      map.Set(argument, value);
    }
    for (const auto& op : narrow.ops()) {
      if (op.get() != narrow.terminator()) body_->Append(CloneOp(*op, map));
    }
    return map.Find(narrow.terminator()->operand(0));
  }

  absl::StatusOr<Value*> Compared(absl::string_view direction, Value* x,
                                  Value* y) {
    AttributeMap attributes;
    attributes.Set(
        "comparison_direction",
        Attribute::Enum{"comparison_direction", std::string(direction)});
    return builder_.Build("stablehlo.compare", {x, y}, std::move(attributes));
  }

  const WideType wide_;
  std::unique_ptr<Region> body_;
  Value* const a_;
  Value* const b_;
  ChannelIds channels_;
  ShardBuilder builder_;
};

// The windows of a split dim on devices.
struct LocalDim {
  int64_t dim;
  std::vector<AxisRef> axes;
  // Of what was read of the operand, the part under the windows: where it
  // begins, by the shard.
  std::vector<int64_t> begins;
  int64_t length = 0;
  // Where the shard begins in that part.
  std::vector<int64_t> own;
};

class ShardedSelection {
 public:
  ShardedSelection(const Op& op, std::vector<ShardedValue> operands,
                   ShardBuilder& builder)
      : op_(op), operands_(std::move(operands)), builder_(builder) {}

  absl::StatusOr<Value*> Run(const std::vector<SplitRead>& reads,
                             const Shape& result,
                             std::vector<std::unique_ptr<Region>> regions) {
    RETURN_IF_ERROR(Widen(reads, regions));
    RETURN_IF_ERROR(Take(reads));
    ASSIGN_OR_RETURN(const std::vector<LocalDim> dims, DimsOf(reads));
    Value* operand = operands_[0].local;
    for (const LocalDim& dim : dims) {
      ASSIGN_OR_RETURN(operand, PartUnderWindows(operand, dim));
    }
    OpState state = StateLike(op_);
    state.attributes.Remove(kShardingAttributeName);
    RETURN_IF_ERROR(SetPadding(dims, state.attributes));
    state.operands = {operand, operands_[1].local, operands_[2].local};
    state.regions = std::move(regions);
    ASSIGN_OR_RETURN(Op * local, builder_.ops().Build(std::move(state)));
    Value* part = local->result();
    for (const LocalDim& dim : dims) {
      ASSIGN_OR_RETURN(part, PartOfShard(part, dim.dim, dim.axes, dim.own,
                                         result.dim(dim.dim), builder_));
    }
    return Converted(part, result.element_type(), builder_);
  }

 private:
  static bool IsExchanged(const SplitRead& read) {
    return !read.read.is_within_shard;
  }

  // Whether windows of the op may lie beyond an end of a dim that is exchanged.
  absl::StatusOr<bool> IsPadded(const std::vector<SplitRead>& reads) const {
    const Shape& operand = op_.operand(0)->shape();
    ASSIGN_OR_RETURN(const auto padding, PaddingPairsOf(op_, operand.rank()));
    for (const SplitRead& read : reads) {
      if (IsExchanged(read) &&
          padding[read.read.dim] != std::pair<int64_t, int64_t>(0, 0)) {
        return true;
      }
    }
    return false;
  }

  absl::Status Widen(const std::vector<SplitRead>& reads,
                     std::vector<std::unique_ptr<Region>>& regions) {
    ASSIGN_OR_RETURN(const bool is_padded, IsPadded(reads));
    if (!is_padded) return absl::OkStatus();
    const WideType wide =
        *WideTypeOf(operands_[0].local->shape().element_type());
    for (ShardedValue& operand : operands_) {
      ASSIGN_OR_RETURN(operand.local,
                       Converted(operand.local, wide.type, builder_));
    }
    ASSIGN_OR_RETURN(regions[0],
                     WidenedBody(wide, builder_).Select(*regions[0]));
    ASSIGN_OR_RETURN(regions[1],
                     WidenedBody(wide, builder_).Scatter(*regions[1]));
    ASSIGN_OR_RETURN(padding_,
                     builder_.Constant(ScalarOf(wide.type, wide.extra)));
    return absl::OkStatus();
  }

  absl::Status Take(const std::vector<SplitRead>& reads) {
    const ElementType type = op_.operand(0)->shape().element_type();
    ASSIGN_OR_RETURN(
        Value * neutral,
        builder_.Constant(NeutralOf(*CombinerOf(op_.region(1), type))));
    ASSIGN_OR_RETURN(
        neutral, Converted(neutral, operands_[1].local->shape().element_type(),
                           builder_));
    for (const SplitRead& read : reads) {
      Value*& local = operands_[read.read.operand].local;
      Value* const fill = !IsExchanged(read)       ? nullptr
                          : read.read.operand == 0 ? padding_
                                                   : neutral;
      ASSIGN_OR_RETURN(
          local, ExchangeHalo(local, read.read.dim, read.axes,
                              read.local.window, read.plan, fill, builder_));
    }
    return absl::OkStatus();
  }

  // The last window may meet no shard, and reach beyond what was read.
  absl::StatusOr<Value*> PartUnderWindows(Value* operand, const LocalDim& dim) {
    const int64_t end =
        *std::max_element(dim.begins.begin(), dim.begins.end()) + dim.length;
    ASSIGN_OR_RETURN(operand, builder_.Lengthened(operand, dim.dim, end));
    return PartOfShard(operand, dim.dim, dim.axes, dim.begins, dim.length,
                       builder_);
  }

  absl::StatusOr<std::vector<LocalDim>> DimsOf(
      const std::vector<SplitRead>& reads) const {
    const Shape& operand = op_.operand(0)->shape();
    const std::vector<int64_t> ones(static_cast<size_t>(operand.rank()), 1);
    ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                     op_.IntegersAttributeOr("window_dimensions", ones));
    ASSIGN_OR_RETURN(const std::vector<int64_t> strides,
                     op_.IntegersAttributeOr("window_strides", ones));
    std::vector<LocalDim> dims;
    for (const SplitRead& read : reads) {
      if (!IsExchanged(read) || read.read.operand != 1) continue;
      const int64_t dim = read.read.dim;
      const int64_t reach = std::max(sizes[dim], strides[dim]);
      LocalDim local;
      local.dim = dim;
      local.axes = read.axes;
      local.length = strides[dim] * (read.local.window.length - 1) + reach;
      const int64_t shards = ShardCount(read.axes, builder_.mesh().abstract());
      for (int64_t i = 0; i < shards; ++i) {
        local.begins.push_back(read.local.low - read.local.PlacesBefore(i));
        local.own.push_back(reach - 1 - local.begins.back());
      }
      dims.push_back(std::move(local));
    }
    return dims;
  }

  absl::Status SetPadding(const std::vector<LocalDim>& dims,
                          AttributeMap& attributes) const {
    const int64_t rank = op_.operand(0)->shape().rank();
    ASSIGN_OR_RETURN(auto pairs, PaddingPairsOf(op_, rank));
    for (const LocalDim& dim : dims) pairs[dim.dim] = {0, 0};
    Literal padding(Shape(ElementType::kS64, {rank, 2}));
    const auto values = padding.mutable_data<int64_t>();
    for (int64_t i = 0; i < rank; ++i) {
      values[2 * i] = pairs[i].first;
      values[2 * i + 1] = pairs[i].second;
    }
    attributes.Set("padding", Attribute::FromLiteral(std::move(padding)));
    return absl::OkStatus();
  }

  const Op& op_;
  std::vector<ShardedValue> operands_;
  ShardBuilder& builder_;
  Value* padding_ = nullptr;
};

}  // namespace

bool CanSplitOverlappingWindows(const Op& op, bool is_padded) {
  const ElementType type = op.operand(0)->shape().element_type();
  return (IsFloat(type) || IsInteger(type)) &&
         op.result()->shape().element_type() == type &&
         CombinerOf(op.region(1), type).has_value() &&
         (!is_padded || WideTypeOf(type).has_value());
}

absl::StatusOr<Value*> SelectAndScatterShards(
    const Op& op, const std::vector<SplitRead>& reads,
    const std::vector<ShardedValue>& operands, const Shape& result,
    std::vector<std::unique_ptr<Region>> regions, ShardBuilder& builder) {
  return ShardedSelection(op, operands, builder)
      .Run(reads, result, std::move(regions));
}

}  // namespace lockstep::internal
