#include "runtime/frontend/bytecode/module_reader.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/default_attributes.h"
#include "runtime/frontend/bytecode/region_reader.h"
#include "runtime/frontend/bytecode/sdy_attributes.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kFunction = "vhlo.func_v1";

absl::Status Malformed(const BytecodeOp& op, absl::string_view message) {
  return InvalidAt(op.location, absl::StrCat(op.name, ": ", message));
}

// The place of an attribute in the table.
absl::StatusOr<size_t> Find(const BytecodeOp& op, absl::string_view name) {
  for (const auto& [found, index] : op.attributes) {
    if (found == name) return index;
  }
  return Malformed(op, absl::StrCat("needs ", name));
}

// Empty when there is none.
absl::StatusOr<std::string> StringOf(BytecodeOpReader& ops,
                                     const BytecodeOp& op,
                                     absl::string_view name) {
  for (const auto& [found, index] : op.attributes) {
    if (found != name) continue;
    ASSIGN_OR_RETURN(const Attribute value,
                     ops.attributes().Use(op.place, index));
    const auto* text = value.As<Attribute::String>();
    if (text != nullptr) return text->value;
    return Malformed(op, absl::StrCat(name, ": expected a string"));
  }
  return std::string();
}

absl::StatusOr<BytecodeType::Function> FunctionTypeOf(BytecodeOpReader& ops,
                                                      const BytecodeOp& op) {
  ASSIGN_OR_RETURN(const size_t index, Find(op, "function_type"));
  ASSIGN_OR_RETURN(const BytecodeAttribute* attribute,
                   ops.attributes().At(index));
  if (attribute->type.has_value()) {
    ASSIGN_OR_RETURN(const BytecodeType* type,
                     ops.attributes().types().At(*attribute->type));
    if (type->function.has_value()) return *type->function;
  }
  return Malformed(op, "function_type: expected the type of a function");
}

absl::StatusOr<std::vector<Type>> TypesAt(BytecodeOpReader& ops,
                                          const BytecodeOp& op,
                                          const std::vector<size_t>& places) {
  std::vector<Type> types;
  for (const size_t place : places) {
    ASSIGN_OR_RETURN(types.emplace_back(),
                     ops.attributes().types().ValueTypeAt(op.place, place));
  }
  return types;
}

// arg_attrs and res_attrs: a dictionary for each value, or nothing.
absl::Status TakeDictionaries(const BytecodeOp& op, absl::string_view name,
                              AttributeMap& attributes,
                              std::vector<AttributeMap>& dictionaries) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return absl::OkStatus();
  const auto* array = attribute->As<Attribute::Array>();
  if (array == nullptr || array->elements.size() != dictionaries.size()) {
    return Malformed(op, absl::StrCat(name, ": expected a list of ",
                                      dictionaries.size(), " dictionaries"));
  }
  for (size_t i = 0; i < dictionaries.size(); ++i) {
    const auto* entries = array->elements[i].As<Attribute::Dictionary>();
    if (entries == nullptr) {
      return Malformed(op, absl::StrCat(name, ": expected dictionaries"));
    }
    dictionaries[i] = entries->entries;
  }
  attributes.Remove(name);
  return absl::OkStatus();
}

absl::Status ReadBody(BytecodeOpReader& ops, ByteReader& reader,
                      const BytecodeOp& op, Function& function) {
  if (op.region_count != 1) return Malformed(op, "expected one body");
  const BytecodeOpReader::RegionActions actions{
      [&](uint64_t) -> absl::StatusOr<Region*> { return &function.body(); },
      [&](ByteReader& nested, Region& into) {
        return ReadOpInto(ops, nested, into);
      }};
  return ops.ReadRegions(reader, op, actions);
}

