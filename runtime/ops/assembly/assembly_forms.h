#ifndef LOCKSTEP_RUNTIME_OPS_ASSEMBLY_ASSEMBLY_FORMS_H_
#define LOCKSTEP_RUNTIME_OPS_ASSEMBLY_ASSEMBLY_FORMS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/ir/assembly.h"

namespace lockstep::internal {

// The pretty forms that several ops share, and the pieces they are made of.
// What a form prints begins with the character after the op's name, so a form
// that starts with an operand writes " %a".

// "(T, T) -> U" and "(T) -> (U, V)".
struct FunctionType {
  std::vector<Type> inputs;
  std::vector<Type> results;
};
absl::StatusOr<FunctionType> ParseFunctionType(AssemblyReader& reader);

// "T, T, T" with at least one type.
absl::StatusOr<std::vector<Type>> ParseTypes(AssemblyReader& reader);

// Checks what is written against the operands' own types.
absl::Status CheckOperandTypes(AssemblyReader& reader, const OpState& state,
                               const std::vector<Type>& written);
// ": (T) -> U" after the rest of an op: checks operands, sets results.
absl::Status ParseColonFunctionType(AssemblyReader& reader, OpState& state);

// "%a, %b, %c": exactly `count` operands.
absl::Status ParseOperands(AssemblyReader& reader, OpState& state, int count);
// "(%a, %b)" or "()".
absl::Status ParseOperandsInParens(AssemblyReader& reader, OpState& state);

// Element-wise ops: "%a, %b : T" when all types are one, else a function type.
AssemblyForm OperandsForm(int operand_count);

// ", dims = [0, 2]" (a list) or ", dim = 0" (an integer), kept as `attribute`.
struct IntegersClause {
  std::string keyword;
  std::string attribute;
  enum { kList, kInteger } kind = kList;
};
// What follows the colon.
enum class WrittenTypes {
  kFunction,  // (T, U) -> V
  kSame,      // one type of all operands and results; else a function type
  kResult,    // the result's, for ops without operands
};
// "%a, %b, clause = [..], .. : types". `operand_count` -1: any number.
AssemblyForm ClausesForm(int operand_count, std::vector<IntegersClause> clauses,
                         WrittenTypes types = WrittenTypes::kFunction);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ASSEMBLY_ASSEMBLY_FORMS_H_
