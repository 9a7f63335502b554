#include "runtime/frontend/function_parser.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/op_parser.h"
#include "runtime/frontend/type_parser.h"

namespace lockstep::internal {
namespace {

// What stands between the name and the body.
struct Signature {
  std::vector<NamedArgument> arguments;
  std::vector<AttributeMap> argument_attributes;
  std::vector<Type> result_types;
  std::vector<AttributeMap> result_attributes;
};

// "{..} loc(..)" after an argument or a result; both may be missing.
absl::Status ParseTrailer(Cursor& cursor, AttributeMap& attributes) {
  if (cursor.Is("{")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
  }
  return SkipOptionalLocation(cursor);
}

absl::Status ParseArguments(Cursor& cursor, absl::string_view function,
                            Signature& signature) {
  RETURN_IF_ERROR(cursor.Expect("("));
  if (cursor.TryConsume(")")) return absl::OkStatus();
  do {
    NamedArgument argument;
    if (!cursor.Is(TokenKind::kValueName)) {
      return cursor.Unexpected(
          absl::StrCat("an argument's name (a function needs a body, and @",
                       function, " seems to be a declaration)"));
    }
    argument.name = cursor.token();
    cursor.Advance();
    RETURN_IF_ERROR(cursor.Expect(":"));
    ASSIGN_OR_RETURN(argument.type, ParseType(cursor));
    signature.arguments.push_back(std::move(argument));
    RETURN_IF_ERROR(
        ParseTrailer(cursor, signature.argument_attributes.emplace_back()));
  } while (cursor.TryConsume(","));
  return cursor.Expect(")");
}

absl::Status ParseResults(Cursor& cursor, Signature& signature) {
  if (!cursor.TryConsume("->")) return absl::OkStatus();
  if (!cursor.TryConsume("(")) {
    ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    signature.result_types.push_back(std::move(type));
    signature.result_attributes.emplace_back();
    return absl::OkStatus();
  }
  if (cursor.TryConsume(")")) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    signature.result_types.push_back(std::move(type));
    RETURN_IF_ERROR(
        ParseTrailer(cursor, signature.result_attributes.emplace_back()));
  } while (cursor.TryConsume(","));
  return cursor.Expect(")");
}

absl::Status CheckNameIsFree(const Module& module, const Location& location,
                             absl::string_view name) {
  const Function* other = module.FindFunction(name);
  if (other == nullptr) return absl::OkStatus();
  return InvalidAt(location, absl::StrCat("function @", name,
                                          " is defined twice, first "
                                          "at ",
                                          other->location().ToString()));
}

}  // namespace

absl::Status ParseFunction(Cursor& cursor, Module& module) {
  const Location location = cursor.location();
  RETURN_IF_ERROR(cursor.Expect("func.func"));
  const bool is_private =
      cursor.TryConsume("private") || cursor.TryConsume("nested");
  if (!is_private) cursor.TryConsume("public");
  ASSIGN_OR_RETURN(std::string name, ParseSymbolName(cursor));
  RETURN_IF_ERROR(CheckNameIsFree(module, location, name));
  Signature signature;
  RETURN_IF_ERROR(ParseArguments(cursor, name, signature));
  RETURN_IF_ERROR(ParseResults(cursor, signature));
  AttributeMap attributes;
  if (cursor.TryConsume("attributes")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
  }
  if (!cursor.Is("{")) {
    return cursor.Unexpected(absl::StrCat("the body of function @", name));
  }
  Function* function = module.AddFunction(std::move(name), location);
  function->set_is_private(is_private);
  function->attributes() = std::move(attributes);
  function->set_result_types(std::move(signature.result_types));
  function->result_attributes() = std::move(signature.result_attributes);
  OpParser parser(cursor);
  RETURN_IF_ERROR(parser.ParseRegion(signature.arguments, function->body()));
  function->argument_attributes() = std::move(signature.argument_attributes);
  return SkipOptionalLocation(cursor);
}

}  // namespace lockstep::internal
