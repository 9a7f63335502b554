#include "runtime/frontend/module_parser.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/function_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/sharding_parser.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

// The name of the op at the cursor, pretty or generic.
std::string OpName(const Token& token) {
  return token.kind == TokenKind::kString ? Unquote(token.text)
                                          : std::string(token.text);
}

bool IsModule(const Token& token) {
  const std::string name = OpName(token);
  return (token.kind == TokenKind::kWord && name == "module") ||
         name == "builtin.module";
}

bool OpensBracket(const Token& token) {
  return token.Is("(") || token.Is("[") || token.Is("{") || token.Is("<");
}

// An op of another dialect: the text up to the first line
// break outside of brackets. Its location is dropped.
absl::Status ParseOpaqueOp(Cursor& cursor, Module& module) {
  const Location location = cursor.location();
  const char* const begin = cursor.token().begin();
  while (true) {
    if (OpensBracket(cursor.token())) {
      RETURN_IF_ERROR(cursor.SkipBrackets());
    } else if (cursor.Is(TokenKind::kError)) {
      return cursor.Unexpected("the rest of an op");
    } else {
      cursor.Advance();
    }
    const char* const end = cursor.previous_end();
    if (cursor.Is(TokenKind::kEnd) || cursor.Is("}") || cursor.Is("loc") ||
        std::find(end, cursor.token().begin(), '\n') !=
            cursor.token().begin()) {
      module.opaque_ops().emplace_back(begin, end);
      return SkipOptionalLocation(cursor);
    }
  }
}

// At the token itself, also when it begins a line: nothing is missing before.
absl::Status UnexpectedItem(const Cursor& cursor, absl::string_view expected) {
  Cursor at(cursor);
  at.MoveTo(cursor.token().begin());
  return at.Unexpected(expected);
}

// Anything that may stand in a module.
absl::Status ParseModuleItem(Cursor& cursor, Module& module) {
  const Token& token = cursor.token();
  if (token.kind != TokenKind::kWord && token.kind != TokenKind::kString) {
    return UnexpectedItem(cursor, "func.func or another op of a module");
  }
  if (token.text == "func.func") return ParseFunction(cursor, module);
  const std::string name = OpName(token);
  if (name == "func.func") return ParseGenericFunction(cursor, module);
  if (IsMesh(cursor)) return ParseMesh(cursor, module);
  if (IsModule(token)) {
    return ErrorAt(cursor.location(), absl::StatusCode::kUnimplemented,
                   "modules in modules are not supported");
  }
  if (!absl::StrContains(name, '.') || absl::StartsWith(name, "stablehlo.") ||
      absl::StartsWith(name, "func.") ||
      OpRegistry::Get().Find(name) != nullptr) {
    return UnexpectedItem(cursor, "func.func or another op of a module");
  }
  return ParseOpaqueOp(cursor, module);
}

absl::Status ParseItems(Cursor& cursor, Module& module) {
  RETURN_IF_ERROR(cursor.Expect("{"));
  while (!cursor.Is("}")) RETURN_IF_ERROR(ParseModuleItem(cursor, module));
  cursor.Advance();
  return absl::OkStatus();
}

// module @name attributes {..} {..}
absl::Status ParsePrettyModule(Cursor& cursor, Module& module) {
  cursor.Advance();
  if (cursor.Is(TokenKind::kSymbol)) {
    ASSIGN_OR_RETURN(std::string name, ParseSymbolName(cursor));
    module.set_name(std::move(name));
  }
  if (cursor.TryConsume("attributes")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, module.attributes()));
  }
  RETURN_IF_ERROR(ParseItems(cursor, module));
  return SkipOptionalLocation(cursor);
}

// "builtin.module"() <{sym_name = "m"}> ({..}) {..} : () -> ()
absl::Status ParseGenericModule(Cursor& cursor, Module& module) {
  cursor.Advance();
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(cursor.Expect(")"));
  AttributeMap& attributes = module.attributes();
  if (cursor.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(ParseItems(cursor, module));
  RETURN_IF_ERROR(cursor.Expect(")"));
  if (cursor.Is("{")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
  }
  RETURN_IF_ERROR(cursor.Expect(":"));
  RETURN_IF_ERROR(ParseFunctionType(cursor).status());
  if (const Attribute* name = attributes.Find("sym_name")) {
    if (const auto* string = name->As<Attribute::String>()) {
      module.set_name(string->value);
    }
    attributes.Remove("sym_name");
  }
  return SkipOptionalLocation(cursor);
}

}  // namespace

absl::Status ParseTopLevel(Cursor& cursor, Definitions& definitions,
                           Module& module) {
  bool has_module = false;
  while (!cursor.Is(TokenKind::kEnd)) {
    const Token& token = cursor.token();
    if (token.kind == TokenKind::kHashName ||
        token.kind == TokenKind::kBangName) {
      RETURN_IF_ERROR(definitions.ParseAlias(cursor));
    } else if (token.Is("{-#")) {
      RETURN_IF_ERROR(Definitions::SkipResources(cursor));
    } else if (has_module) {
      return UnexpectedItem(cursor, "the end of the text after the module");
    } else if (IsModule(token) && module.functions().empty()) {
      has_module = true;
      RETURN_IF_ERROR(token.kind == TokenKind::kWord
                          ? ParsePrettyModule(cursor, module)
                          : ParseGenericModule(cursor, module));
    } else {
      RETURN_IF_ERROR(ParseModuleItem(cursor, module));
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
