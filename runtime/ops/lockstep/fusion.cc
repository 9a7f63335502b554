#include "runtime/ops/lockstep/fusion.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

// Adds what `region` defines to `known`. An error for an operand that is not in
// it.
absl::Status CheckIsolated(const Op& fusion, const Region& region,
                           absl::flat_hash_set<const Value*>& known) {
  for (const auto& argument : region.arguments()) known.insert(argument.get());
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      if (known.contains(operand)) continue;
      return fusion.Error(
          absl::StrCat("region: ", op->name(), " uses a value from outside"));
    }
    for (const auto& nested : op->regions()) {
      RETURN_IF_ERROR(CheckIsolated(fusion, *nested, known));
    }
    for (const auto& result : op->results()) known.insert(result.get());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferFusion(const Op& op) {
  if (op.region_count() != 1) {
    return op.Error(
        absl::StrCat("expected 1 region, found ", op.region_count()));
  }
  RETURN_IF_ERROR(FusionKindOf(op).status());
  RETURN_IF_ERROR(
      CheckRegionArguments(op, "region", op.region(), OperandTypes(op)));
  absl::flat_hash_set<const Value*> known;
  RETURN_IF_ERROR(CheckIsolated(op, op.region(), known));
  return ReturnedTypes(op, op.region());
}

absl::Status EvaluateFusion(EvaluationContext& context, const Op& op,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView> results) {
  return context.RunRegion(op.region(), operands, results);
}

// fusion: runs its region; see fusion.h.
REGISTER_OP(OpDef(std::string(kFusionOp), OpKind::kFusion)
                .Infer(InferFusion)
                .Evaluate(EvaluateFusion));

}  // namespace

absl::string_view FusionKindName(FusionKind kind) {
  switch (kind) {
    case FusionKind::kLoop:
      return "loop";
    case FusionKind::kReduce:
      return "reduce";
    case FusionKind::kRows:
      return "rows";
    case FusionKind::kDot:
      return "dot";
  }
  return "";
}

absl::StatusOr<FusionKind> FusionKindOf(const Op& fusion) {
  const Attribute* attribute = fusion.attribute("kind");
  const auto* text =
      attribute == nullptr ? nullptr : attribute->As<Attribute::String>();
  if (text == nullptr) return fusion.Error("needs kind, a string");
  for (FusionKind kind : {FusionKind::kLoop, FusionKind::kReduce,
                          FusionKind::kRows, FusionKind::kDot}) {
    if (text->value == FusionKindName(kind)) return kind;
  }
  return fusion.Error(absl::StrCat(
      "kind: expected loop, reduce, rows or dot, found ", text->value));
}

}  // namespace lockstep::internal
