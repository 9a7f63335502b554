#include "runtime/ops/assembly/convolution_assembly.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/geometry/convolution_dimensions.h"

namespace lockstep::internal {
namespace {

// "[b, 0, f]" as text.
absl::StatusOr<std::string> ParseLayoutText(AssemblyReader& reader) {
  std::vector<std::string> names;
  RETURN_IF_ERROR(reader.Expect("["));
  do {
    bool is_letter = false;
    for (const char* letter : {"b", "f", "i", "o"}) {
      if (is_letter || !reader.TryConsume(letter)) continue;
      names.push_back(letter);
      is_letter = true;
    }
    if (is_letter) continue;
    ASSIGN_OR_RETURN(const int64_t spatial, reader.ParseInteger());
    names.push_back(absl::StrCat(spatial));
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.Expect("]"));
  return absl::StrCat("[", absl::StrJoin(names, ", "), "]");
}

absl::Status ParseDimNumbers(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("dim_numbers"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(const std::string lhs, ParseLayoutText(reader));
  RETURN_IF_ERROR(reader.Expect("x"));
  ASSIGN_OR_RETURN(const std::string rhs, ParseLayoutText(reader));
  RETURN_IF_ERROR(reader.Expect("->"));
  ASSIGN_OR_RETURN(const std::string result, ParseLayoutText(reader));
  const std::string text = absl::StrCat(lhs, "x", rhs, "->", result);
  const absl::Status valid = ParseConvolutionDimensions(text).status();
  if (!valid.ok()) return reader.Error(valid.message());
  state.attributes.Set(
      "dimension_numbers",
      Attribute::Opaque{absl::StrCat("#stablehlo.conv<", text, ">")});
  return absl::OkStatus();
}

// "[[1, 1], [0, 2]]" as a tensor of pairs.
absl::StatusOr<Attribute> ParsePadding(AssemblyReader& reader) {
  std::vector<int64_t> values;
  RETURN_IF_ERROR(reader.Expect("["));
  while (!reader.TryConsume("]")) {
    if (!values.empty()) RETURN_IF_ERROR(reader.Expect(","));
    ASSIGN_OR_RETURN(const std::vector<int64_t> pair,
                     reader.ParseIntegerList());
    if (pair.size() != 2) {
      return reader.Error(
          absl::StrCat("expected a pair of low and high padding, found ",
                       pair.size(), " numbers"));
    }
    values.insert(values.end(), pair.begin(), pair.end());
  }
  const auto rank = static_cast<int64_t>(values.size() / 2);
  Attribute::Elements elements;
  elements.shape = Shape(ElementType::kS64, {rank, 2});
  elements.values =
      std::make_shared<const Literal>(Literal::FromValues<int64_t>(
          elements.shape.dims(), absl::MakeConstSpan(values)));
  return Attribute(std::move(elements));
}

// "[false, true]" or "[0, 1]".
absl::StatusOr<Attribute> ParseReversal(AssemblyReader& reader) {
  Attribute::DenseArray reversal{"i1", {}};
  RETURN_IF_ERROR(reader.Expect("["));
  while (!reader.TryConsume("]")) {
    if (!reversal.values.empty()) RETURN_IF_ERROR(reader.Expect(","));
    if (reader.TryConsume("true")) {
      reversal.values.push_back(1);
    } else if (reader.TryConsume("false")) {
      reversal.values.push_back(0);
    } else {
      ASSIGN_OR_RETURN(const int64_t value, reader.ParseInteger());
      reversal.values.push_back(value != 0);
    }
  }
  return Attribute(std::move(reversal));
}

constexpr std::pair<const char*, const char*> kIntegerKeys[] = {
    {"stride", "window_strides"},
    {"lhs_dilate", "lhs_dilation"},
    {"rhs_dilate", "rhs_dilation"},
};

absl::Status ParseWindowEntry(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(const std::string key, reader.ParseKeyword());
  RETURN_IF_ERROR(reader.Expect("="));
  std::string name;
  Attribute value;
  if (key == "pad") {
    name = "padding";
    ASSIGN_OR_RETURN(value, ParsePadding(reader));
  } else if (key == "reverse") {
    name = "window_reversal";
    ASSIGN_OR_RETURN(value, ParseReversal(reader));
  } else {
    for (const auto& [text, attribute] : kIntegerKeys) {
      if (key == text) name = attribute;
    }
    if (name.empty()) {
      return reader.Error(absl::StrCat(
          "expected stride, pad, lhs_dilate, rhs_dilate or reverse, found ",
          key));
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> values,
                     reader.ParseIntegerList());
    value = Attribute::I64Array(values);
  }
  if (state.attributes.Find(name) != nullptr) {
    return reader.Error(absl::StrCat(key, " is given twice"));
  }
  state.attributes.Set(name, std::move(value));
  return absl::OkStatus();
}

absl::Status ParseConvolution(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  RETURN_IF_ERROR(ParseDimNumbers(reader, state));
  for (const char* token : {",", "window", "=", "{"}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  if (!reader.TryConsume("}")) {
    do {
      RETURN_IF_ERROR(ParseWindowEntry(reader, state));
    } while (reader.TryConsume(","));
    RETURN_IF_ERROR(reader.Expect("}"));
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

std::string PairsText(const Op& op) {
  const auto pairs = PaddingPairsOf(op, op.operand(0)->shape().rank() - 2);
  std::vector<std::string> texts;
  if (pairs.ok()) {
    for (const auto& [low, high] : *pairs) {
      texts.push_back(absl::StrCat("[", low, ", ", high, "]"));
    }
  }
  return absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
}

std::vector<std::string> WindowTexts(const Op& op) {
  std::vector<std::string> entries;
  const auto add_integers = [&](const char* key, const char* name) {
    if (op.attribute(name) == nullptr) return;
    entries.push_back(absl::StrCat(
        key, " = [",
        absl::StrJoin(
            op.IntegersAttributeOr(name, {}).value_or(std::vector<int64_t>()),
            ", "),
        "]"));
  };
  add_integers("stride", "window_strides");
  if (op.attribute("padding") != nullptr) {
    entries.push_back(absl::StrCat("pad = ", PairsText(op)));
  }
  add_integers("lhs_dilate", "lhs_dilation");
  add_integers("rhs_dilate", "rhs_dilation");
  if (op.attribute("window_reversal") != nullptr) {
    std::vector<const char*> values;
    for (int64_t value : op.IntegersAttributeOr("window_reversal", {})
                             .value_or(std::vector<int64_t>())) {
      values.push_back(value != 0 ? "true" : "false");
    }
    entries.push_back(
        absl::StrCat("reverse = [", absl::StrJoin(values, ", "), "]"));
  }
  return entries;
}

void PrintConvolution(const Op& op, AssemblyWriter& writer) {
  writer.Write("(");
  writer.WriteOperands(op.operands());
  const auto dims = ConvolutionDimensionsOf(op);
  writer.Write(absl::StrCat(
      ") dim_numbers = ", dims.ok() ? dims->ToString() : "[]x[]->[]",
      ", window = {", absl::StrJoin(WindowTexts(op), ", "), "}"));
  writer.WriteAttributes(op.attributes(),
                         {"dimension_numbers", "window_strides", "padding",
                          "lhs_dilation", "rhs_dilation", "window_reversal"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

}  // namespace

AssemblyForm ConvolutionForm() { return {ParseConvolution, PrintConvolution}; }

}  // namespace lockstep::internal
