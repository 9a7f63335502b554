#include "runtime/passes/partition/halo_exchange.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::vector<int64_t> SizesOf(const Value* x) {
  return {x->shape().dims().begin(), x->shape().dims().end()};
}

absl::StatusOr<Value*> Compared(Value* a, absl::string_view direction, Value* b,
                                ShardBuilder& builder) {
  AttributeMap attributes;
  attributes.Set(
      "comparison_direction",
      Attribute::Enum{"comparison_direction", std::string(direction)});
  return builder.Build("stablehlo.compare", {a, b}, std::move(attributes));
}

// `start` along the dim, and the start of all others.
absl::StatusOr<std::vector<Value*>> Starts(const Value* x, int64_t dim,
                                           Value* start,
                                           ShardBuilder& builder) {
  ASSIGN_OR_RETURN(Value * zero, builder.IndexConstant(0));
  std::vector<Value*> starts(static_cast<size_t>(x->shape().rank()), zero);
  starts[dim] = start;
  return starts;
}

class WindowBuilder {
 public:
  WindowBuilder(int64_t dim, absl::Span<const AxisRef> axes,
                const HaloWindow& window, ShardBuilder& builder)
      : dim_(dim), axes_(axes), window_(window), builder_(builder) {}

  absl::StatusOr<Value*> Run(Value* x, const HaloPlan& plan, Value* fill) {
    std::vector<Value*> parts;
    for (const HaloPiece& piece : plan.pieces) {
      ASSIGN_OR_RETURN(Value * part, Cut(x, piece));
      if (!piece.IsOwn()) {
        ASSIGN_OR_RETURN(part, builder_.Exchange(part, axes_, piece.sources));
      }
      parts.push_back(part);
    }
    Value* built = nullptr;
    if (plan.is_tiled) {
      ASSIGN_OR_RETURN(built, Joined(std::move(parts)));
    } else {
      ASSIGN_OR_RETURN(built, Placed(x, parts, plan));
    }
    if (fill == nullptr || !window_.ReachesOutside(shard_count(plan))) {
      return built;
    }
    return Filled(built, fill, shard_count(plan));
  }

 private:
  static int64_t shard_count(const HaloPlan& plan) {
    return static_cast<int64_t>(plan.pieces[0].sources.size());
  }

  absl::StatusOr<Value*> OfThisShard(const std::vector<int64_t>& values) {
    ASSIGN_OR_RETURN(Value * index, builder_.ShardIndex(axes_));
    return builder_.Lookup(values, index);
  }

  absl::StatusOr<Value*> Joined(std::vector<Value*> parts) {
    if (parts.size() == 1) return parts[0];
    AttributeMap attributes;
    attributes.Set("dimension", Attribute::I64(dim_));
    return builder_.Build("stablehlo.concatenate", std::move(parts),
                          std::move(attributes));
  }

  static bool HasEachAtStart(const HaloPiece& piece) {
    for (size_t i = 0; i < piece.places.size(); ++i) {
      if (piece.sources[i] != -1 && piece.places[i] != 0) return false;
    }
    return true;
  }

  // The piece of a device that sends it, or has it.
  absl::StatusOr<Value*> Cut(Value* x, const HaloPiece& piece) {
    return PartOfShard(x, dim_, axes_, piece.starts, piece.length, builder_);
  }

  // The pieces at their places, with room beside the window for what sticks
  // out of it.
  absl::StatusOr<Value*> Placed(const Value* x,
                                const std::vector<Value*>& parts,
                                const HaloPlan& plan) {
    if (parts.size() == 1 && plan.pieces[0].length == window_.length &&
        HasEachAtStart(plan.pieces[0])) {
      return parts[0];
    }
    int64_t low = 0, high = 0;
    for (const HaloPiece& piece : plan.pieces) {
      for (const int64_t place : piece.places) {
        low = std::max(low, -place);
        high = std::max(high, place + piece.length - window_.length);
      }
    }
    std::vector<int64_t> sizes = SizesOf(x);
    sizes[dim_] = low + window_.length + high;
    ASSIGN_OR_RETURN(
        Value * zero,
        builder_.Constant(Literal(Shape(x->shape().element_type(), {}))));
    ASSIGN_OR_RETURN(Value * built, builder_.Broadcast(zero, sizes));
    for (size_t i = 0; i < parts.size(); ++i) {
      std::vector<int64_t> places = plan.pieces[i].places;
      for (int64_t& place : places) place += low;
      ASSIGN_OR_RETURN(Value * at, OfThisShard(places));
      ASSIGN_OR_RETURN(std::vector<Value*> operands,
                       Starts(x, dim_, at, builder_));
      operands.insert(operands.begin(), {built, parts[i]});
      ASSIGN_OR_RETURN(built, builder_.Build("stablehlo.dynamic_update_slice",
                                             std::move(operands)));
    }
    if (low + high == 0) return built;
    return builder_.Part(built, dim_, low, window_.length);
  }

