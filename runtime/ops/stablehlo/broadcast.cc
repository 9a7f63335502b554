#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferBroadcast(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   op.IntegersAttribute("broadcast_sizes"));
  const Shape& operand = op.operand(0)->shape();
  Dims dims(sizes.begin(), sizes.end());
  dims.insert(dims.end(), operand.dims().begin(), operand.dims().end());
  ASSIGN_OR_RETURN(Shape result, ResultShape(op, operand.element_type(), dims));
  return std::vector<Type>{std::move(result)};
}

absl::StatusOr<std::vector<Value*>> ExpandBroadcast(const Op& op,
                                                    ExpansionBuilder& builder) {
  const Shape& result = op.result()->shape();
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < op.operand(0)->shape().rank(); ++i) {
    positions.push_back(result.rank() - op.operand(0)->shape().rank() + i);
  }
  return std::vector<Value*>{
      builder.Broadcast(op.operand(0), positions, result.dims())};
}

// broadcast: repeats the operand along dimensions before its own. Becomes
// broadcast_in_dim.
//   (I1) operand. (I2) broadcast_sizes: of the dimensions before.
REGISTER_EXPANDED_OP(OpDef("stablehlo.broadcast", OpKind::kDataMovement)
                         .Assembly(ClausesForm(1,
                                               {{"sizes", "broadcast_sizes"}}))
                         .Infer(InferBroadcast),
                     ExpandBroadcast);

}  // namespace
}  // namespace lockstep::internal
