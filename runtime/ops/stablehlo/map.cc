#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferMap(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  const Shape& first = op.operand(0)->shape();
  std::vector<Type> scalars;
  for (int i = 0; i < op.operand_count(); ++i) {
    const Shape& shape = op.operand(i)->shape();
    if (shape.dims() != first.dims()) {  // (C1)
      return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                   first.ToString(), ", found ",
                                   shape.ToString()));
    }
    scalars.push_back(Shape(shape.element_type(), {}));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("dimensions"));
  std::vector<int64_t> expected(first.rank());
  std::iota(expected.begin(), expected.end(), 0);
  if (dims != expected) {  // (C3)
    return op.Error(absl::StrCat("dimensions: expected all ", first.rank(),
                                 " dimensions in order"));
  }
  RETURN_IF_ERROR(CheckRegionArguments(op, "body", op.region(), scalars));
  ASSIGN_OR_RETURN(const std::vector<Type> returned,
                   ReturnedTypes(op, op.region()));
  if (returned.size() != 1 || !returned[0].is_tensor() ||
      returned[0].shape().rank() != 0) {  // (C4)
    return op.Error(absl::StrCat("body: expected a scalar, found ",
                                 TypesToString(returned)));
  }
  ASSIGN_OR_RETURN(
      Shape shape,
      ResultShape(op, returned[0].shape().element_type(), first.dims()));
  return std::vector<Type>{std::move(shape)};
}

absl::Status EvaluateMap(EvaluationContext& context, const Op& op,
                         absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results) {
  std::vector<const std::byte*> arguments;
  for (const LiteralView& operand : operands) {
    arguments.push_back(operand.bytes());
  }
  std::byte* result = results[0].bytes();
  return BodyRunner(context, op.region())
      .Run(results[0].shape().element_count(), arguments,
           absl::MakeConstSpan(&result, 1));
}

// map: the computation for every element.
//   (I1) inputs: tensors of one shape. (I2) dimensions: all of them.
//   (I3) computation: (scalar of each input) -> scalar.
REGISTER_OP(
    OpDef("stablehlo.map", OpKind::kMap).Infer(InferMap).Evaluate(EvaluateMap));

}  // namespace
}  // namespace lockstep::internal
