#include "runtime/ops/sdy/region_form.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

// "(%b: T, %c: U)".
absl::StatusOr<std::vector<std::pair<std::string, Type>>> ReadArguments(
    AssemblyReader& reader) {
  std::vector<std::pair<std::string, Type>> arguments;
  RETURN_IF_ERROR(reader.Expect("("));
  if (reader.TryConsume(")")) return arguments;
  do {
    ASSIGN_OR_RETURN(std::string name, reader.ParseValueName());
    RETURN_IF_ERROR(reader.Expect(":"));
    ASSIGN_OR_RETURN(Type type, reader.ParseType());
    arguments.emplace_back(std::move(name), std::move(type));
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.Expect(")"));
  return arguments;
}

}  // namespace

absl::Status ReadNamedShardings(AssemblyReader& reader, absl::string_view name,
                                OpState& state) {
  RETURN_IF_ERROR(reader.Expect(name));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(Attribute shardings, ReadShardings(reader));
  state.attributes.Set(name, std::move(shardings));
  return absl::OkStatus();
}

void WriteNamedShardings(const Op& op, absl::string_view name,
                         AssemblyWriter& writer) {
  writer.Write(absl::StrCat(name, "="));
  WriteShardings(op.attribute(name)->As<Attribute::ShardingPerValue>()->values,
                 writer);
  writer.Write(" ");
}

absl::Status ReadBody(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(const auto arguments, ReadArguments(reader));
  ASSIGN_OR_RETURN(std::unique_ptr<Region> body, reader.ParseRegion(arguments));
  state.regions.push_back(std::move(body));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void WriteBody(const Op& op, absl::Span<const absl::string_view> except,
               AssemblyWriter& writer) {
  writer.Write("(");
  bool is_first = true;
  for (const auto& argument : op.region().arguments()) {
    if (!std::exchange(is_first, false)) writer.Write(", ");
    writer.WriteOperand(argument.get());
    writer.Write(": ");
    writer.WriteType(argument->type());
  }
  writer.Write(") ");
  writer.WriteRegion(op.region());
  writer.WriteAttributes(op.attributes(), except);
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

absl::StatusOr<std::vector<TensorSharding>> ShardingsAttribute(
    const Op& op, absl::string_view name) {
  const Attribute* attribute = op.attribute(name);
  const auto* shardings = attribute == nullptr
                              ? nullptr
                              : attribute->As<Attribute::ShardingPerValue>();
  if (shardings == nullptr) {
    return op.Error(absl::StrCat(name, ": expected a list of shardings"));
  }
  return shardings->values;
}

}  // namespace lockstep::internal
