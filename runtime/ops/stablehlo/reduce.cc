#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/reduce_assembly.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/sequential_reduce.h"
#include "runtime/ops/geometry/reduce_plan.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/ops/reduction_scalars.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

absl::Status CheckInputs(const Op& op, int count) {
  for (int i = 0; i < count; ++i) {
    if (op.operand(i)->shape().dims() != op.operand(0)->shape().dims()) {
      return op.Error(absl::StrCat("operand ", i, ": expected the shape of ",
                                   op.operand(0)->shape().ToString(),
                                   ", found ",
                                   op.operand(i)->shape().ToString()));
    }
    RETURN_IF_ERROR(CheckRank(op, count + i, 0));
    RETURN_IF_ERROR(CheckSameElementType(op, i, count + i));  // (C2)
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferReduce(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 2));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  if (op.operand_count() % 2 != 0) {  // (C3)
    return op.Error(absl::StrCat("expected as many init values as inputs, ",
                                 "found ", op.operand_count(), " operands"));
  }
  const int count = op.operand_count() / 2;
  RETURN_IF_ERROR(CheckInputs(op, count));  // (C1), (C2)
  const Shape& input = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const std::vector<int64_t> reduced,
                   op.IntegersAttribute("dimensions"));
  RETURN_IF_ERROR(CheckDistinctDims(op, "dimensions", reduced,
                                    input.rank()));  // (C4), (C5)
  ASSIGN_OR_RETURN(
      const std::vector<ElementType> element_types,
      ReductionBodyTypes(op, op.region(),
                         absl::MakeSpan(op.operands()).first(count)));  // (C6)
  Dims dims;
  for (int64_t dim : SplitReducedDims(input.rank(), reduced).kept) {
    dims.push_back(input.dim(dim));
  }
  std::vector<Type> types;  // (C7), (C8)
  for (ElementType type : element_types) {
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, type, dims));
    types.push_back(std::move(shape));
  }
  return types;
}

// Accumulates in the compute type, so f16 and bf16 round once, at the end.
template <typename T, typename F>
void ReduceNatively(const LiteralView& input, const LiteralView& init,
                    absl::Span<const int64_t> reduced,
                    const MutableLiteralView& result, F f) {
  using C = ComputeType<T>;
  const int64_t count = result.shape().element_count();
  const ReducePlan plan = ReducePlan::Create(input.shape().dims(), reduced);
  const auto accumulators = std::make_unique<C[]>(count);
  std::fill_n(accumulators.get(), count, static_cast<C>(init.data<T>()[0]));
  if (input.shape().element_count() > 0) {
    ReduceInto(absl::MakeConstSpan(plan.dims), accumulators.get(),
               input.data<T>().data(), f);
  }
  T* y = result.data<T>().data();
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<T>(accumulators[i]);
}

// Whether the body was one that runs natively.
bool TryReduceNatively(const Op& op, const LiteralView& input,
                       const LiteralView& init,
                       absl::Span<const int64_t> reduced,
                       const MutableLiteralView& result) {
  const Op* body = SingleOpBody(op.region());
  if (body == nullptr) return false;
  return DispatchElementType(
      result.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (kIsSmall<T>) {
          return false;
        } else {
          return DispatchReduction<T>(body->name(), [&](auto f) {
            ReduceNatively<T>(input, init, reduced, result, f);
          });
        }
      });
}

// Inputs and init values in the body's types.
std::vector<Literal> Promote(absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  std::vector<Literal> promoted;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ElementType type = results[i % results.size()].shape().element_type();
    promoted.emplace_back(Shape(type, operands[i].shape().dims()));
    ConvertElements(operands[i], promoted.back().mutable_view());
  }
  return promoted;
}

absl::Status EvaluateReduce(EvaluationContext& context, const Op& op,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> reduced,
                   op.IntegersAttribute("dimensions"));
  std::vector<LiteralView> views(operands.begin(), operands.end());
  std::vector<Literal> promoted;
  for (size_t i = 0; i < results.size(); ++i) {
    if (operands[i].shape().element_type() ==
        results[i].shape().element_type()) {
      continue;
    }
    promoted = Promote(operands, results);
    views.assign(promoted.begin(), promoted.end());
    break;
  }
  if (results.size() == 1 &&
      TryReduceNatively(op, views[0], views[1], reduced, results[0])) {
    return absl::OkStatus();
  }
  return ReduceSequentially(context, op.region(), views, reduced, results);
}

absl::StatusOr<OpShardingRule> ReduceRule(const Op& op,
                                          const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> reduced,
                   op.IntegersAttribute("dimensions"));
  const Shape& input = op.operand(0)->shape();
  const int count = op.result_count();
  int64_t result_dim = 0;
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < input.rank(); ++dim) {
    if (absl::c_linear_search(reduced, dim)) {
      rule.Add(input.dim(dim), FactorKind::kReduction).Operands(0, count, dim);
    } else {
      rule.Add(input.dim(dim)).Operands(0, count, dim).Results(result_dim++);
    }
  }
  return rule.Build();
}

// reduce: combines the elements along `dimensions` with body(accumulator,
// element), beginning with the init value, in row-major order.
//   (I1) inputs. (I2) init_values: scalars. (I3) dimensions. (I4) body.
REGISTER_OP(OpDef("stablehlo.reduce", OpKind::kReduce)
                .Assembly(ReduceForm())
                .Infer(InferReduce)
                .Evaluate(EvaluateReduce)
                .Sharding(ReduceRule));

}  // namespace
}  // namespace lockstep::internal
