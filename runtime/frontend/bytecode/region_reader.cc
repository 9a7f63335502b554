#include "runtime/frontend/bytecode/region_reader.h"

#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/stablehlo_attributes.h"
#include "runtime/frontend/bytecode/unsupported_op.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kCast = "builtin.unrealized_conversion_cast";

// "add" of "add_v1".
absl::string_view WithoutVersion(absl::string_view name) {
  const size_t at = name.rfind("_v");
  if (at == absl::string_view::npos || at + 2 == name.size()) return name;
  for (const char c : name.substr(at + 2)) {
    if (!absl::ascii_isdigit(c)) return name;
  }
  return name.substr(0, at);
}

absl::StatusOr<std::vector<Value*>> OperandsOf(BytecodeOpReader& ops,
                                               const BytecodeOp& op) {
  std::vector<Value*> operands;
  for (const uint64_t number : op.operands) {
    ASSIGN_OR_RETURN(operands.emplace_back(),
                     ops.values().Find(op.place, number));
  }
  return operands;
}

absl::Status ReadCast(BytecodeOpReader& ops, const BytecodeOp& op) {
  ASSIGN_OR_RETURN(const std::vector<Value*> operands, OperandsOf(ops, op));
  if (operands.size() != op.result_types.size()) {
    return op.place.Error(
        absl::StrCat(kCast, ": expected as many results as operands, found ",
                     op.result_types.size(), " and ", operands.size()));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    ASSIGN_OR_RETURN(const Type type, ops.attributes().types().ValueTypeAt(
                                          op.place, op.result_types[i]));
    if (type != operands[i]->type()) {
      return op.place.Unimplemented(
          absl::StrCat(kCast, ": from ", operands[i]->type().ToString(), " to ",
                       type.ToString(), " is not supported"));
    }
    RETURN_IF_ERROR(ops.values().Define(op.place, operands[i]));
  }
  return absl::OkStatus();
}

// What the op is called in the IR.
absl::StatusOr<std::string> NameInIr(const BytecodeOp& op,
                                     const Region& region) {
  absl::string_view name = op.name;
  std::string result(name);
  if (absl::ConsumePrefix(&name, "vhlo.")) {
    const absl::string_view base = WithoutVersion(name);
    result = absl::StrCat("stablehlo.", base);
    if (base == "call") result = "func.call";
    if (base == "return" && region.parent_function() != nullptr) {
      result = "func.return";
    }
  }
  if (OpRegistry::Get().Find(result) == nullptr) {
    return UnsupportedOp(op.location, op.name);
  }
  return result;
}

absl::Status ReadRegionsInto(BytecodeOpReader& ops, ByteReader& reader,
                             const BytecodeOp& op, OpState& state) {
  const BytecodeOpReader::RegionActions actions{
      [&](uint64_t) -> absl::StatusOr<Region*> {
        state.regions.push_back(std::make_unique<Region>());
        return state.regions.back().get();
      },
      [&](ByteReader& nested, Region& into) {
        return ReadOpInto(ops, nested, into);
      }};
  return ops.ReadRegions(reader, op, actions);
}

}  // namespace

absl::Status ReadOpInto(BytecodeOpReader& ops, ByteReader& reader,
                        Region& region) {
  ASSIGN_OR_RETURN(const BytecodeOp op, ops.ReadOp(reader));
  if (op.name == kCast) return ReadCast(ops, op);
  OpState state;
  state.location = op.location;
  ASSIGN_OR_RETURN(state.name, NameInIr(op, region));
  state.def = OpRegistry::Get().Find(state.name);
  state.name = state.def->name();
  ASSIGN_OR_RETURN(state.attributes, ops.AttributesOf(op));
  absl::string_view base = op.name;
  if (absl::ConsumePrefix(&base, "vhlo.")) {
    const absl::Status made =
        MakeStablehloAttributes(WithoutVersion(base), state.attributes);
    if (!made.ok()) {
      return ErrorAt(op.location, made.code(),
                     absl::StrCat(state.name, ": ", made.message()));
    }
  }
  ASSIGN_OR_RETURN(state.operands, OperandsOf(ops, op));
  for (const size_t type : op.result_types) {
    ASSIGN_OR_RETURN(state.result_types.emplace_back(),
                     ops.attributes().types().ValueTypeAt(op.place, type));
  }
  RETURN_IF_ERROR(ReadRegionsInto(ops, reader, op, state));
  const Op* made = region.Append(std::make_unique<Op>(std::move(state)));
  for (const auto& result : made->results()) {
    RETURN_IF_ERROR(ops.values().Define(op.place, result.get()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
