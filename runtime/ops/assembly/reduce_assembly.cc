#include "runtime/ops/assembly/reduce_assembly.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

// "(%a init: %s), (%b init: %t)": inputs, then init values.
absl::Status ParseInputs(AssemblyReader& reader, OpState& state) {
  std::vector<Value*> init_values;
  do {
    RETURN_IF_ERROR(reader.Expect("("));
    ASSIGN_OR_RETURN(Value * input, reader.ParseOperand());
    RETURN_IF_ERROR(reader.Expect("init"));
    RETURN_IF_ERROR(reader.Expect(":"));
    ASSIGN_OR_RETURN(Value * init, reader.ParseOperand());
    RETURN_IF_ERROR(reader.Expect(")"));
    state.operands.push_back(input);
    init_values.push_back(init);
  } while (reader.TryConsume(","));
  state.operands.insert(state.operands.end(), init_values.begin(),
                        init_values.end());
  return absl::OkStatus();
}

// The region { ^(%x: T, %y: T): return op(%x, %y) }.
absl::StatusOr<std::unique_ptr<Region>> SingleOpRegion(AssemblyReader& reader,
                                                       const std::string& name,
                                                       const OpState& state) {
  const OpDef* def = OpRegistry::Get().Find(name);
  if (def == nullptr || !IsCommutative(name)) {
    return reader.Error(absl::StrCat(
        "expected a commutative binary op after 'applies', found ", name));
  }
  if (state.result_types.size() != 1 || !state.result_types[0].is_tensor()) {
    return reader.Error("expected one tensor as the result of 'applies'");
  }
  const Type scalar = Shape(state.result_types[0].shape().element_type(), {});
  auto region = std::make_unique<Region>();
  OpState op{
      .name = name,
      .def = def,
      .location = state.location,
      .operands = {region->AddArgument(scalar), region->AddArgument(scalar)},
      .result_types = {scalar},
      .attributes = {},
      .regions = {}};
  const Op* applied = region->Append(std::make_unique<Op>(std::move(op)));
  region->Append(std::make_unique<Op>(
      OpState{.name = "stablehlo.return",
              .def = OpRegistry::Get().Find("stablehlo.return"),
              .location = state.location,
              .operands = {applied->result()},
              .result_types = {},
              .attributes = {},
              .regions = {}}));
  return region;
}

// "reducer(%x: T, %y: T) (%p: U, %q: U) { .. }": the region's arguments are
// the accumulators, then the elements.
absl::Status ParseReducer(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("reducer"));
  std::vector<std::pair<std::string, Type>> arguments, elements;
  const auto parse_one = [&](auto& list) -> absl::Status {
    ASSIGN_OR_RETURN(std::string name, reader.ParseValueName());
    RETURN_IF_ERROR(reader.Expect(":"));
    ASSIGN_OR_RETURN(Type type, reader.ParseType());
    list.emplace_back(std::move(name), std::move(type));
    return absl::OkStatus();
  };
  while (reader.TryConsume("(")) {
    RETURN_IF_ERROR(parse_one(arguments));
    RETURN_IF_ERROR(reader.Expect(","));
    RETURN_IF_ERROR(parse_one(elements));
    RETURN_IF_ERROR(reader.Expect(")"));
  }
  arguments.insert(arguments.end(), elements.begin(), elements.end());
  ASSIGN_OR_RETURN(std::unique_ptr<Region> region,
                   reader.ParseRegion(arguments));
  state.regions.push_back(std::move(region));
  return absl::OkStatus();
}

absl::Status ParseReduce(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseInputs(reader, state));
  std::string applied;
  if (reader.TryConsume("applies")) {
    ASSIGN_OR_RETURN(applied, reader.ParseKeyword());
  }
  RETURN_IF_ERROR(reader.Expect("across"));
  RETURN_IF_ERROR(reader.Expect("dimensions"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims, reader.ParseIntegerList());
  state.attributes.Set("dimensions", Attribute::I64Array(dims));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(ParseColonFunctionType(reader, state));
  if (applied.empty()) return ParseReducer(reader, state);
  ASSIGN_OR_RETURN(std::unique_ptr<Region> region,
                   SingleOpRegion(reader, applied, state));
  state.regions.push_back(std::move(region));
  return absl::OkStatus();
}

// The op that "applies" names, or null when the long form is needed.
const Op* AppliedOp(const Op& op) {
  const Region& body = op.region();
  const Op* applied = SingleOpBody(body);
  if (applied == nullptr || op.result_count() != 1 ||
      !IsCommutative(applied->name()) || !applied->attributes().empty() ||
      !body.terminator()->attributes().empty() ||
      applied->operand(0) != body.arguments()[0].get()) {
    return nullptr;
  }
  return applied;
}

void PrintReducer(const Op& op, AssemblyWriter& writer) {
  const Region& body = op.region();
  writer.Write(" reducer");
  const size_t count = body.arguments().size() / 2;
  for (size_t k = 0; k < count; ++k) {
    writer.Write(k == 0 ? "(" : " (");
    for (const size_t i : {k, count + k}) {
      const Value* argument = body.arguments()[i].get();
      if (i != k) writer.Write(", ");
      writer.WriteOperand(argument);
      writer.Write(": ");
      writer.WriteType(argument->type());
    }
    writer.Write(")");
  }
  writer.Write(" ");
  writer.WriteRegion(body);
}

void PrintReduce(const Op& op, AssemblyWriter& writer) {
  const int count = op.operand_count() / 2;
  for (int i = 0; i < count; ++i) {
    writer.Write(i == 0 ? "(" : ", (");
    writer.WriteOperand(op.operand(i));
    writer.Write(" init: ");
    writer.WriteOperand(op.operand(count + i));
    writer.Write(")");
  }
  const Op* applied = AppliedOp(op);
  if (applied != nullptr) {
    writer.Write(absl::StrCat(" applies ", applied->name()));
  }
  const auto dims = op.IntegersAttribute("dimensions");
  writer.Write(absl::StrCat(" across dimensions = [",
                            dims.ok() ? absl::StrJoin(*dims, ", ") : "", "]"));
  writer.WriteAttributes(op.attributes(), {"dimensions"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
  if (applied == nullptr) PrintReducer(op, writer);
}

}  // namespace

AssemblyForm ReduceForm() { return {ParseReduce, PrintReduce}; }

}  // namespace lockstep::internal
