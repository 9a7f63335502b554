#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/op_parser.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {

// "name"(operands) <{properties}> ({regions}) {attributes} : type
absl::Status OpParser::ParseGenericOp(OpState& state) {
  state.name = Unquote(cursor_.token().text);
  state.def = OpRegistry::Get().Find(state.name);
  if (state.def != nullptr) state.name = state.def->name();
  cursor_.Advance();
  std::vector<Token> operand_tokens;
  RETURN_IF_ERROR(ParseGenericOperands(state, operand_tokens));
  if (cursor_.Is("[")) {
    return ErrorAt(cursor_.location(), absl::StatusCode::kUnimplemented,
                   "branches to other blocks are not supported");
  }
  if (cursor_.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor_, state.attributes));
    RETURN_IF_ERROR(cursor_.Expect(">"));
  }
  if (cursor_.TryConsume("(")) RETURN_IF_ERROR(ParseGenericRegions(state));
  if (cursor_.Is("{")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor_, state.attributes));
  }
  return ParseSignature(state, operand_tokens);
}

absl::Status OpParser::ParseGenericOperands(OpState& state,
                                            std::vector<Token>& tokens) {
  RETURN_IF_ERROR(cursor_.Expect("("));
  if (cursor_.TryConsume(")")) return absl::OkStatus();
  do {
    Token name;
    RETURN_IF_ERROR(cursor_.Take(TokenKind::kValueName, "an operand", &name));
    ASSIGN_OR_RETURN(Value * value, values_.Find(cursor_, name));
    state.operands.push_back(value);
    tokens.push_back(name);
  } while (cursor_.TryConsume(","));
  return cursor_.Expect(")");
}

absl::Status OpParser::ParseGenericRegions(OpState& state) {
  do {
    auto region = std::make_unique<Region>();
    RETURN_IF_ERROR(ParseRegion({}, *region));
    state.regions.push_back(std::move(region));
  } while (cursor_.TryConsume(","));
  return cursor_.Expect(")");
}

absl::Status OpParser::ParseSignature(OpState& state,
                                      const std::vector<Token>& tokens) {
  RETURN_IF_ERROR(cursor_.Expect(":"));
  const auto error = [&](const std::string& message) {
    const std::vector<const Value*> operands(state.operands.begin(),
                                             state.operands.end());
    return InvalidAt(state.location, absl::StrCat(state.name, ": ", message,
                                                  OperandsText(operands)));
  };
  ASSIGN_OR_RETURN(ParsedFunctionType type, ParseFunctionType(cursor_));
  if (type.inputs.size() != tokens.size()) {
    return error(absl::StrCat("expected ", tokens.size(),
                              " operand types, found ", type.inputs.size()));
  }
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (type.inputs[i] == state.operands[i]->type()) continue;
    return error(absl::StrCat("operand ", i, ": expected its type ",
                              state.operands[i]->type().ToString(), ", found ",
                              type.inputs[i].ToString()));
  }
  state.result_types = std::move(type.results);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
