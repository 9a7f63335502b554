#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/sdy/sharding_form.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kDirection = "allowed_direction";

absl::StatusOr<std::vector<Type>> InferBarrier(const Op& op) {
  ASSIGN_OR_RETURN(std::vector<Type> types, InferOperandType(op));
  ASSIGN_OR_RETURN(const std::string direction, op.EnumAttribute(kDirection));
  if (direction != "NONE" && direction != "FORWARD" &&
      direction != "BACKWARD") {
    return op.Error(
        absl::StrCat("allowed_direction: expected NONE, FORWARD or BACKWARD, "
                     "found ",
                     direction));
  }
  return types;
}

absl::Status ParseBarrier(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  RETURN_IF_ERROR(reader.Expect(kDirection));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(std::string direction, reader.ParseKeyword());
  state.attributes.Set(kDirection, Attribute::Enum{"propagation_direction",
                                                   std::move(direction)});
  RETURN_IF_ERROR(ReadAttributesAndType(reader, state));
  state.result_types = {operand->type()};
  return absl::OkStatus();
}

void PrintBarrier(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  writer.Write(
      absl::StrCat(" allowed_direction=",
                   op.attribute(kDirection)->As<Attribute::Enum>()->value));
  WriteAttributesAndType(op, {kDirection}, writer);
}

// propagation_barrier: its operand; shardings are propagated across it only in
// one direction, or in none.
//   allowed_direction: NONE, FORWARD, BACKWARD.
REGISTER_OP(OpDef("sdy.propagation_barrier", OpKind::kSharding)
                .Assembly({ParseBarrier, PrintBarrier})
                .Infer(InferBarrier)
                .Evaluate(EvaluateOperand)
                .Sharding(PointwiseSharding()));

}  // namespace
}  // namespace lockstep::internal
