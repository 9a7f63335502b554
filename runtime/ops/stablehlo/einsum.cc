#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

// "ij,jk->ik": a letter for each dimension of each operand and of the result.
struct Labels {
  std::vector<std::string> operands;
  std::string result;
};

bool Has(const std::string& labels, char label) {
  return absl::StrContains(labels, label);
}

absl::Status CheckLabels(const Op& op, const std::string& labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!absl::ascii_isalpha(labels[i])) {
      return op.Unimplemented(
          absl::StrCat("einsum_config: expected letters, found ", labels));
    }
    if (labels.find(labels[i], i + 1) != std::string::npos) {
      return op.Unimplemented(absl::StrCat(
          "einsum_config: a letter twice in one tensor, ", labels));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Labels> LabelsOf(const Op& op) {
  const Attribute* attribute = op.attribute("einsum_config");
  const auto* config =
      attribute == nullptr ? nullptr : attribute->As<Attribute::String>();
  if (config == nullptr) return op.Error("einsum_config: expected a string");
  const std::pair<std::string, std::string> sides =
      absl::StrSplit(config->value, absl::MaxSplits("->", 1));
  Labels labels = {absl::StrSplit(sides.first, ','), sides.second};
  if (!absl::StrContains(config->value, "->") ||
      static_cast<int>(labels.operands.size()) != op.operand_count()) {
    return op.Error(absl::StrCat("einsum_config: expected ", op.operand_count(),
                                 " operands and \"->\", found ",
                                 config->value));
  }
  for (const std::string& operand : labels.operands) {
    RETURN_IF_ERROR(CheckLabels(op, operand));
  }
  RETURN_IF_ERROR(CheckLabels(op, labels.result));
  return labels;
}

// The size of each label, and so the result.
absl::StatusOr<std::vector<Type>> InferEinsum(const Op& op) {
  ASSIGN_OR_RETURN(const Labels labels, LabelsOf(op));
  std::vector<int64_t> sizes(128, -1);
  for (int i = 0; i < op.operand_count(); ++i) {
    const std::string& letters = labels.operands[i];
    RETURN_IF_ERROR(CheckRank(op, i, static_cast<int64_t>(letters.size())));
    for (size_t j = 0; j < letters.size(); ++j) {
      int64_t& size = sizes[letters[j]];
      const int64_t found = op.operand(i)->shape().dim(j);
      if (size < 0) size = found;
      if (size == found) continue;
      return op.Error(absl::StrCat("operand ", i, " dim ", j, ": expected ",
                                   size, ", found ", found));
    }
  }
  Dims dims;
  for (const char letter : labels.result) {
    if (sizes[letter] < 0) {
      return op.Error(absl::StrCat("einsum_config: no operand has ",
                                   std::string(1, letter)));
    }
    dims.push_back(sizes[letter]);
  }
  ASSIGN_OR_RETURN(const Shape declared, DeclaredShape(op));
  ASSIGN_OR_RETURN(Shape result,
                   ResultShape(op, declared.element_type(), dims));
  return std::vector<Type>{std::move(result)};
}

absl::StatusOr<std::vector<Type>> InferBinaryEinsum(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  return InferEinsum(op);
}
absl::StatusOr<std::vector<Type>> InferUnaryEinsum(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  return InferEinsum(op);
}

// Sums over the dimensions that nothing else has.
Value* SumOthers(Value* value, std::string& labels, const std::string& kept,
                 ExpansionBuilder& builder) {
  std::vector<int64_t> dims;
  std::string left;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (Has(kept, labels[i])) {
      left.push_back(labels[i]);
    } else {
      dims.push_back(static_cast<int64_t>(i));
    }
  }
  labels = left;
  return dims.empty() ? value : builder.Sum(value, dims);
}

Value* TransposeTo(Value* value, const std::string& labels,
                   const std::string& result, ExpansionBuilder& builder) {
  if (labels == result) return value;
  std::vector<int64_t> permutation;
  Dims dims;
  for (const char label : result) {
    permutation.push_back(static_cast<int64_t>(labels.find(label)));
    dims.push_back(value->shape().dim(permutation.back()));
  }
  AttributeMap attributes;
  attributes.Set("permutation", Attribute::I64Array(permutation));
  return builder.Create("stablehlo.transpose", {value},
                        Shape(value->shape().element_type(), dims),
                        std::move(attributes));
}

