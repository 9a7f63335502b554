#include <cstring>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyReshape(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& operand = op.operand(0)->shape();
  if (operand.element_type() != result.element_type()) {  // (C1)
    return op.Error(absl::StrCat("result: expected elements of ",
                                 operand.ToString(), ", found ",
                                 result.ToString()));
  }
  if (operand.element_count() != result.element_count()) {  // (C2)
    return op.Error(absl::StrCat("result: expected ", operand.element_count(),
                                 " elements as ", operand.ToString(),
                                 ", found ", result.element_count(), " in ",
                                 result.ToString()));
  }
  return absl::OkStatus();
}

absl::Status EvaluateReshape(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  return absl::OkStatus();
}

// The product of the dims of one shape that the walk has entered, and of the
// factors that it has found for them.
struct Side {
  const Shape& shape;
  int64_t dim = 0;
  int64_t entered = 1;
  int64_t found = 1;

  bool HasDim() const { return dim < shape.rank(); }
  bool AtDimOfSizeOne() const { return HasDim() && shape.dim(dim) == 1; }
  void Enter() {
    if (entered == found && HasDim()) entered *= shape.dim(dim);
  }
  void LeaveWhenDone() {
    if (entered == found) ++dim;
  }
  int64_t rest() const { return entered / found; }
};

// A factor of one shape alone that brings `behind` as close to `ahead` as its
// rest lets it.
int64_t CatchUp(const Side& behind, const Side& ahead) {
  const int64_t rest = behind.rest();
  if (ahead.found % behind.found == 0) {
    const int64_t missing = ahead.found / behind.found;
    if (rest % missing == 0) return missing;
  }
  const int64_t common = std::gcd(rest, ahead.rest());
  return rest > common ? rest / common : rest;
}

// The factors that one step of the walk finds at the current dims.
void AddFactors(Side& in, Side& out, ShardingRuleBuilder& rule) {
  const auto add_in = [&](int64_t size) {
    rule.Add(size).Operand(0, in.dim);
    in.found *= size;
  };
  const auto add_out = [&](int64_t size) {
    rule.Add(size).Result(0, out.dim);
    out.found *= size;
  };
  if (in.found < out.found) return add_in(CatchUp(in, out));
  if (in.found > out.found) return add_out(CatchUp(out, in));
  const int64_t common = std::gcd(in.rest(), out.rest());
  if (common > 1) {
    rule.Add(common).Operand(0, in.dim).Result(0, out.dim);
    in.found *= common;
    out.found *= common;
  } else {
    add_in(in.rest());
    add_out(out.rest());
  }
}

// Both shapes are walked at once, major to minor. Where the products of their
// dims so far agree, a common divisor of what follows is a factor of both; what
// only one of them can be divided by is a factor of that one.
absl::StatusOr<std::optional<OpShardingRule>> ReshapeRule(
    const Op& op, const ShardingRuleOptions&) {
  Side in = {op.operand(0)->shape()};
  Side out = {op.result()->shape()};
  if (in.shape.element_count() == 0) return std::nullopt;
  ShardingRuleBuilder rule(op);
  while (in.HasDim() || out.HasDim()) {
    if (in.AtDimOfSizeOne()) {
      rule.Add(1).Operand(0, in.dim++);
    } else if (out.AtDimOfSizeOne()) {
      rule.Add(1).Result(0, out.dim++);
    } else {
      in.Enter();
      out.Enter();
      AddFactors(in, out, rule);
      in.LeaveWhenDone();
      out.LeaveWhenDone();
    }
  }
  return rule.Build();
}

// reshape: the same elements in row-major order under other dimensions.
//   (I1) operand: any tensor.
REGISTER_OP(OpDef("stablehlo.reshape", OpKind::kDataMovement)
                .Assembly(ClausesForm(1, {}))
                .Verify(VerifyReshape)
                .Evaluate(EvaluateReshape)
                .Sharding(ReshapeRule));

}  // namespace
}  // namespace lockstep::internal
