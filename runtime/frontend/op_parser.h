#ifndef LOCKSTEP_RUNTIME_FRONTEND_OP_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_OP_PARSER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/frontend/cursor.h"
#include "runtime/frontend/value_scope.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// An argument of a region and its name.
struct NamedArgument {
  Token name;
  Type type;
};

// Reads the ops of one function.
class OpParser {
 public:
  explicit OpParser(Cursor& cursor) : cursor_(cursor) {}

  // "{ ops }", with or without a label. The arguments are added to `region`;
  // a label may then have none of its own.
  absl::Status ParseRegion(absl::Span<const NamedArgument> arguments,
                           Region& region);

  ValueScope& values() { return values_; }
  // As that of operands_text.h, with names and their places.
  std::string OperandsText(absl::Span<const Value* const> operands) const;

 private:
  // "%0:2, %a" before an op.
  struct ResultName {
    Token name;
    int count;
  };

  absl::Status ParseBlock(Region& region);
  absl::Status ParseLabel(Region& region);
  absl::Status ParseOp(Region& region);
  absl::Status ParseResultNames(std::vector<ResultName>& names);
  absl::Status DefineResults(const std::vector<ResultName>& names,
                             const Token& op_name, const Op& op);
  absl::Status ParsePrettyOp(OpState& state);

  // The generic form, in generic_op_parser.cc.
  absl::Status ParseGenericOp(OpState& state);
  absl::Status ParseGenericOperands(OpState& state, std::vector<Token>& tokens);
  absl::Status ParseGenericRegions(OpState& state);
  absl::Status ParseSignature(OpState& state, const std::vector<Token>& tokens);

  Cursor& cursor_;
  ValueScope values_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_OP_PARSER_H_
