#include "runtime/ops/assembly/dot_assembly.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep::internal {
namespace {

// "= [0] x [1]" after the clause's name.
absl::Status ParseDimPair(AssemblyReader& reader, std::vector<int64_t>& lhs,
                          std::vector<int64_t>& rhs) {
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(lhs, reader.ParseIntegerList());
  RETURN_IF_ERROR(reader.Expect("x"));
  ASSIGN_OR_RETURN(rhs, reader.ParseIntegerList());
  return absl::OkStatus();
}

// "= [DEFAULT, HIGHEST]" or "= []".
absl::StatusOr<Attribute> ParsePrecision(AssemblyReader& reader) {
  RETURN_IF_ERROR(reader.Expect("="));
  RETURN_IF_ERROR(reader.Expect("["));
  Attribute::Array precisions;
  if (reader.TryConsume("]")) return Attribute(precisions);
  do {
    ASSIGN_OR_RETURN(std::string name, reader.ParseKeyword());
    precisions.elements.push_back(
        Attribute::Enum{"precision", std::move(name)});
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.Expect("]"));
  return Attribute(precisions);
}

// "= <lhs_precision_type = bf16, ..>".
absl::StatusOr<Attribute> ParseAlgorithm(AssemblyReader& reader) {
  RETURN_IF_ERROR(reader.Expect("="));
  RETURN_IF_ERROR(reader.Expect("<"));
  Attribute::Struct algorithm;
  algorithm.name = "dot_algorithm";
  do {
    ASSIGN_OR_RETURN(const std::string name, reader.ParseKeyword());
    RETURN_IF_ERROR(reader.Expect("="));
    ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
    algorithm.fields.Set(name, std::move(value));
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.Expect(">"));
  return Attribute(algorithm);
}

absl::Status ParseClauses(AssemblyReader& reader, OpState& state) {
  DotDimensions dimensions;
  while (reader.TryConsume(",")) {
    if (reader.TryConsume("batching_dims")) {
      RETURN_IF_ERROR(ParseDimPair(reader, dimensions.lhs_batching,
                                   dimensions.rhs_batching));
    } else if (reader.TryConsume("contracting_dims")) {
      RETURN_IF_ERROR(ParseDimPair(reader, dimensions.lhs_contracting,
                                   dimensions.rhs_contracting));
    } else if (reader.TryConsume("precision")) {
      ASSIGN_OR_RETURN(Attribute precision, ParsePrecision(reader));
      state.attributes.Set("precision_config", std::move(precision));
    } else if (reader.TryConsume("algorithm")) {
      ASSIGN_OR_RETURN(Attribute algorithm, ParseAlgorithm(reader));
      state.attributes.Set("algorithm", std::move(algorithm));
    } else {
      return reader.Error(
          "expected batching_dims, contracting_dims, precision or algorithm");
    }
  }
  state.attributes.Set("dot_dimension_numbers", ToAttribute(dimensions));
  return absl::OkStatus();
}

absl::Status ParseDot(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 2));
  if (reader.TryConsume(",")) {
    RETURN_IF_ERROR(reader.Expect("precision"));
    ASSIGN_OR_RETURN(Attribute precision, ParsePrecision(reader));
    state.attributes.Set("precision_config", std::move(precision));
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

absl::Status ParseDotGeneral(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * lhs, reader.ParseOperand());
  RETURN_IF_ERROR(reader.Expect(","));
  ASSIGN_OR_RETURN(Value * rhs, reader.ParseOperand());
  state.operands = {lhs, rhs};
  RETURN_IF_ERROR(ParseClauses(reader, state));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintDimPair(absl::string_view name, const std::vector<int64_t>& lhs,
                  const std::vector<int64_t>& rhs, AssemblyWriter& writer) {
  if (lhs.empty() && rhs.empty()) return;
  writer.Write(absl::StrCat(", ", name, " = [", absl::StrJoin(lhs, ", "),
                            "] x [", absl::StrJoin(rhs, ", "), "]"));
}

void PrintPrecision(const Op& op, AssemblyWriter& writer) {
  const Attribute* precision = op.attribute("precision_config");
  const auto* array =
      precision == nullptr ? nullptr : precision->As<Attribute::Array>();
  if (array == nullptr) return;
  std::vector<std::string> names;
  for (const Attribute& element : array->elements) {
    const auto* name = element.As<Attribute::Enum>();
    names.push_back(name == nullptr ? "DEFAULT" : name->value);
  }
  writer.Write(
      absl::StrCat(", precision = [", absl::StrJoin(names, ", "), "]"));
}

void PrintDot(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  PrintPrecision(op, writer);
  writer.WriteAttributes(op.attributes(), {"precision_config"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

void PrintAlgorithm(const Op& op, AssemblyWriter& writer) {
  static constexpr absl::string_view kFields[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  const Attribute* attribute = op.attribute("algorithm");
  const auto* algorithm =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Struct>();
  if (algorithm == nullptr) return;
  writer.Write(", algorithm = <");
  bool is_first = true;
  for (absl::string_view name : kFields) {
    const Attribute* value = algorithm->fields.Find(name);
    if (value == nullptr) continue;
    writer.Write(absl::StrCat(is_first ? "" : ", ", name, " = "));
    if (const auto* integer = value->As<Attribute::Integer>()) {
      writer.Write(absl::StrCat(integer->value));
    } else {
      writer.WriteAttribute(*value);
    }
    is_first = false;
  }
  writer.Write(">");
}

void PrintDotGeneral(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  const DotDimensions dimensions =
      DotDimensionsOf(op).value_or(DotDimensions());
  PrintDimPair("batching_dims", dimensions.lhs_batching,
               dimensions.rhs_batching, writer);
  PrintDimPair("contracting_dims", dimensions.lhs_contracting,
               dimensions.rhs_contracting, writer);
  PrintPrecision(op, writer);
  PrintAlgorithm(op, writer);
  writer.WriteAttributes(op.attributes(), {"dot_dimension_numbers",
                                           "precision_config", "algorithm"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

}  // namespace

AssemblyForm DotGeneralForm() { return {ParseDotGeneral, PrintDotGeneral}; }

AssemblyForm DotForm() { return {ParseDot, PrintDot}; }

}  // namespace lockstep::internal
