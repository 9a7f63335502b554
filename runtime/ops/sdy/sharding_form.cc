#include "runtime/ops/sdy/sharding_form.h"

#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/checks/enclosing_module.h"
#include "runtime/ops/checks/operand_checks.h"

namespace lockstep::internal {
namespace {

absl::Status ParseOperandAndSharding(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  ASSIGN_OR_RETURN(Attribute sharding, ReadSharding(reader));
  state.attributes.Set("sharding", std::move(sharding));
  RETURN_IF_ERROR(ReadAttributesAndType(reader, state));
  state.result_types = {operand->type()};
  return absl::OkStatus();
}

void PrintOperandAndSharding(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  const auto* sharding = op.attribute("sharding")->As<Attribute::Sharding>();
  writer.Write(absl::StrCat(" ", ToSdyString(sharding->value)));
  WriteAttributesAndType(op, {"sharding"}, writer);
}

}  // namespace

absl::StatusOr<Attribute> ReadSharding(AssemblyReader& reader) {
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  absl::StatusOr<TensorSharding> sharding = ParseSdySharding(text);
  if (!sharding.ok()) return reader.Locate(sharding.status());
  return Attribute(Attribute::Sharding{*std::move(sharding)});
}

absl::StatusOr<Attribute> ReadShardings(AssemblyReader& reader) {
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  absl::StatusOr<std::vector<TensorSharding>> shardings =
      ParseSdyShardingPerValue(absl::StrCat("<", text, ">"));
  if (!shardings.ok()) return reader.Locate(shardings.status());
  return Attribute(Attribute::ShardingPerValue{*std::move(shardings)});
}

void WriteShardings(absl::Span<const TensorSharding> shardings,
                    AssemblyWriter& writer) {
  writer.Write("[");
  for (size_t i = 0; i < shardings.size(); ++i) {
    writer.Write(absl::StrCat(i == 0 ? "" : ", ", ToSdyString(shardings[i])));
  }
  writer.Write("]");
}

absl::Status ReadAttributesAndType(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  return reader.ParseTypeOf(state.operands[0]);
}

void WriteAttributesAndType(const Op& op,
                            absl::Span<const absl::string_view> except,
                            AssemblyWriter& writer) {
  writer.WriteAttributes(op.attributes(), except);
  writer.Write(" : ");
  writer.WriteType(op.operand(0)->type());
}

AssemblyForm OperandAndShardingForm() {
  return {ParseOperandAndSharding, PrintOperandAndSharding};
}

absl::StatusOr<TensorSharding> ShardingAttribute(const Op& op,
                                                 absl::string_view name,
                                                 const Type& type) {
  const Attribute* attribute = op.attribute(name);
  const auto* sharding =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Sharding>();
  if (sharding == nullptr) {
    return op.Error(absl::StrCat(name, ": expected a sharding"));
  }
  const Module* module = EnclosingModule(op);
  if (module == nullptr) return sharding->value;
  const absl::Status status =
      VerifyShardingOf(sharding->value, module->meshes(), type);
  if (!status.ok()) return op.Error(absl::StrCat(name, ": ", status.message()));
  return sharding->value;
}

absl::StatusOr<std::vector<Type>> InferOperandType(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  return std::vector<Type>{op.operand(0)->type()};
}

absl::Status EvaluateOperand(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  return absl::OkStatus();
}

}  // namespace lockstep::internal
