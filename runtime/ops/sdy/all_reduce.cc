#include "runtime/ops/sdy/all_reduce.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/ops/sdy/collective_checks.h"
#include "runtime/ops/sdy/collective_form.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

// What they are called in Shardy, and beyond it the others that reductions
// have.
struct Kind {
  absl::string_view name;
  absl::string_view op;
};
constexpr Kind kKinds[] = {
    {"sum", "stablehlo.add"},     {"max", "stablehlo.maximum"},
    {"min", "stablehlo.minimum"}, {"mul", "stablehlo.multiply"},
    {"and", "stablehlo.and"},     {"or", "stablehlo.or"},
    {"xor", "stablehlo.xor"}};

absl::Status CheckDims(const Op& op, const CollectiveShardings& shardings) {
  for (int64_t dim = 0; dim < shardings.in.rank(); ++dim) {
    RETURN_IF_ERROR(
        CheckOutAxes(op, dim, shardings.in.dims[dim].axes, shardings));
  }
  return absl::OkStatus();
}

std::vector<AxisRef> AxesOfDims(const TensorSharding& sharding) {
  std::vector<AxisRef> axes;
  for (const DimSharding& dim : sharding.dims) {
    axes.insert(axes.end(), dim.axes.begin(), dim.axes.end());
  }
  return axes;
}

absl::Status VerifyAllReduce(const Op& op) {
  const absl::string_view name = kReducedAxesAttribute;
  ASSIGN_OR_RETURN(const std::vector<AxisRef> axes, AxesAttribute(op, name));
  RETURN_IF_ERROR(AllReduceCombiner(op).status());
  ASSIGN_OR_RETURN(const std::optional<CollectiveShardings> shardings,
                   CheckCollective(op, {.allows_missing_sharding = true}));
  if (!shardings.has_value()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckDims(op, *shardings));
  RETURN_IF_ERROR(CheckSortedAxes(op, name, axes, shardings->mesh));
  const TensorSharding& in = shardings->in;
  RETURN_IF_ERROR(CheckDisjoint(op, name, axes, AxesOfDims(in),
                                "axes of the operand's dimensions"));
  RETURN_IF_ERROR(CheckDisjoint(op, name, axes, in.replicated,
                                "replicated axes of the operand"));
  RETURN_IF_ERROR(CheckDisjoint(op, name, axes, shardings->out.unreduced,
                                "unreduced axes of the result"));
  return CheckReducedAxes(op, ReductionOf(op), *shardings);
}

absl::Status VerifyReplicatedToUnreduced(const Op& op) {
  const absl::string_view name = kUnreducedAxesAttribute;
  ASSIGN_OR_RETURN(const std::vector<AxisRef> axes, AxesAttribute(op, name));
  RETURN_IF_ERROR(AllReduceCombiner(op).status());
  ASSIGN_OR_RETURN(const std::optional<CollectiveShardings> shardings,
                   CheckCollective(op, {}));
  if (axes.empty()) return op.Error("axes: expected an axis, found none");
  if (!shardings.has_value()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckDims(op, *shardings));
  RETURN_IF_ERROR(CheckSortedAxes(op, name, axes, shardings->mesh));
  const TensorSharding& in = shardings->in;
  RETURN_IF_ERROR(CheckDisjoint(op, name, axes, AxesOfDims(in),
                                "axes of the operand's dimensions"));
  RETURN_IF_ERROR(CheckDisjoint(op, name, axes, in.unreduced,
                                "unreduced axes of the operand"));
  RETURN_IF_ERROR(CheckOutUnreduced(
      op, UnionOf(in.unreduced, axes, shardings->mesh.abstract()), *shardings));
  return CheckOutReduction(op, ReductionOf(op), *shardings);
}

// Of an op whose axes are the attribute `name`.
AssemblyForm ReductionForm(absl::string_view name) {
  AssemblyForm form;
  form.parse = [name](AssemblyReader& reader, OpState& state) -> absl::Status {
    RETURN_IF_ERROR(ReadReductionUnless("{", reader, state));
    ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
    absl::StatusOr<std::vector<AxisRef>> axes = ParseSdyAxisRefs(text);
    if (!axes.ok()) return reader.Locate(axes.status());
    state.attributes.Set(name, Attribute::AxisRefs{*std::move(axes)});
    return ReadOperandAndOutSharding(reader, state);
  };
  form.print = [name](const Op& op, AssemblyWriter& writer) {
    WriteReduction(op, writer);
    const auto* axes = op.attribute(name)->As<Attribute::AxisRefs>();
    writer.Write(absl::StrCat(" {", AxisRefsText(axes->refs), "}"));
    WriteOperandAndOutSharding(op, {name, kReductionAttribute}, writer);
  };
  return form;
}

// all_reduce: the sum (or another reduction) of the partial results that the
// devices along axes have. Whoever computes without shards has one result,
// which is the sum.
//   reduction_axes. out_sharding: that of the result, and of the operand.
//   reduction: sum, which need not be written, max, min, mul, and, or, xor.
REGISTER_OP(OpDef("sdy.all_reduce", OpKind::kSharding)
                .Assembly(ReductionForm(kReducedAxesAttribute))
                .Infer(InferOperandType)
                .Verify(VerifyAllReduce)
                .Evaluate(EvaluateOperand));

// replicated_to_unreduced: the opposite. The first device along axes keeps the
// value, the others have what adds nothing to it.
REGISTER_OP(OpDef("sdy.replicated_to_unreduced", OpKind::kSharding)
                .Assembly(ReductionForm(kUnreducedAxesAttribute))
                .Infer(InferOperandType)
                .Verify(VerifyReplicatedToUnreduced)
                .Evaluate(EvaluateOperand));

}  // namespace

std::string ReductionOf(const Op& op) {
  const Attribute* attribute = op.attribute(kReductionAttribute);
  const auto* kind =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Enum>();
  return kind == nullptr ? std::string(kKinds[0].name) : kind->value;
}

absl::StatusOr<std::string> AllReduceCombiner(const Op& op) {
  if (op.attribute(kReductionAttribute) != nullptr) {
    RETURN_IF_ERROR(op.EnumAttribute(kReductionAttribute).status());
  }
  const std::string found = ReductionOf(op);
  for (const Kind& kind : kKinds) {
    if (kind.name == found) return std::string(kind.op);
  }
  return op.Error(absl::StrCat(
      "reduction: expected sum, max, min, mul, and, or, xor, found ", found));
}

void SetAllReduceCombiner(AttributeMap& attributes, absl::string_view op) {
  for (const Kind& kind : kKinds) {
    if (kind.op != op || kind.name == kKinds[0].name) continue;
    attributes.Set(kReductionAttribute,
                   Attribute::Enum{"reduction", std::string(kind.name)});
  }
}

}  // namespace lockstep::internal
