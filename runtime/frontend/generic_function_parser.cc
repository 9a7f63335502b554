#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/function_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/op_parser.h"
#include "runtime/frontend/type_parser.h"

namespace lockstep::internal {
namespace {

// Takes a string attribute out of the map; empty when there is none.
std::string TakeString(AttributeMap& attributes, absl::string_view name) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return "";
  const auto* string = attribute->As<Attribute::String>();
  std::string value = string == nullptr ? "" : string->value;
  attributes.Remove(name);
  return value;
}

// arg_attrs and res_attrs: a list of one dictionary per value.
absl::Status TakeDictionaries(const Location& location,
                              AttributeMap& attributes, absl::string_view name,
                              std::vector<AttributeMap>& dictionaries) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return absl::OkStatus();
  const auto* array = attribute->As<Attribute::Array>();
  if (array == nullptr || array->elements.size() != dictionaries.size()) {
    return InvalidAt(location,
                     absl::StrCat("func.func: ", name, ": expected a list of ",
                                  dictionaries.size(), " dictionaries"));
  }
  for (size_t i = 0; i < dictionaries.size(); ++i) {
    const auto* entry = array->elements[i].As<Attribute::Dictionary>();
    if (entry == nullptr) {
      return InvalidAt(location, absl::StrCat("func.func: ", name,
                                              ": expected a dictionary"));
    }
    dictionaries[i] = entry->entries;
  }
  attributes.Remove(name);
  return absl::OkStatus();
}

// The result types of function_type = (T) -> U.
absl::Status TakeResultTypes(const Location& location, AttributeMap& attributes,
                             Function& function) {
  const Attribute* attribute = attributes.Find("function_type");
  const auto* type =
      attribute == nullptr ? nullptr : attribute->As<Attribute::TypeValue>();
  if (type == nullptr) {
    return InvalidAt(location, "func.func: needs function_type");
  }
  const SourceText source(type->text, "function_type");
  Definitions no_definitions(source);
  ParseState state{source, no_definitions};
  Cursor at(state, source.begin());
  absl::StatusOr<ParsedFunctionType> parsed = ParseFunctionType(at);
  if (!parsed.ok()) {
    return ErrorAt(location, parsed.status().code(), parsed.status().message());
  }
  if (parsed->inputs != function.argument_types()) {
    return InvalidAt(location,
                     absl::StrCat("func.func: expected arguments as in ",
                                  type->text, ", found others in the body"));
  }
  function.set_result_types(std::move(parsed->results));
  attributes.Remove("function_type");
  return absl::OkStatus();
}

// "<{..}>", regions stepped over, "{..}". Returns where the region begins.
absl::StatusOr<const char*> ParseAround(Cursor& cursor,
                                        AttributeMap& attributes) {
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(cursor.Expect(")"));
  if (cursor.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  if (!cursor.Is("(")) return cursor.Unexpected("'(' and a region");
  const char* const region = cursor.token().end();
  RETURN_IF_ERROR(cursor.SkipBrackets());
  if (cursor.Is("{")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
  }
  RETURN_IF_ERROR(cursor.Expect(":"));
  RETURN_IF_ERROR(ParseFunctionType(cursor).status());
  return region;
}

}  // namespace

absl::Status ParseGenericFunction(Cursor& cursor, Module& module) {
  const Location location = cursor.location();
  cursor.Advance();
  AttributeMap attributes;
  ASSIGN_OR_RETURN(const char* region, ParseAround(cursor, attributes));
  const char* const after = cursor.previous_end();
  const std::string name = TakeString(attributes, "sym_name");
  if (name.empty()) return InvalidAt(location, "func.func: needs sym_name");
  if (module.FindFunction(name) != nullptr) {
    return InvalidAt(location,
                     absl::StrCat("function @", name, " is defined twice"));
  }
  Function* function = module.AddFunction(name, location);
  const std::string visibility = TakeString(attributes, "sym_visibility");
  function->set_is_private(visibility == "private" || visibility == "nested");
  cursor.MoveTo(region);
  OpParser parser(cursor);
  RETURN_IF_ERROR(parser.ParseRegion({}, function->body()));
  RETURN_IF_ERROR(cursor.Expect(")"));
  cursor.MoveTo(after);
  RETURN_IF_ERROR(TakeResultTypes(location, attributes, *function));
  RETURN_IF_ERROR(TakeDictionaries(location, attributes, "arg_attrs",
                                   function->argument_attributes()));
  RETURN_IF_ERROR(TakeDictionaries(location, attributes, "res_attrs",
                                   function->result_attributes()));
  function->attributes() = std::move(attributes);
  return SkipOptionalLocation(cursor);
}

}  // namespace lockstep::internal