  // Of the window of this device.
  absl::StatusOr<Value*> Start(int64_t shards) {
    if (window_.divisor == 1) {
      ASSIGN_OR_RETURN(Value * index, builder_.ShardIndex(axes_));
      ASSIGN_OR_RETURN(Value * step, builder_.IndexConstant(window_.step));
      ASSIGN_OR_RETURN(Value * first, builder_.IndexConstant(window_.first));
      ASSIGN_OR_RETURN(Value * distance,
                       builder_.Build("stablehlo.multiply", {index, step}));
      return builder_.Build("stablehlo.add", {distance, first});
    }
    std::vector<int64_t> starts;
    for (int64_t i = 0; i < shards; ++i) starts.push_back(window_.StartOf(i));
    return OfThisShard(starts);
  }

  absl::StatusOr<Value*> Filled(Value* built, Value* fill, int64_t shards) {
    const std::vector<int64_t> sizes = SizesOf(built);
    AttributeMap iota;
    iota.Set("iota_dimension", Attribute::I64(dim_));
    ASSIGN_OR_RETURN(
        Value * place,
        builder_.BuildOfType("stablehlo.iota", {},
                             Shape(ElementType::kS64, sizes), std::move(iota)));
    ASSIGN_OR_RETURN(Value * start, Start(shards));
    ASSIGN_OR_RETURN(start, builder_.Broadcast(start, sizes));
    ASSIGN_OR_RETURN(place, builder_.Build("stablehlo.add", {place, start}));
    ASSIGN_OR_RETURN(Value * zero, builder_.IndexConstant(0));
    ASSIGN_OR_RETURN(zero, builder_.Broadcast(zero, sizes));
    ASSIGN_OR_RETURN(Value * end, builder_.IndexConstant(window_.size));
    ASSIGN_OR_RETURN(end, builder_.Broadcast(end, sizes));
    ASSIGN_OR_RETURN(Value * low, Compared(place, "GE", zero, builder_));
    ASSIGN_OR_RETURN(Value * high, Compared(place, "LT", end, builder_));
    ASSIGN_OR_RETURN(Value * inside,
                     builder_.Build("stablehlo.and", {low, high}));
    ASSIGN_OR_RETURN(fill, builder_.Broadcast(fill, sizes));
    return builder_.Build("stablehlo.select", {inside, built, fill});
  }

  const int64_t dim_;
  const absl::Span<const AxisRef> axes_;
  const HaloWindow& window_;
  ShardBuilder& builder_;
};

}  // namespace

absl::StatusOr<Value*> ExchangeHalo(Value* x, int64_t dim,
                                    absl::Span<const AxisRef> axes,
                                    const HaloWindow& window,
                                    const HaloPlan& plan, Value* fill,
                                    ShardBuilder& builder) {
  return WindowBuilder(dim, axes, window, builder).Run(x, plan, fill);
}

absl::StatusOr<Value*> PartOfShard(Value* x, int64_t dim,
                                   absl::Span<const AxisRef> axes,
                                   const std::vector<int64_t>& starts,
                                   int64_t length, ShardBuilder& builder) {
  if (length == x->shape().dim(dim)) return x;
  if (std::ranges::count(starts, starts[0]) ==
      static_cast<int64_t>(starts.size())) {
    return builder.Part(x, dim, starts[0], length);
  }
  ASSIGN_OR_RETURN(Value * index, builder.ShardIndex(axes));
  ASSIGN_OR_RETURN(Value * start, builder.Lookup(starts, index));
  std::vector<int64_t> sizes = SizesOf(x);
  sizes[dim] = length;
  ASSIGN_OR_RETURN(std::vector<Value*> operands,
                   Starts(x, dim, start, builder));
  operands.insert(operands.begin(), x);
  AttributeMap attributes;
  attributes.Set("slice_sizes", Attribute::I64Array(sizes));
  return builder.Build("stablehlo.dynamic_slice", std::move(operands),
                       std::move(attributes));
}

}  // namespace lockstep::internal
