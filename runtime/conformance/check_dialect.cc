#include "runtime/conformance/check_dialect.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly_forms.h"
#include "runtime/ops/evaluation.h"

namespace lockstep {
namespace {

using Kind = CheckRule::Kind;

// The checks there are, as ops and as targets of custom_call.
struct CheckForm {
  const char* op;
  const char* target;  // null: only an op
  bool has_constant;
  CheckRule op_rule;
  CheckRule target_rule;
};
constexpr CheckForm kForms[] = {
    {"check.expect_eq", "check.expect_eq", false, {}, {}},
    {"check.expect_eq_const", nullptr, true, {}, {}},
    {"check.expect_almost_eq",
     "check.expect_almost_eq",
     false,
     {Kind::kAlmostEqual, 1e-4, 0, 0},
     {Kind::kAlmostEqual, 1e-3, 0, 0}},
    {"check.expect_almost_eq_const",
     nullptr,
     true,
     {Kind::kAlmostEqual, 1e-4, 0, 0},
     {}},
    {"check.expect_close",
     "check.expect_close",
     false,
     {Kind::kClose, 0, 0, 1},
     {Kind::kClose, 0, 0, 3}},
};

// ", tolerance = 0.1" and the like, kept as attributes.
absl::Status ParseClauses(AssemblyReader& reader, OpState& state) {
  while (reader.TryConsume(",")) {
    ASSIGN_OR_RETURN(const std::string name, reader.ParseKeyword());
    RETURN_IF_ERROR(reader.Expect("="));
    // The maximal distance is the one number that i64 does not hold.
    if (reader.TryConsume("18446744073709551615")) {
      state.attributes.Set(name, Attribute::I64(-1));
      continue;
    }
    ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
    state.attributes.Set(name, std::move(value));
  }
  return absl::OkStatus();
}

// "%a, %b, tolerance = 0.1 : T" and "%a, dense<..> : T", either with
// parentheses around what stands before the last colon.
absl::Status ParseCheck(bool has_constant, AssemblyReader& reader,
                        OpState& state) {
  const bool has_parens = reader.TryConsume("(");
  ASSIGN_OR_RETURN(Value * found, reader.ParseOperand());
  state.operands.push_back(found);
  RETURN_IF_ERROR(reader.Expect(","));
  if (has_constant) {
    ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
    state.attributes.Set("value", std::move(value));
  } else {
    ASSIGN_OR_RETURN(Value * expected, reader.ParseOperand());
    state.operands.push_back(expected);
  }
  RETURN_IF_ERROR(ParseClauses(reader, state));
  if (has_parens) RETURN_IF_ERROR(reader.Expect(")"));
  RETURN_IF_ERROR(ParseClauses(reader, state));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  if (reader.TryConsume(":")) RETURN_IF_ERROR(ParseTypes(reader).status());
  return reader.ParseOptionalAttributes(state.attributes);
}

absl::Status ParseUnfoldableConstant(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
  const auto* elements = value.As<Attribute::Elements>();
  if (elements == nullptr) return reader.Error("expected dense<..> : tensor");
  state.result_types = {Type(elements->shape)};
  state.attributes.Set("value", std::move(value));
  return absl::OkStatus();
}

void PrintNothing(const Op&, AssemblyWriter&) {}

OpDef TestOp(absl::string_view name) {
  return OpDef(std::string(name), OpKind::kCustomCall);
}

RunParallelFn& CurrentRunParallel() {
  static auto* const run = new RunParallelFn;
  return *run;
}

absl::Status EvaluateRunParallel(EvaluationContext&, const Op& op,
                                 absl::Span<const LiteralView> operands,
                                 absl::Span<const MutableLiteralView> results) {
  if (!CurrentRunParallel()) return op.Unimplemented("not here");
  return CurrentRunParallel()(op, operands, results);
}

std::optional<std::string> TargetOf(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return std::nullopt;
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  if (name == nullptr) return std::nullopt;
  return name->value;
}

absl::Status ReadLimits(const Op& op, CheckRule& rule) {
  if (const Attribute* tolerance = op.attribute("tolerance")) {
    const auto* value = tolerance->As<Attribute::Float>();
    if (value == nullptr) return op.Error("tolerance: expected a float");
    rule.tolerance = value->value;
  }
  ASSIGN_OR_RETURN(rule.min_ulp,
                   op.IntegerAttributeOr("min_ulp_difference", rule.min_ulp));
  ASSIGN_OR_RETURN(rule.max_ulp,
                   op.IntegerAttributeOr("max_ulp_difference", rule.max_ulp));
  return absl::OkStatus();
}

absl::StatusOr<Check> MakeCheck(const Op& op, const CheckRule& rule,
                                bool has_constant) {
  Check check;
  check.rule = rule;
  RETURN_IF_ERROR(ReadLimits(op, check.rule));
  const int operands = has_constant ? 1 : 2;
  if (op.operand_count() != operands) {
    return op.Error(absl::StrCat("expected ", operands, " operands, found ",
                                 op.operand_count()));
  }
  check.found = op.operand(0);
  if (!has_constant) {
    check.expected = op.operand(1);
    return check;
  }
  check.constant = op.attribute("value");
  if (check.constant == nullptr ||
      check.constant->As<Attribute::Elements>() == nullptr) {
    return op.Error("value: expected dense<..>");
  }
  return check;
}

}  // namespace

void RegisterCheckDialect() {
  OpRegistry& registry = OpRegistry::Get();
  if (registry.Find(kRunParallelOp) != nullptr) return;
  for (const CheckForm& form : kForms) {
    registry.Add(TestOp(form.op).Assembly(
        {[&form](AssemblyReader& r, OpState& state) {
           return ParseCheck(form.has_constant, r, state);
         },
         PrintNothing}));
  }
  registry.Add(TestOp(kRunParallelOp).Evaluate(EvaluateRunParallel));
  registry.Add(TestOp(kUnfoldableConstantOp)
                   .Assembly({ParseUnfoldableConstant, PrintNothing}));
}

ScopedRunParallel::ScopedRunParallel(RunParallelFn run) {
  CurrentRunParallel() = std::move(run);
}
ScopedRunParallel::~ScopedRunParallel() { CurrentRunParallel() = nullptr; }

bool IsCheck(const Op& op) {
  if (absl::StartsWith(op.name(), "check.")) return true;
  const std::optional<std::string> target = TargetOf(op);
  return target.has_value() && absl::StartsWith(*target, "check.");
}

absl::StatusOr<Check> ReadCheck(const Op& op) {
  const std::optional<std::string> target = TargetOf(op);
  for (const CheckForm& form : kForms) {
    if (target.has_value()) {
      if (form.target == nullptr || *target != form.target) continue;
      return MakeCheck(op, form.target_rule, form.has_constant);
    }
    if (op.name() == form.op) {
      return MakeCheck(op, form.op_rule, form.has_constant);
    }
  }
  if (target.has_value()) {
    return op.Unimplemented(absl::StrCat("no target @", *target));
  }
  return op.Unimplemented("op is not supported");
}

}  // namespace lockstep