absl::Status ReadFunction(BytecodeOpReader& ops, ByteReader& reader,
                          const BytecodeOp& op, Module& module) {
  ASSIGN_OR_RETURN(const std::string name, StringOf(ops, op, "sym_name"));
  if (name.empty()) return Malformed(op, "needs sym_name");
  if (const Function* other = module.FindFunction(name)) {
    return InvalidAt(op.location, absl::StrCat("function @", name,
                                               " is defined twice, first "
                                               "at ",
                                               other->location().ToString()));
  }
  ASSIGN_OR_RETURN(const std::string visibility,
                   StringOf(ops, op, "sym_visibility"));
  ASSIGN_OR_RETURN(const BytecodeType::Function type, FunctionTypeOf(ops, op));
  ASSIGN_OR_RETURN(const std::vector<Type> inputs,
                   TypesAt(ops, op, type.inputs));
  ASSIGN_OR_RETURN(std::vector<Type> results, TypesAt(ops, op, type.results));
  ASSIGN_OR_RETURN(
      AttributeMap attributes,
      ops.AttributesOf(op, {"sym_name", "sym_visibility", "function_type"}));
  RemoveDefaultAttributes("func", attributes);

  Function* function = module.AddFunction(name, op.location);
  function->set_is_private(visibility == "private" || visibility == "nested");
  function->set_result_types(std::move(results));
  RETURN_IF_ERROR(ReadBody(ops, reader, op, *function));
  if (function->body().ops().empty()) {
    return ErrorAt(
        op.location, absl::StatusCode::kInvalidArgument,
        absl::StrCat("expected the body of function @", name, ", found none"));
  }
  if (function->argument_types() != inputs) {
    return Malformed(op, absl::StrCat("function @", name,
                                      ": expected arguments as in its type, "
                                      "found others in the body"));
  }
  RETURN_IF_ERROR(TakeDictionaries(op, "arg_attrs", attributes,
                                   function->argument_attributes()));
  RETURN_IF_ERROR(TakeDictionaries(op, "res_attrs", attributes,
                                   function->result_attributes()));
  function->attributes() = std::move(attributes);
  return absl::OkStatus();
}

absl::Status ReadMesh(BytecodeOpReader& ops, const BytecodeOp& op,
                      Module& module) {
  ASSIGN_OR_RETURN(std::string name, StringOf(ops, op, "sym_name"));
  if (name.empty()) return Malformed(op, "needs sym_name");
  ASSIGN_OR_RETURN(const size_t index, Find(op, "mesh"));
  ASSIGN_OR_RETURN(ShardingMesh mesh, SdyMeshAt(ops.attributes(), index));
  const absl::Status added = module.meshes().Add(std::move(name), mesh);
  return added.ok() ? added : Malformed(op, added.message());
}

absl::Status ReadItem(BytecodeOpReader& ops, ByteReader& reader,
                      Module& module) {
  ASSIGN_OR_RETURN(const BytecodeOp op, ops.ReadOp(reader));
  if (op.name == kFunction) return ReadFunction(ops, reader, op, module);
  if (op.name == "sdy.mesh" && op.region_count == 0) {
    return ReadMesh(ops, op, module);
  }
  return ErrorAt(op.location, absl::StatusCode::kUnimplemented,
                 absl::StrCat("op ", op.name, " is not supported in a module"));
}

}  // namespace

absl::Status ReadModuleOp(BytecodeOpReader& ops, ByteReader ir,
                          Module& module) {
  ASSIGN_OR_RETURN(const uint64_t count, ops.ReadFirstBlock(ir));
  ASSIGN_OR_RETURN(const BytecodeOp op, ops.ReadOp(ir));
  if (count != 1 || op.name != "builtin.module" || op.region_count != 1) {
    return op.place.Error(absl::StrCat("expected one module, found ", count,
                                       " ops, first ", op.name));
  }
  ASSIGN_OR_RETURN(std::string name, StringOf(ops, op, "sym_name"));
  module.set_name(std::move(name));
  ASSIGN_OR_RETURN(module.attributes(), ops.AttributesOf(op, {"sym_name"}));
  // The module is no region of the IR: its block has neither arguments nor
  // values.
  Region none;
  const BytecodeOpReader::RegionActions actions{
      [&](uint64_t) -> absl::StatusOr<Region*> { return &none; },
      [&](ByteReader& nested, Region&) {
        return ReadItem(ops, nested, module);
      }};
  RETURN_IF_ERROR(ops.ReadRegions(ir, op, actions));
  if (!none.arguments().empty()) {
    return op.place.Error("expected a module, found arguments");
  }
  return ir.ExpectEnd("the IR");
}

}  // namespace lockstep::internal
