#include "runtime/ops/assembly/assembly_forms.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> ParseTypesInParens(AssemblyReader& reader) {
  RETURN_IF_ERROR(reader.Expect("("));
  std::vector<Type> types;
  if (reader.TryConsume(")")) return types;
  ASSIGN_OR_RETURN(types, ParseTypes(reader));
  RETURN_IF_ERROR(reader.Expect(")"));
  return types;
}

// ": T" or ": (T, T) -> U". One written type stands for all operands and the
// result.
absl::Status ParseSameOrFunctionType(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect(":"));
  FunctionType type;
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(type, ParseFunctionType(reader));
  } else {
    ASSIGN_OR_RETURN(Type one, reader.ParseType());
    type.inputs.assign(state.operands.size(), one);
    type.results = {one};
  }
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
  state.result_types = std::move(type.results);
  return absl::OkStatus();
}

bool IsOneType(const Op& op) {
  if (op.result_count() != 1) return false;
  return std::all_of(op.operands().begin(), op.operands().end(),
                     [&](const Value* operand) {
                       return operand->type() == op.result()->type();
                     });
}

void WriteSameOrFunctionType(const Op& op, AssemblyWriter& writer) {
  if (IsOneType(op)) {
    writer.WriteType(op.result()->type());
  } else {
    writer.WriteFunctionType(op);
  }
}

absl::Status ParseClause(AssemblyReader& reader, const IntegersClause& clause,
                         OpState& state) {
  RETURN_IF_ERROR(reader.Expect(clause.keyword));
  RETURN_IF_ERROR(reader.Expect("="));
  if (clause.kind == IntegersClause::kInteger) {
    ASSIGN_OR_RETURN(int64_t value, reader.ParseInteger());
    state.attributes.Set(clause.attribute, Attribute::I64(value));
  } else {
    ASSIGN_OR_RETURN(std::vector<int64_t> values, reader.ParseIntegerList());
    state.attributes.Set(clause.attribute, Attribute::I64Array(values));
  }
  return absl::OkStatus();
}

void PrintClause(const Op& op, const IntegersClause& clause,
                 AssemblyWriter& writer) {
  writer.Write(absl::StrCat(clause.keyword, " = "));
  if (clause.kind == IntegersClause::kInteger) {
    const absl::StatusOr<int64_t> value = op.IntegerAttribute(clause.attribute);
    writer.Write(absl::StrCat(value.ok() ? *value : 0));
  } else {
    const absl::StatusOr<std::vector<int64_t>> values =
        op.IntegersAttribute(clause.attribute);
    writer.Write(absl::StrCat(
        "[", values.ok() ? absl::StrJoin(*values, ", ") : "", "]"));
  }
}

// Operands, then clauses, with commas between all of them.
absl::Status ParseOperandsAndClauses(AssemblyReader& reader, int operand_count,
                                     absl::Span<const IntegersClause> clauses,
                                     OpState& state) {
  bool expects_more = false;
  while (reader.PeekOperand()) {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
    expects_more = reader.TryConsume(",");
    if (!expects_more) break;
  }
  if (expects_more && clauses.empty()) {
    return reader.Error("expected an operand after ','");
  }
  const int found = static_cast<int>(state.operands.size());
  if (operand_count >= 0 && found != operand_count) {
    return reader.Error(
        absl::StrCat("expected ", operand_count, " operands, found ", found));
  }
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (i > 0) RETURN_IF_ERROR(reader.Expect(","));
    RETURN_IF_ERROR(ParseClause(reader, clauses[i], state));
  }
  return absl::OkStatus();
}

absl::Status ParseWrittenTypes(AssemblyReader& reader, WrittenTypes types,
                               OpState& state) {
  switch (types) {
    case WrittenTypes::kFunction:
      return ParseColonFunctionType(reader, state);
    case WrittenTypes::kSame:
      return ParseSameOrFunctionType(reader, state);
    case WrittenTypes::kResult:
      break;
  }
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(Type type, reader.ParseType());
  state.result_types = {std::move(type)};
  return absl::OkStatus();
}