absl::StatusOr<std::vector<Value*>> ExpandUnaryEinsum(
    const Op& op, ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(Labels labels, LabelsOf(op));
  Value* sum =
      SumOthers(op.operand(0), labels.operands[0], labels.result, builder);
  return std::vector<Value*>{
      TransposeTo(sum, labels.operands[0], labels.result, builder)};
}

absl::StatusOr<std::vector<Value*>> ExpandEinsum(const Op& op,
                                                 ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(Labels labels, LabelsOf(op));
  std::string& lhs = labels.operands[0];
  std::string& rhs = labels.operands[1];
  Value* a =
      SumOthers(op.operand(0), lhs, absl::StrCat(rhs, labels.result), builder);
  Value* b =
      SumOthers(op.operand(1), rhs, absl::StrCat(lhs, labels.result), builder);
  DotDimensions dims;
  std::string batching, free;
  for (size_t i = 0; i < lhs.size(); ++i) {
    const size_t j = rhs.find(lhs[i]);
    if (j == std::string::npos) {
      free.push_back(lhs[i]);
      continue;
    }
    const bool is_batching = Has(labels.result, lhs[i]);
    (is_batching ? dims.lhs_batching : dims.lhs_contracting)
        .push_back(static_cast<int64_t>(i));
    (is_batching ? dims.rhs_batching : dims.rhs_contracting)
        .push_back(static_cast<int64_t>(j));
    if (is_batching) batching.push_back(lhs[i]);
  }
  for (const char label : rhs) {
    if (!Has(lhs, label)) free.push_back(label);
  }
  const std::string product = absl::StrCat(batching, free);
  const Shape& result = op.result()->shape();
  Dims product_dims;
  for (const char label : product) {
    product_dims.push_back(result.dim(labels.result.find(label)));
  }
  AttributeMap attributes = op.attributes();
  attributes.Remove("einsum_config");
  attributes.Set("dot_dimension_numbers", ToAttribute(dims));
  Value* dot = builder.Create("stablehlo.dot_general", {a, b},
                              Shape(result.element_type(), product_dims),
                              std::move(attributes));
  return std::vector<Value*>{TransposeTo(dot, product, labels.result, builder)};
}

// "%a, %b, config = \"ij,jk->ik\" : (T, U) -> V".
AssemblyForm EinsumForm() {
  return {[](AssemblyReader& reader, OpState& state) -> absl::Status {
            while (reader.PeekOperand()) {
              ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
              state.operands.push_back(operand);
              RETURN_IF_ERROR(reader.Expect(","));
            }
            RETURN_IF_ERROR(reader.Expect("config"));
            RETURN_IF_ERROR(reader.Expect("="));
            ASSIGN_OR_RETURN(std::string config, reader.ParseString());
            state.attributes.Set("einsum_config",
                                 Attribute::String{std::move(config)});
            RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
            return ParseColonFunctionType(reader, state);
          },
          [](const Op& op, AssemblyWriter& writer) {
            writer.Write(" ");
            writer.WriteOperands(op.operands());
            writer.Write(", config = ");
            writer.WriteAttribute(*op.attribute("einsum_config"));
            writer.WriteAttributes(op.attributes(), {"einsum_config"});
            writer.Write(" : ");
            writer.WriteFunctionType(op);
          }};
}

// einsum: sums of products over the labels that the result does not have.
// Becomes reduce, dot_general and transpose. Each label stands at most once in
// an operand.
//   (I1) lhs. (I2) rhs. (I3) einsum_config.
REGISTER_EXPANDED_OP(OpDef("stablehlo.einsum", OpKind::kDot)
                         .Assembly(EinsumForm())
                         .Infer(InferBinaryEinsum),
                     ExpandEinsum);

// unary_einsum: the same of one operand: a sum and a transpose.
REGISTER_EXPANDED_OP(OpDef("stablehlo.unary_einsum", OpKind::kReduce)
                         .Assembly(EinsumForm())
                         .Infer(InferUnaryEinsum),
                     ExpandUnaryEinsum);

}  // namespace
}  // namespace lockstep::internal
