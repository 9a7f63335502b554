#include "runtime/conformance/check_dialect.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/conformance/interpreter_dialect.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"

namespace lockstep::internal {
namespace {

using Kind = CheckRule::Kind;

// What a check compares its first operand with.
enum class Expected { kOperand, kConstant, kProbe };

// The checks there are, as ops and as targets of custom_call.
struct CheckForm {
  const char* op;
  const char* target;  // null: only an op
  Expected expected;
  CheckRule op_rule;
  CheckRule target_rule;
};
constexpr CheckForm kForms[] = {
    {"check.expect_eq", "check.expect_eq", Expected::kOperand, {}, {}},
    {"check.expect_eq_const", nullptr, Expected::kConstant, {}, {}},
    {"check.expect_serialized_eq", nullptr, Expected::kProbe, {}, {}},
    {"check.expect_almost_eq",
     "check.expect_almost_eq",
     Expected::kOperand,
     {Kind::kAlmostEqual, 1e-4, 0, 0},
     {Kind::kAlmostEqual, 1e-3, 0, 0}},
    {"check.expect_almost_eq_const",
     nullptr,
     Expected::kConstant,
     {Kind::kAlmostEqual, 1e-4, 0, 0},
     {}},
    {"check.expect_close",
     "check.expect_close",
     Expected::kOperand,
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

// "%a, %b, tolerance = 0.1 : T", "%a, dense<..> : T" and "%a, probe_id = \"p\"
// : T", each with or without parentheses around what stands before the last
// colon.
absl::Status ParseCheck(Expected expected, AssemblyReader& reader,
                        OpState& state) {
  const bool has_parens = reader.TryConsume("(");
  ASSIGN_OR_RETURN(Value * found, reader.ParseOperand());
  state.operands.push_back(found);
  if (expected == Expected::kConstant) {
    RETURN_IF_ERROR(reader.Expect(","));
    ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
    state.attributes.Set("value", std::move(value));
  } else if (expected == Expected::kOperand) {
    RETURN_IF_ERROR(reader.Expect(","));
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
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

absl::StatusOr<ProbeKey> ReadProbeKey(const Op& op) {
  const Attribute* id = op.attribute("probe_id");
  const auto* name = id == nullptr ? nullptr : id->As<Attribute::String>();
  if (name == nullptr) return op.Error("probe_id: expected a string");
  ASSIGN_OR_RETURN(const int64_t iteration, op.IntegerAttributeOr("iter", 0));
  return ProbeKey{name->value, iteration};
}

absl::StatusOr<Check> MakeCheck(const Op& op, const CheckRule& rule,
                                Expected expected) {
  Check check;
  check.rule = rule;
  RETURN_IF_ERROR(ReadLimits(op, check.rule));
  const int operands = expected == Expected::kOperand ? 2 : 1;
  if (op.operand_count() != operands) {
    return op.Error(absl::StrCat("expected ", operands, " operands, found ",
                                 op.operand_count()));
  }
  check.found = op.operand(0);
  if (expected == Expected::kOperand) {
    check.expected = op.operand(1);
    return check;
  }
  if (expected == Expected::kProbe) {
    ASSIGN_OR_RETURN(check.probe, ReadProbeKey(op));
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

void RegisterTestDialects() {
  OpRegistry& registry = OpRegistry::Get();
  if (registry.Find(kUnfoldableConstantOp) != nullptr) return;
  RegisterInterpreterDialect();
  for (const CheckForm& form : kForms) {
    registry.Add(
        TestOp(form.op).Assembly({[&form](AssemblyReader& r, OpState& state) {
                                    return ParseCheck(form.expected, r, state);
                                  },
                                  PrintNothing}));
  }
  registry.Add(TestOp(kUnfoldableConstantOp)
                   .Assembly({ParseUnfoldableConstant, PrintNothing}));
}

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
      return MakeCheck(op, form.target_rule, form.expected);
    }
    if (op.name() == form.op) {
      return MakeCheck(op, form.op_rule, form.expected);
    }
  }
  if (target.has_value()) {
    return op.Unimplemented(absl::StrCat("no target @", *target));
  }
  return op.Unimplemented("op is not supported");
}

}  // namespace lockstep::internal
