#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/sdy/collective_checks.h"
#include "runtime/ops/sdy/collective_form.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kParams = "params";

Attribute ToAttribute(AxesMove move) {
  Attribute::Struct param{"all_to_all_param", {}};
  param.fields.Append("axes", Attribute::AxisRefs{std::move(move.axes)});
  param.fields.Append("src_dim", Attribute::I64(move.source_dim));
  param.fields.Append("tgt_dim", Attribute::I64(move.target_dim));
  return param;
}

absl::StatusOr<int64_t> DimField(const Op& op, const AttributeMap& fields,
                                 absl::string_view name) {
  const Attribute* field = fields.Find(name);
  const absl::StatusOr<int64_t> value =
      field == nullptr ? absl::InvalidArgumentError("none") : IntegerOf(*field);
  if (value.ok()) return *value;
  return op.Error(
      absl::StrCat("params: expected a dimension ", name, " of each"));
}

absl::StatusOr<AxesMove> MoveOf(const Op& op, const Attribute& attribute) {
  const auto* param = attribute.As<Attribute::Struct>();
  const Attribute* field =
      param == nullptr ? nullptr : param->fields.Find("axes");
  const auto* axes =
      field == nullptr ? nullptr : field->As<Attribute::AxisRefs>();
  if (axes == nullptr) {
    return op.Error("params: expected axes and two dimensions of each");
  }
  AxesMove move;
  move.axes = axes->refs;
  ASSIGN_OR_RETURN(move.source_dim, DimField(op, param->fields, "src_dim"));
  ASSIGN_OR_RETURN(move.target_dim, DimField(op, param->fields, "tgt_dim"));
  return move;
}

absl::StatusOr<std::vector<AxesMove>> MovesOf(const Op& op) {
  const Attribute* attribute = op.attribute(kParams);
  const auto* array =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  if (array == nullptr) {
    return op.Error("params: expected a list of moves of axes");
  }
  std::vector<AxesMove> moves;
  for (const Attribute& element : array->elements) {
    ASSIGN_OR_RETURN(AxesMove move, MoveOf(op, element));
    moves.push_back(std::move(move));
  }
  return moves;
}

// Which dims are in a move.
absl::StatusOr<std::vector<bool>> CheckMovedDims(
    const Op& op, const std::vector<AxesMove>& moves, int64_t rank) {
  std::vector<bool> is_moved(static_cast<size_t>(rank), false);
  int64_t before = -1;
  for (const AxesMove& move : moves) {
    for (const int64_t dim : {move.source_dim, move.target_dim}) {
      if (dim < 0 || dim >= rank) {
        return op.Error(
            absl::StrCat("params: expected dimensions of a tensor of rank ",
                         rank, ", found ", dim));
      }
      if (is_moved[dim]) {
        return op.Error(
            absl::StrCat("params: expected each dimension in one move, found ",
                         dim, " again"));
      }
      is_moved[dim] = true;
    }
    if (move.source_dim < before) {
      return op.Error(absl::StrCat(
          "params: expected source dimensions in ascending order, found ",
          move.source_dim, " behind ", before));
    }
    before = move.source_dim;
  }
  return is_moved;
}

absl::Status CheckMoves(const Op& op, const std::vector<AxesMove>& moves,
                        const CollectiveShardings& shardings) {
  std::vector<std::vector<AxisRef>> lists;
  for (const AxesMove& move : moves) lists.push_back(move.axes);
  RETURN_IF_ERROR(CheckAxisLists(op, kParams, lists, shardings.mesh));
  const AbstractMesh& mesh = shardings.mesh.abstract();
  std::vector<std::vector<AxisRef>> expected;
  for (const DimSharding& dim : shardings.in.dims) expected.push_back(dim.axes);
  for (const AxesMove& move : moves) {
    std::vector<AxisRef>& source = expected[move.source_dim];
    ASSIGN_OR_RETURN(source, WithoutSuffix(op, kParams, move.source_dim, source,
                                           move.axes, mesh));
    std::vector<AxisRef>& target = expected[move.target_dim];
    target = WithSuffix(std::move(target), move.axes, mesh);
  }
  for (size_t dim = 0; dim < expected.size(); ++dim) {
    RETURN_IF_ERROR(
        CheckOutAxes(op, static_cast<int64_t>(dim), expected[dim], shardings));
  }
  return absl::OkStatus();
}

absl::Status VerifyAllToAll(const Op& op) {
  ASSIGN_OR_RETURN(const std::vector<AxesMove> moves, MovesOf(op));
  ASSIGN_OR_RETURN(const std::optional<CollectiveShardings> shardings,
                   CheckCollective(op, {}));
  if (moves.empty()) {
    return op.Error("params: expected a move of axes, found none");
  }
  const Type& type = op.operand(0)->type();
  RETURN_IF_ERROR(
      CheckMovedDims(op, moves, type.is_tensor() ? type.shape().rank() : 0)
          .status());
  if (!shardings.has_value()) return absl::OkStatus();
  return CheckMoves(op, moves, *shardings);
}

absl::Status ParseAllToAll(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  absl::StatusOr<std::vector<AxesMove>> moves = ParseSdyAxesMoves(text);
  if (!moves.ok()) return reader.Locate(moves.status());
  Attribute::Array params;
  for (AxesMove& move : *moves) {
    params.elements.push_back(ToAttribute(std::move(move)));
  }
  state.attributes.Set(kParams, std::move(params));
  return ReadOperandAndOutSharding(reader, state);
}

void PrintAllToAll(const Op& op, AssemblyWriter& writer) {
  const std::vector<AxesMove> moves = *MovesOf(op);
  writer.Write(absl::StrCat(" ", ToSdyString(moves)));
  WriteOperandAndOutSharding(op, {kParams}, writer);
}

// all_to_all: its operand, some of whose dimensions are split by the last axes
// of others.
//   params: axes, the dimension that they split, and that which they split
//   behind it. out_sharding.
REGISTER_OP(OpDef("sdy.all_to_all", OpKind::kSharding)
                .Assembly({ParseAllToAll, PrintAllToAll})
                .Infer(InferOperandType)
                .Verify(VerifyAllToAll)
                .Evaluate(EvaluateOperand));

}  // namespace
}  // namespace lockstep::internal
