#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyIota(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 0));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  if (!kNumberTypes.Contains(result.element_type()) &&
      !IsSmallFloat(result.element_type())) {
    return op.Error(absl::StrCat("result: expected ", kNumberTypes.ToString(),
                                 ", found ", result.ToString()));
  }
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("iota_dimension"));
  return CheckDim(op, "iota_dimension", dim, result.rank());  // (C1)
}

absl::Status EvaluateIota(EvaluationContext&, const Op& op,
                          absl::Span<const LiteralView>,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("iota_dimension"));
  const Shape& shape = results[0].shape();
  const int64_t size = shape.dim(dim);
  const int64_t stride = shape.Strides()[dim];
  DispatchElementType(
      shape.element_type(), [&]<typename T>(std::type_identity<T>) {
        T* result = results[0].data<T>().data();
        for (int64_t i = 0; i < shape.element_count(); i += stride) {
          const T value = ConvertElement<T>(i / stride % size);
          for (int64_t j = 0; j < stride; ++j) result[i + j] = value;
        }
      });
  return absl::OkStatus();
}

// iota: each element is its index along iota_dimension, converted from i64.
//   (I1) iota_dimension. (C1) it is a dimension of the result.
REGISTER_OP(OpDef("stablehlo.iota", OpKind::kDataMovement)
                .Assembly(ClausesForm(
                    0, {{"dim", "iota_dimension", IntegersClause::kInteger}},
                    WrittenTypes::kResult))
                .Verify(VerifyIota)
                .Evaluate(EvaluateIota));

}  // namespace
}  // namespace lockstep::internal
