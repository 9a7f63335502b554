#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/op_expansion.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferEdge(const Op& op) {
  ASSIGN_OR_RETURN(std::vector<Type> types, InferOperandType(op));
  if (op.attribute("sharding") != nullptr) {
    RETURN_IF_ERROR(ShardingAttribute(op, "sharding", types[0]).status());
  }
  return types;
}

absl::Status ParseEdge(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  if (reader.TryConsume("sharding")) {
    RETURN_IF_ERROR(reader.Expect("="));
    ASSIGN_OR_RETURN(Attribute sharding, ReadSharding(reader));
    state.attributes.Set("sharding", std::move(sharding));
  }
  RETURN_IF_ERROR(ReadAttributesAndType(reader, state));
  state.result_types = {operand->type()};
  return absl::OkStatus();
}

void PrintEdge(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  if (const Attribute* sharding = op.attribute("sharding")) {
    writer.Write(absl::StrCat(
        " sharding=", ToSdyString(sharding->As<Attribute::Sharding>()->value)));
  }
  WriteAttributesAndType(op, {"sharding"}, writer);
}

// Null: it says none.
const TensorSharding* ShardingOfEdge(const Op& edge) {
  const Attribute* clause = edge.attribute("sharding");
  if (clause == nullptr) return ResultSharding(edge, 0);
  return &clause->As<Attribute::Sharding>()->value;
}

// What the edge says of its values, the first of them says, if it is a result
// of an op of which the program says nothing. Calls are inlined, and arguments
// say themselves what is known of them.
void HandOnSharding(const Op& edge) {
  const TensorSharding* const sharding = ShardingOfEdge(edge);
  const Value* const owner = edge.operand(0);
  Op* const op = owner->defining_op();
  if (sharding == nullptr || op == nullptr) return;
  std::vector<TensorSharding> shardings;
  for (int i = 0; i < op->result_count(); ++i) {
    const TensorSharding* known = ResultSharding(*op, i);
    const Type& type = op->result(i)->type();
    const TensorSharding open =
        UnshardedOn(sharding->mesh, type.is_tensor() ? type.shape().rank() : 0,
                    /*is_closed=*/false);
    shardings.push_back(known == nullptr ? open : *known);
    if (i != owner->index()) continue;
    const TensorSharding& said = shardings.back();
    if (said.dims != open.dims || !said.replicated.empty() ||
        !said.unreduced.empty()) {
      return;
    }
    shardings.back() = *sharding;
  }
  SetResultShardings(*op, std::move(shardings));
}

absl::StatusOr<std::vector<Value*>> ExpandEdge(const Op& op,
                                               ExpansionBuilder&) {
  HandOnSharding(op);
  return std::vector<Value*>{op.operand(0)};
}

// data_flow_edge: its operand, which is the first of several values that are
// one. Shardy puts them in while it propagates; here they are found again.
//   sharding: of all of these values.
REGISTER_EXPANDED_OP(OpDef("sdy.data_flow_edge", OpKind::kSharding)
                         .Assembly({ParseEdge, PrintEdge})
                         .Infer(InferEdge),
                     ExpandEdge);

// func_data_flow_edge: the same for an argument of a function, or the result of
// a call.
REGISTER_EXPANDED_OP(OpDef("sdy.func_data_flow_edge", OpKind::kSharding)
                         .Assembly({ParseEdge, PrintEdge})
                         .Infer(InferEdge),
                     ExpandEdge);

}  // namespace
}  // namespace lockstep::internal
