// What a rule says of a factor against the evaluation of the op: along a
// pass-through factor the results of shards, one after the other, are the
// results; along a reduction factor their sum is.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ops/sharding/rule_cases_testing.h"
#include "runtime/types/convert.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

using TensorFactors = OpShardingRule::TensorFactors;

// The dim that is the factor and nothing else, or -1. Nullopt where the factor
// is one of several, or only a part of its dim.
std::optional<int64_t> WholeDim(const TensorFactors& tensor, const Shape& shape,
                                int factor, int64_t size) {
  for (size_t dim = 0; dim < tensor.size(); ++dim) {
    const auto& factors = tensor[dim];
    if (std::find(factors.begin(), factors.end(), factor) == factors.end()) {
      continue;
    }
    if (factors.size() > 1 || shape.dim(static_cast<int64_t>(dim)) != size) {
      return std::nullopt;
    }
    return static_cast<int64_t>(dim);
  }
  return -1;
}

// Where a factor is: the dim of each operand and result, or -1.
struct FactorPlaces {
  std::vector<int64_t> operand_dims, result_dims;
};

std::optional<FactorPlaces> PlacesOf(const Op& op, const OpShardingRule& rule,
                                     int factor) {
  const int64_t size = rule.factors()[factor].size;
  FactorPlaces places;
  for (int i = 0; i < op.operand_count(); ++i) {
    const auto dim =
        WholeDim(rule.operands()[i], op.operand(i)->shape(), factor, size);
    if (!dim.has_value()) return std::nullopt;
    places.operand_dims.push_back(*dim);
  }
  for (int i = 0; i < op.result_count(); ++i) {
    const auto dim =
        WholeDim(rule.results()[i], op.result(i)->shape(), factor, size);
    if (!dim.has_value()) return std::nullopt;
    places.result_dims.push_back(*dim);
  }
  return places;
}

Shape ShardShape(const Shape& shape, int64_t dim, int64_t shards) {
  if (dim < 0) return shape;
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims[dim] /= shards;
  return Shape(shape.element_type(), dims);
}

// Copies between a literal and the place of a shard in it.
enum class Direction { kToShard, kFromShard };
void CopyShard(Literal& whole, Literal& shard, int64_t dim, int64_t index,
               Direction direction) {
  const Shape& shape = shard.shape();
  const int64_t size = ByteSize(shape.element_type());
  const Dims strides = whole.shape().Strides();
  const int64_t first =
      dim < 0 ? 0 : index * shape.dim(dim) * strides[dim] * size;
  if (direction == Direction::kToShard) {
    StridedCopy(size, shape.dims(), {whole.bytes() + first, strides},
                {shard.mutable_bytes(), shape.Strides()});
  } else {
    StridedCopy(size, shape.dims(), {shard.bytes(), shape.Strides()},
                {whole.mutable_bytes() + first, strides});
  }
}

// Small integers, so that sums are exact.
Literal SmallNumbers(const Shape& shape, int64_t seed) {
  Literal numbers(Shape(ElementType::kS32, shape.dims()));
  uint32_t state = static_cast<uint32_t>(seed) * 977 + 1;
  for (int32_t& number : numbers.mutable_data<int32_t>()) {
    state = state * 1664525 + 1013904223;
    number = static_cast<int32_t>(state >> 30);
  }
  Literal converted(shape);
  ConvertElements(numbers, converted.mutable_view());
  return converted;
}

