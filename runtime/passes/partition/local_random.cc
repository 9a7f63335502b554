#include "runtime/passes/partition/local_random.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/random_algorithm.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

int64_t ElementsOfPhiloxCounter(const Shape& shape) {
  return ByteSize(shape.element_type()) == 8 ? 2 : 4;
}

// How many the bits take.
int64_t CountersOf(bool is_philox, const Shape& shape) {
  const int64_t count = shape.element_count();
  if (is_philox) {
    const int64_t elements = ElementsOfPhiloxCounter(shape);
    return (count + elements - 1) / elements;
  }
  if (ByteSize(shape.element_type()) == 8) return count;
  const int64_t length = shape.dim(ThreefryPairedDim(shape));
  return length == 0 ? 0 : count / length * ((length + 1) / 2);
}

Shape ShardOf(const Shape& shape, int64_t shards) {
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims[0] /= shards;
  return Shape(shape.element_type(), dims);
}

// Builds numbers of 64 bits without sign, each in a tensor of one element.
class CounterBuilder {
 public:
  explicit CounterBuilder(ShardBuilder& builder) : builder_(builder) {}

  absl::StatusOr<Value*> Constant(int64_t value) {
    Literal literal{NumberShape()};
    literal.mutable_data<uint64_t>()[0] = static_cast<uint64_t>(value);
    return builder_.Constant(std::move(literal));
  }

  // Of the state.
  absl::StatusOr<Value*> Element(Value* state, int64_t i) {
    AttributeMap attributes;
    attributes.Set("start_indices", Attribute::I64Array({i}));
    attributes.Set("limit_indices", Attribute::I64Array({i + 1}));
    attributes.Set("strides", Attribute::I64Array({1}));
    return builder_.Build("stablehlo.slice", {state}, std::move(attributes));
  }

  // The counter at which the shard of this device begins.
  absl::StatusOr<Value*> Start(absl::Span<const AxisRef> axes,
                               int64_t counters) {
    ASSIGN_OR_RETURN(Value * index, builder_.ShardIndex(axes));
    ASSIGN_OR_RETURN(index,
                     builder_.BuildOfType("stablehlo.reshape", {index},
                                          Shape(ElementType::kS64, {1})));
    ASSIGN_OR_RETURN(index, builder_.BuildOfType("stablehlo.convert", {index},
                                                 NumberShape()));
    ASSIGN_OR_RETURN(Value * each, Constant(counters));
    return builder_.Build("stablehlo.multiply", {index, each});
  }

  absl::StatusOr<Value*> Sum(Value* a, Value* b) {
    return builder_.Build("stablehlo.add", {a, b});
  }

  // 1 where the sum of a number and others is below it, else 0.
  absl::StatusOr<Value*> Carry(Value* sum, Value* a) {
    AttributeMap attributes;
    attributes.Set("comparison_direction",
                   Attribute::Enum{"comparison_direction", "LT"});
    ASSIGN_OR_RETURN(
        Value * is_less,
        builder_.Build("stablehlo.compare", {sum, a}, std::move(attributes)));
    return builder_.BuildOfType("stablehlo.convert", {is_less}, NumberShape());
  }

  absl::StatusOr<Value*> State(std::vector<Value*> elements) {
    AttributeMap attributes;
    attributes.Set("dimension", Attribute::I64(0));
    return builder_.Build("stablehlo.concatenate", std::move(elements),
                          std::move(attributes));
  }

 private:
  static Shape NumberShape() { return Shape(ElementType::kU64, {1}); }

  ShardBuilder& builder_;
};

// The state so many counters later. One of Philox whose counter has 64 bits,
// with the key above them, gets a counter of 128 if `is_wide`.
absl::StatusOr<Value*> Advanced(Value* state, Value* counters, bool is_philox,
                                bool is_wide, CounterBuilder& builder) {
  ASSIGN_OR_RETURN(Value * key, builder.Element(state, 0));
  ASSIGN_OR_RETURN(Value * low, builder.Element(state, 1));
  ASSIGN_OR_RETURN(Value * sum, builder.Sum(low, counters));
  const bool has_high = state->shape().dim(0) == 3;
  if (!is_philox || !(has_high || is_wide)) return builder.State({key, sum});
  ASSIGN_OR_RETURN(Value * carry, builder.Carry(sum, low));
  ASSIGN_OR_RETURN(Value * before, builder.Element(state, has_high ? 2 : 0));
  ASSIGN_OR_RETURN(Value * high, builder.Sum(before, carry));
  return builder.State({key, sum, high});
}

}  // namespace

bool CanSplitRandomBits(const Op& rng, int64_t shards) {
  const Shape& whole = rng.result(1)->shape();
  if (whole.rank() == 0 || whole.element_count() == 0 ||
      whole.dim(0) % shards != 0) {
    return false;
  }
  const Shape shard = ShardOf(whole, shards);
  const absl::StatusOr<bool> is_philox = IsPhilox(rng);
  if (!is_philox.ok()) return false;
  if (*is_philox) {
    return shard.element_count() % ElementsOfPhiloxCounter(whole) == 0;
  }
  if (ByteSize(whole.element_type()) == 8) return true;
  const int64_t paired = ThreefryPairedDim(whole);
  return ThreefryPairedDim(shard) == paired &&
         (paired > 0 || shard.dim(0) % 2 == 0);
}

absl::StatusOr<std::vector<Value*>> LowerRandomBits(const Op& rng, Value* state,
                                                    const TensorSharding& bits,
                                                    ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const bool is_philox, IsPhilox(rng));
  ASSIGN_OR_RETURN(const Type local,
                   builder.LocalType(rng.result(1)->type(), bits));
  CounterBuilder counters(builder);
  ASSIGN_OR_RETURN(
      Value * start,
      counters.Start(bits.dims[0].axes, CountersOf(is_philox, local.shape())));
  ASSIGN_OR_RETURN(Value * first, Advanced(state, start, is_philox,
                                           /*is_wide=*/true, counters));
  OpState made = StateLike(rng);
  made.attributes.Remove(kShardingAttributeName);
  made.operands = {first};
  made.result_types = {first->type(), local};
  ASSIGN_OR_RETURN(Op * op, builder.ops().Build(std::move(made)));
  ASSIGN_OR_RETURN(Value * all, counters.Constant(CountersOf(
                                    is_philox, rng.result(1)->shape())));
  ASSIGN_OR_RETURN(Value * last, Advanced(state, all, is_philox,
                                          /*is_wide=*/false, counters));
  return std::vector<Value*>{last, op->result(1)};
}

}  // namespace lockstep::internal
