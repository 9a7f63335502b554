#include "runtime/frontend/sharding_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

// "<..>" behind `name`, with it.
absl::StatusOr<std::string> TextWith(Cursor& cursor, const Token& name) {
  RETURN_IF_ERROR(cursor.SkipBrackets());
  return std::string(name.begin(), cursor.previous_end());
}

template <typename T>
absl::StatusOr<T> At(const Cursor& cursor, const Token& token,
                     absl::StatusOr<T> value) {
  if (value.ok()) return value;
  return cursor.Locate(value.status(), token.begin());
}

absl::Status AddMesh(const Cursor& cursor, const Token& at, std::string name,
                     ShardingMesh mesh, Module& module) {
  const absl::Status added = module.meshes().Add(std::move(name), mesh);
  return added.ok() ? added : cursor.Locate(added, at.begin());
}

// "#sdy.manual_axes<"x", "y">" as a list of names.
absl::StatusOr<std::optional<Attribute>> ManualAxes(const Cursor& cursor,
                                                    const Token& name,
                                                    absl::string_view text) {
  text.remove_prefix(name.text.size() + 1);
  text.remove_suffix(1);
  ASSIGN_OR_RETURN(
      const std::vector<AxisRef> axes,
      At(cursor, name, ParseSdyAxisRefs(absl::StrCat("{", text, "}"))));
  Attribute::Array names;
  for (const AxisRef& axis : axes) {
    names.elements.push_back(Attribute::String{axis.name()});
  }
  return Attribute(std::move(names));
}

// "#sdy<axis_ref_list{"x"}>" and "#sdy<list_of_axis_ref_lists[{"x"}, {}]>", the
// latter as an array; none: another attribute.
absl::StatusOr<std::optional<Attribute>> AxisLists(Cursor& cursor,
                                                   const Token& name) {
  const Token kind = cursor.PeekNext();
  const bool is_list = kind.Is("list_of_axis_ref_lists");
  if (!is_list && !kind.Is("axis_ref_list")) return std::nullopt;
  ASSIGN_OR_RETURN(std::string text, TextWith(cursor, kind));
  text.erase(0, kind.text.size());
  text.pop_back();
  if (!is_list) {
    ASSIGN_OR_RETURN(std::vector<AxisRef> refs,
                     At(cursor, name, ParseSdyAxisRefs(text)));
    return Attribute(Attribute::AxisRefs{std::move(refs)});
  }
  ASSIGN_OR_RETURN(std::vector<std::vector<AxisRef>> lists,
                   At(cursor, name, ParseSdyAxisLists(text)));
  Attribute::Array array;
  for (std::vector<AxisRef>& axes : lists) {
    array.elements.push_back(Attribute::AxisRefs{std::move(axes)});
  }
  return Attribute(std::move(array));
}

// sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = ..}
absl::Status ParsePrettyMesh(Cursor& cursor, Module& module) {
  const Token at = cursor.token();
  ASSIGN_OR_RETURN(std::string name, ParseSymbolName(cursor));
  RETURN_IF_ERROR(cursor.Expect("="));
  const Token begin = cursor.token();
  if (cursor.Is(TokenKind::kHashName)) cursor.Advance();
  if (!cursor.Is("<")) return cursor.Unexpected("'<' and the axes of a mesh");
  ASSIGN_OR_RETURN(const std::string text, TextWith(cursor, begin));
  ASSIGN_OR_RETURN(ShardingMesh mesh, At(cursor, begin, ParseSdyMesh(text)));
  RETURN_IF_ERROR(
      AddMesh(cursor, at, std::move(name), std::move(mesh), module));
  if (!cursor.Is("{")) return absl::OkStatus();
  AttributeMap copy;
  return ParseAttributeDictionary(cursor, copy);
}

// "sdy.mesh"() <{mesh = #sdy.mesh<..>, sym_name = "mesh"}> : () -> ()
absl::Status ParseGenericMesh(Cursor& cursor, Module& module) {
  const Token at = cursor.token();
  RETURN_IF_ERROR(cursor.Expect("("));
  RETURN_IF_ERROR(cursor.Expect(")"));
  AttributeMap attributes;
  if (cursor.TryConsume("<")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
    RETURN_IF_ERROR(cursor.Expect(">"));
  }
  if (cursor.Is("{")) {
    RETURN_IF_ERROR(ParseAttributeDictionary(cursor, attributes));
  }
  RETURN_IF_ERROR(cursor.Expect(":"));
  RETURN_IF_ERROR(ParseFunctionType(cursor).status());
  const Attribute* name = attributes.Find("sym_name");
  const auto* symbol =
      name == nullptr ? nullptr : name->As<Attribute::String>();
  const Attribute* mesh = attributes.Find("mesh");
  const auto* text = mesh == nullptr ? nullptr : mesh->As<Attribute::Opaque>();
  if (symbol == nullptr || text == nullptr) {
    return InvalidAt(cursor.LocationOf(at),
                     "sdy.mesh: expected the attributes sym_name and mesh");
  }
  ASSIGN_OR_RETURN(ShardingMesh parsed,
                   At(cursor, at, ParseSdyMesh(text->text)));
  return AddMesh(cursor, at, symbol->value, std::move(parsed), module);
}

}  // namespace

absl::StatusOr<std::optional<Attribute>> ParseShardingAttribute(
    Cursor& cursor, const Token& name) {
  if (name.text == "#sdy") return AxisLists(cursor, name);
  if (name.text == "#sdy.sharding") {
    ASSIGN_OR_RETURN(const std::string text, TextWith(cursor, name));
    ASSIGN_OR_RETURN(TensorSharding sharding,
                     At(cursor, name, ParseSdySharding(text)));
    return Attribute(Attribute::Sharding{std::move(sharding)});
  }
  if (name.text == "#sdy.sharding_per_value") {
    ASSIGN_OR_RETURN(const std::string text, TextWith(cursor, name));
    ASSIGN_OR_RETURN(std::vector<TensorSharding> shardings,
                     At(cursor, name, ParseSdyShardingPerValue(text)));
    return Attribute(Attribute::ShardingPerValue{std::move(shardings)});
  }
  if (name.text == "#sdy.axis_ref_list") {
    ASSIGN_OR_RETURN(const std::string text, TextWith(cursor, name));
    ASSIGN_OR_RETURN(std::vector<AxisRef> refs,
                     At(cursor, name, ParseSdyAxisRefs(text)));
    return Attribute(Attribute::AxisRefs{std::move(refs)});
  }
  if (name.text == "#sdy.manual_axes") {
    ASSIGN_OR_RETURN(const std::string text, TextWith(cursor, name));
    return ManualAxes(cursor, name, text);
  }
  return std::nullopt;
}

bool IsMesh(const Cursor& cursor) {
  const Token& token = cursor.token();
  return token.kind == TokenKind::kString ? Unquote(token.text) == "sdy.mesh"
                                          : token.Is("sdy.mesh");
}

absl::Status ParseMesh(Cursor& cursor, Module& module) {
  const bool is_generic = cursor.Is(TokenKind::kString);
  cursor.Advance();
  RETURN_IF_ERROR(is_generic ? ParseGenericMesh(cursor, module)
                             : ParsePrettyMesh(cursor, module));
  return SkipOptionalLocation(cursor);
}

}  // namespace lockstep::internal