template <typename T>
void AddElements(const Literal& partial, Literal& sum) {
  const absl::Span<const T> from = partial.data<T>();
  const absl::Span<T> to = sum.mutable_data<T>();
  for (size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

void AddInto(const Literal& partial, Literal& sum) {
  if (sum.shape().element_type() == ElementType::kS32) {
    AddElements<int32_t>(partial, sum);
  } else {
    ASSERT_EQ(sum.shape().element_type(), ElementType::kF32);
    AddElements<float>(partial, sum);
  }
}

// One case alone in its module, with the types of shards of its values.
std::unique_ptr<Module> CaseOfTypes(absl::string_view file,
                                    const std::string& name,
                                    const FactorPlaces* places,
                                    int64_t shards) {
  std::unique_ptr<Module> module = ParseRuleCases(file);
  module->EraseFunctions(
      [&](const Function& function) { return function.name() != name; });
  Function& function = *module->functions()[0];
  if (places == nullptr) return module;
  const Op& op = OpOfCase(function);
  for (int i = 0; i < op.operand_count(); ++i) {
    Value* operand = op.operand(i);
    if (places->operand_dims[i] < 0) continue;
    operand->set_type(
        ShardShape(operand->shape(), places->operand_dims[i], shards));
  }
  std::vector<Type> types;
  for (int i = 0; i < op.result_count(); ++i) {
    Value* result = op.result(i);
    result->set_type(
        ShardShape(result->shape(), places->result_dims[i], shards));
    types.push_back(result->type());
  }
  function.set_result_types(types);
  return module;
}

// The attributes of these name sizes, which become local elsewhere; what
// gather and scatter index moves by the shard's offset; random bits depend on
// their place; custom calls and collectives are not evaluated here.
bool IsEvaluatedLocally(const Op& op) {
  static const auto* const kOthers = new std::set<std::string>{
      "stablehlo.slice",
      "stablehlo.dynamic_slice",
      "stablehlo.gather",
      "stablehlo.scatter",
      "stablehlo.custom_call",
      "stablehlo.rng_bit_generator",
      "stablehlo.all_gather",
      "stablehlo.all_to_all",
      "stablehlo.all_reduce",
      "stablehlo.reduce_scatter",
      "lockstep.ragged_all_to_all",
  };
  return !kOthers->contains(op.name());
}

// Where the shapes of a reshape do not line up, factors are of one of them
// alone, and are not sharded. Where an update is smaller than the operand, its
// place in a shard depends on the shard.
bool NeedsMoreThanTheOp(const Op& op, const FactorPlaces& places) {
  if (op.name() == "stablehlo.reshape") {
    return places.operand_dims[0] < 0 || places.result_dims[0] < 0;
  }
  return op.name() == "stablehlo.dynamic_update_slice" &&
         places.operand_dims[1] < 0;
}

constexpr int64_t kMaxElements = 400'000;

// A single op on all arguments, in their order, and small.
bool IsSimple(const Function& function) {
  const Op& op = OpOfCase(function);
  if (function.body().ops().size() != 2 ||
      op.operands().size() != function.body().arguments().size()) {
    return false;
  }
  for (const Value* operand : op.operands()) {
    if (operand->shape().element_count() > kMaxElements) return false;
  }
  return IsEvaluatedLocally(op);
}

class Checker {
 public:
  Checker(absl::string_view file, const Function& function,
          const OpShardingRule& rule)
      : file_(file),
        function_(function),
        op_(OpOfCase(function)),
        rule_(rule) {}

  // The number of factors that could be checked.
  int CheckAll() {
    int checked = 0;
    for (int i = 0; i < static_cast<int>(rule_.factors().size()); ++i) {
      checked += CheckFactor(i);
    }
    return checked;
  }

 private:
  bool CheckFactor(int factor) {
    const auto& [size, kind, is_blocked] = rule_.factors()[factor];
    const bool is_reduction = kind == FactorKind::kReduction;
    if (!is_reduction && kind != FactorKind::kPassThrough) return false;
    const int64_t shards = size % 2 == 0 ? 2 : size;
    const auto places = PlacesOf(op_, rule_, factor);
    if (shards <= 1 || size == 0 || !places.has_value() ||
        NeedsMoreThanTheOp(op_, *places)) {
      return false;
    }
    SCOPED_TRACE(
        absl::StrCat(function_.name(), ", factor ", FactorSymbol(factor)));
    std::vector<Literal> arguments = Arguments(is_reduction);
    const auto expected = Run(nullptr, 1, arguments, 0);
    std::vector<Literal> found;
    for (const Literal& literal : expected) {
      found.emplace_back(literal.shape());
      if (is_reduction) {
        std::fill_n(found.back().mutable_bytes(), literal.byte_span().size(),
                    std::byte{0});
      }
    }
    for (int64_t shard = 0; shard < shards; ++shard) {
      std::vector<Literal> results = Run(&*places, shards, arguments, shard);
      if (results.size() != found.size()) return false;
      for (size_t i = 0; i < results.size(); ++i) {
        if (is_reduction) {
          AddInto(results[i], found[i]);
        } else {
          CopyShard(found[i], results[i], places->result_dims[i], shard,
                    Direction::kFromShard);
        }
      }
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].byte_span(), expected[i].byte_span());
    }
    return true;
  }

  // Init values are zero where partial results are added.
  std::vector<Literal> Arguments(bool is_reduction) {
    std::vector<Literal> arguments;
    for (int i = 0; i < op_.operand_count(); ++i) {
      const Shape& shape = op_.operand(i)->shape();
      arguments.push_back(SmallNumbers(shape, i + 1));
      if (is_reduction && shape.rank() == 0) {
        arguments.back() = Literal(shape);
        std::fill_n(arguments.back().mutable_bytes(), shape.byte_size(),
                    std::byte{0});
      }
    }
    return arguments;
  }

  std::vector<Literal> Run(const FactorPlaces* places, int64_t shards,
                           std::vector<Literal>& arguments, int64_t shard) {
    std::vector<Literal> local;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const int64_t dim = places == nullptr ? -1 : places->operand_dims[i];
      local.emplace_back(ShardShape(arguments[i].shape(), dim, shards));
      CopyShard(arguments[i], local.back(), dim, shard, Direction::kToShard);
    }
    std::unique_ptr<Module> module =
        CaseOfTypes(file_, function_.name(), places, shards);
    const absl::Status verified = VerifyAndExpand(module);
    EXPECT_TRUE(verified.ok()) << verified;
    if (!verified.ok()) return {};
    auto results = Evaluate(*module, std::move(local));
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? *std::move(results) : std::vector<Literal>();
  }

  const absl::string_view file_;
  const Function& function_;
  const Op& op_;
  const OpShardingRule& rule_;
};