void WriteWrittenTypes(const Op& op, WrittenTypes types,
                       AssemblyWriter& writer) {
  writer.Write(" : ");
  switch (types) {
    case WrittenTypes::kFunction:
      return writer.WriteFunctionType(op);
    case WrittenTypes::kSame:
      return WriteSameOrFunctionType(op, writer);
    case WrittenTypes::kResult:
      return writer.WriteType(op.result()->type());
  }
}

}  // namespace

absl::StatusOr<FunctionType> ParseFunctionType(AssemblyReader& reader) {
  FunctionType type;
  ASSIGN_OR_RETURN(type.inputs, ParseTypesInParens(reader));
  RETURN_IF_ERROR(reader.Expect("->"));
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(type.results, ParseTypesInParens(reader));
  } else {
    ASSIGN_OR_RETURN(Type result, reader.ParseType());
    type.results = {std::move(result)};
  }
  return type;
}

absl::StatusOr<std::vector<Type>> ParseTypes(AssemblyReader& reader) {
  std::vector<Type> types;
  do {
    ASSIGN_OR_RETURN(Type type, reader.ParseType());
    types.push_back(std::move(type));
  } while (reader.TryConsume(","));
  return types;
}

absl::Status CheckOperandTypes(AssemblyReader& reader, const OpState& state,
                               const std::vector<Type>& written) {
  if (written.size() != state.operands.size()) {
    return reader.Error(absl::StrCat("expected ", state.operands.size(),
                                     " operand types, found ", written.size()));
  }
  for (size_t i = 0; i < written.size(); ++i) {
    if (state.operands[i]->type() == written[i]) continue;
    return reader.Error(absl::StrCat("operand ", i, ": expected its type ",
                                     state.operands[i]->type().ToString(),
                                     ", found ", written[i].ToString()));
  }
  return absl::OkStatus();
}

absl::Status ParseColonFunctionType(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(FunctionType type, ParseFunctionType(reader));
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
  state.result_types = std::move(type.results);
  return absl::OkStatus();
}

absl::Status ParseOperands(AssemblyReader& reader, OpState& state, int count) {
  for (int i = 0; i < count; ++i) {
    if (i > 0) RETURN_IF_ERROR(reader.Expect(","));
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  }
  return absl::OkStatus();
}

absl::Status ParseOperandsInParens(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("("));
  if (reader.TryConsume(")")) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  } while (reader.TryConsume(","));
  return reader.Expect(")");
}

AssemblyForm OperandsForm(int operand_count) {
  return ClausesForm(operand_count, {}, WrittenTypes::kSame);
}

AssemblyForm ClausesForm(int operand_count, std::vector<IntegersClause> clauses,
                         WrittenTypes types) {
  const auto shared =
      std::make_shared<const std::vector<IntegersClause>>(std::move(clauses));
  AssemblyForm form;
  form.parse = [=](AssemblyReader& reader, OpState& state) -> absl::Status {
    RETURN_IF_ERROR(
        ParseOperandsAndClauses(reader, operand_count, *shared, state));
    RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
    return ParseWrittenTypes(reader, types, state);
  };
  form.print = [=](const Op& op, AssemblyWriter& writer) {
    if (op.operand_count() > 0) writer.Write(" ");
    writer.WriteOperands(op.operands());
    std::vector<absl::string_view> written;
    bool needs_comma = op.operand_count() > 0;
    for (const IntegersClause& clause : *shared) {
      writer.Write(needs_comma ? ", " : " ");
      PrintClause(op, clause, writer);
      written.push_back(clause.attribute);
      needs_comma = true;
    }
    writer.WriteAttributes(op.attributes(), written);
    WriteWrittenTypes(op, types, writer);
  };
  return form;
}

}  // namespace lockstep::internal
