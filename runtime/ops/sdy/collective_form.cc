#include "runtime/ops/sdy/collective_form.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {

absl::Status ReadOperandAndOutSharding(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  RETURN_IF_ERROR(reader.Expect("out_sharding"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(Attribute sharding, ReadSharding(reader));
  state.attributes.Set("out_sharding", std::move(sharding));
  RETURN_IF_ERROR(ReadAttributesAndType(reader, state));
  state.result_types = {operand->type()};
  return absl::OkStatus();
}

void WriteOperandAndOutSharding(const Op& op,
                                std::vector<absl::string_view> except,
                                AssemblyWriter& writer) {
  const auto* sharding =
      op.attribute("out_sharding")->As<Attribute::Sharding>();
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  writer.Write(absl::StrCat(" out_sharding=", ToSdyString(sharding->value)));
  except.push_back("out_sharding");
  WriteAttributesAndType(op, except, writer);
}

absl::Status ReadReductionUnless(absl::string_view begin_of_axes,
                                 AssemblyReader& reader, OpState& state) {
  if (reader.Peek(begin_of_axes)) return absl::OkStatus();
  ASSIGN_OR_RETURN(std::string kind, reader.ParseKeyword());
  if (kind == "sum") return absl::OkStatus();
  state.attributes.Set(kReductionAttribute,
                       Attribute::Enum{"reduction", std::move(kind)});
  return absl::OkStatus();
}

void WriteReduction(const Op& op, AssemblyWriter& writer) {
  if (const Attribute* kind = op.attribute(kReductionAttribute)) {
    writer.Write(absl::StrCat(" ", kind->As<Attribute::Enum>()->value));
  }
}

absl::StatusOr<Attribute> ReadDimAxes(AssemblyReader& reader) {
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  absl::StatusOr<std::vector<std::vector<AxisRef>>> lists =
      ParseSdyAxisLists(text);
  if (!lists.ok()) return reader.Locate(lists.status());
  Attribute::Array array;
  for (std::vector<AxisRef>& axes : *lists) {
    array.elements.push_back(Attribute::AxisRefs{std::move(axes)});
  }
  return Attribute(std::move(array));
}

absl::StatusOr<std::vector<std::vector<AxisRef>>> DimAxesAttribute(
    const Op& op, absl::string_view name) {
  const Attribute* attribute = op.attribute(name);
  const auto* array =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  if (array == nullptr) {
    return op.Error(absl::StrCat(name, ": expected lists of axes"));
  }
  std::vector<std::vector<AxisRef>> lists;
  for (const Attribute& element : array->elements) {
    const auto* axes = element.As<Attribute::AxisRefs>();
    if (axes == nullptr) {
      return op.Error(absl::StrCat(name, ": expected lists of axes"));
    }
    lists.push_back(axes->refs);
  }
  return lists;
}

absl::StatusOr<std::vector<AxisRef>> AxesAttribute(const Op& op,
                                                   absl::string_view name) {
  const Attribute* attribute = op.attribute(name);
  const auto* axes =
      attribute == nullptr ? nullptr : attribute->As<Attribute::AxisRefs>();
  if (axes == nullptr) {
    return op.Error(absl::StrCat(name, ": expected a list of axes"));
  }
  return axes->refs;
}

}  // namespace lockstep::internal