TEST(RuleConsistencyTest, ShardsOfOperandsGiveShardsOrPartsOfResults) {
  std::set<std::string> checked;
  for (absl::string_view file : kRuleCaseFiles) {
    const std::unique_ptr<Module> module = ParseRuleCases(file);
    for (const auto& function : module->functions()) {
      const auto rule = RuleOfCase(*function);
      ASSERT_TRUE(rule.ok()) << rule.status();
      if (!rule->has_value() || !IsSimple(*function)) continue;
      if (Checker(file, *function, **rule).CheckAll() > 0) {
        checked.insert(OpOfCase(*function).name());
      }
    }
  }
  EXPECT_THAT(
      checked,
      testing::ElementsAre(
          "chlo.erf", "chlo.top_k", "stablehlo.add",
          "stablehlo.batch_norm_inference", "stablehlo.bitcast_convert",
          "stablehlo.broadcast_in_dim", "stablehlo.cholesky", "stablehlo.clamp",
          "stablehlo.compare", "stablehlo.concatenate", "stablehlo.convert",
          "stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general",
          "stablehlo.dynamic_update_slice", "stablehlo.fft", "stablehlo.pad",
          "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.reshape",
          "stablehlo.reverse", "stablehlo.select",
          "stablehlo.select_and_scatter", "stablehlo.sort",
          "stablehlo.transpose", "stablehlo.triangular_solve"));
}

}  // namespace
}  // namespace lockstep::internal
