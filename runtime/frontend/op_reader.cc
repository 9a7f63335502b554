#include "runtime/frontend/op_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/number_parser.h"
#include "runtime/frontend/type_parser.h"

namespace lockstep::internal {

bool OpReader::Peek(absl::string_view token) const { return cursor_.Is(token); }

bool OpReader::TryConsume(absl::string_view token) {
  return cursor_.TryConsume(token);
}

absl::Status OpReader::Expect(absl::string_view token) {
  return cursor_.Expect(token);
}

bool OpReader::PeekOperand() const { return cursor_.Is(TokenKind::kValueName); }

absl::StatusOr<Value*> OpReader::ParseOperand() {
  Token name;
  RETURN_IF_ERROR(cursor_.Take(TokenKind::kValueName, "an operand", &name));
  is_in_argument_ = false;
  ASSIGN_OR_RETURN(Value * value, parser_.values().Find(cursor_, name));
  operands_.push_back(value);
  return value;
}

absl::StatusOr<std::string> OpReader::ParseValueName() {
  Token name;
  RETURN_IF_ERROR(cursor_.Take(TokenKind::kValueName, "a value's name", &name));
  value_names_.emplace(name.text, name);
  is_in_argument_ = true;
  return std::string(name.text);
}

absl::StatusOr<std::string> OpReader::ParseKeyword() {
  Token word;
  RETURN_IF_ERROR(cursor_.Take(TokenKind::kWord, "a word", &word));
  return std::string(word.text);
}

absl::StatusOr<std::string> OpReader::ParseString() {
  Token string;
  RETURN_IF_ERROR(cursor_.Take(TokenKind::kString, "a string", &string));
  return Unquote(string.text);
}

bool OpReader::PeekSymbol() const { return cursor_.Is(TokenKind::kSymbol); }

absl::StatusOr<std::string> OpReader::ParseSymbol() {
  return ParseSymbolName(cursor_);
}

absl::StatusOr<int64_t> OpReader::ParseInteger() {
  return lockstep::internal::ParseInteger(cursor_);
}

absl::StatusOr<std::vector<int64_t>> OpReader::ParseIntegerList() {
  std::vector<int64_t> values;
  RETURN_IF_ERROR(cursor_.Expect("["));
  if (cursor_.TryConsume("]")) return values;
  do {
    ASSIGN_OR_RETURN(const int64_t value, ParseInteger());
    values.push_back(value);
  } while (cursor_.TryConsume(","));
  RETURN_IF_ERROR(cursor_.Expect("]"));
  return values;
}

absl::StatusOr<Type> OpReader::ParseType() {
  ASSIGN_OR_RETURN(Type type, lockstep::internal::ParseType(cursor_));
  if (std::exchange(is_in_argument_, false)) {
    RETURN_IF_ERROR(SkipOptionalLocation(cursor_));
  }
  return type;
}

absl::Status OpReader::ParseTypeOf(const Value* operand) {
  ASSIGN_OR_RETURN(const Type type, ParseType());
  if (type == operand->type()) return absl::OkStatus();
  return WrongType(operand, type);
}

absl::StatusOr<std::vector<Type>> OpReader::ParseFunctionTypeOf(
    absl::Span<Value* const> operands) {
  ASSIGN_OR_RETURN(ParsedFunctionType type, ParseFunctionType(cursor_));
  if (type.inputs.size() != operands.size()) {
    return Error(absl::StrCat("expected ", operands.size(),
                              " operand types, found ", type.inputs.size()));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (type.inputs[i] == operands[i]->type()) continue;
    return WrongType(operands[i], type.inputs[i]);
  }
  return std::move(type.results);
}

absl::StatusOr<Attribute> OpReader::ParseAttribute() {
  return lockstep::internal::ParseAttribute(cursor_);
}

absl::StatusOr<std::string> OpReader::ParseBrackets() {
  const char* const begin = cursor_.token().begin();
  if (!cursor_.Is("<") && !cursor_.Is("[") && !cursor_.Is("{")) {
    return cursor_.Unexpected("'<', '[' or '{'");
  }
  bracket_ = begin;
  RETURN_IF_ERROR(cursor_.SkipBrackets());
  return std::string(begin, cursor_.previous_end());
}

absl::Status OpReader::Locate(const absl::Status& status) const {
  return cursor_.Locate(Annotate(status, op_name_), bracket_);
}

absl::Status OpReader::ParseOptionalAttributes(AttributeMap& attributes) {
  if (!cursor_.Is("{")) return absl::OkStatus();
  return ParseAttributeDictionary(cursor_, attributes);
}

absl::StatusOr<std::unique_ptr<Region>> OpReader::ParseRegion(
    absl::Span<const std::pair<std::string, Type>> arguments) {
  std::vector<NamedArgument> named;
  for (const auto& [name, type] : arguments) {
    const auto token = value_names_.find(name);
    if (token == value_names_.end()) {
      return Error(
          absl::StrCat("expected the name of an argument, found ", name));
    }
    named.push_back({token->second, type});
  }
  auto region = std::make_unique<Region>();
  RETURN_IF_ERROR(parser_.ParseRegion(named, *region));
  return region;
}

absl::Status OpReader::Error(absl::string_view message) const {
  return InvalidAt(location_, absl::StrCat(op_name_, ": ", message,
                                           parser_.OperandsText(operands_)));
}

absl::Status OpReader::WrongType(const Value* operand,
                                 const Type& found) const {
  const auto position = std::find(operands_.begin(), operands_.end(), operand);
  return Error(absl::StrCat("operand ", position - operands_.begin(),
                            ": expected its type ", operand->type().ToString(),
                            ", found ", found.ToString()));
}

}  // namespace lockstep::internal
