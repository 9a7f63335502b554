#include "runtime/ops/geometry/convolution_dimensions.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/ops/assembly/dimension_fields.h"
#include "runtime/ops/checks/operand_checks.h"

namespace lockstep::internal {
namespace {

absl::Status Malformed(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected dimensions like [b, 0, f]x[0, i, o]->[b, 0, f], found ",
      text.substr(0, 100)));
}

// "[b, 0, f]" without the brackets; `batch` and `feature` are its letters.
absl::StatusOr<ConvolutionLayout> ParseLayout(absl::string_view text,
                                              absl::string_view batch,
                                              absl::string_view feature) {
  const std::vector<absl::string_view> names = absl::StrSplit(text, ',');
  ConvolutionLayout layout;
  layout.batch = layout.feature = -1;
  const int64_t rank = static_cast<int64_t>(names.size());
  layout.spatial.assign(std::max<int64_t>(rank - 2, 0), -1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    const absl::string_view name = absl::StripAsciiWhitespace(names[dim]);
    int64_t spatial;
    int64_t* place = nullptr;
    if (name == batch) {
      place = &layout.batch;
    } else if (name == feature) {
      place = &layout.feature;
    } else if (absl::SimpleAtoi(name, &spatial) && spatial >= 0 &&
               spatial < rank - 2) {
      place = &layout.spatial[spatial];
    }
    if (place == nullptr || *place != -1) return Malformed(text);
    *place = dim;
  }
  if (layout.batch < 0 || layout.feature < 0) return Malformed(text);
  return layout;
}

// "[..]x[..]->[..]".
absl::StatusOr<ConvolutionDimensions> ParsePretty(absl::string_view text) {
  std::string dense(text);
  dense.erase(std::remove_if(dense.begin(), dense.end(),
                             [](char c) { return absl::ascii_isspace(c); }),
              dense.end());
  absl::string_view rest = dense;
  const size_t cross = rest.find("]x[");
  const size_t arrow = rest.find("]->[");
  if (!absl::StartsWith(rest, "[") || !absl::EndsWith(rest, "]") ||
      cross == rest.npos || arrow == rest.npos || arrow < cross + 3) {
    return Malformed(text);
  }
  ConvolutionDimensions dims;
  ASSIGN_OR_RETURN(dims.lhs, ParseLayout(rest.substr(1, cross - 1), "b", "f"));
  ASSIGN_OR_RETURN(
      dims.rhs,
      ParseLayout(rest.substr(cross + 3, arrow - cross - 3), "i", "o"));
  ASSIGN_OR_RETURN(
      dims.result,
      ParseLayout(rest.substr(arrow + 4, rest.size() - arrow - 5), "b", "f"));
  return dims;
}

absl::StatusOr<ConvolutionDimensions> ParseRaw(absl::string_view text) {
  ASSIGN_OR_RETURN(DimensionFields fields, ParseDimensionFields(text));
  ConvolutionDimensions dims;
  const struct {
    ConvolutionLayout& layout;
    absl::string_view batch, feature, spatial;
  } layouts[] = {
      {dims.lhs, "input_batch_dimension", "input_feature_dimension",
       "input_spatial_dimensions"},
      {dims.rhs, "kernel_input_feature_dimension",
       "kernel_output_feature_dimension", "kernel_spatial_dimensions"},
      {dims.result, "output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions"},
  };
  for (const auto& [layout, batch, feature, spatial] : layouts) {
    for (const auto& [name, place] : {std::pair{batch, &layout.batch},
                                      std::pair{feature, &layout.feature}}) {
      const std::vector<int64_t>& values = fields[std::string(name)];
      if (values.size() != 1) return Malformed(text);
      *place = values[0];
    }
    layout.spatial = fields[std::string(spatial)];
  }
  return dims;
}

std::string ToText(const ConvolutionLayout& layout, const char* batch,
                   const char* feature) {
  std::vector<std::string> names(layout.spatial.size() + 2);
  names[layout.batch] = batch;
  names[layout.feature] = feature;
  for (size_t i = 0; i < layout.spatial.size(); ++i) {
    names[layout.spatial[i]] = absl::StrCat(i);
  }
  return absl::StrCat("[", absl::StrJoin(names, ", "), "]");
}

absl::Status CheckLayout(const Op& op, absl::string_view what,
                         const ConvolutionLayout& layout, int64_t rank) {
  const std::vector<int64_t> all = layout.BatchFirst();
  RETURN_IF_ERROR(CheckOnePerDim(op, what, all, rank));
  return CheckDistinctDims(op, what, all, rank);
}

absl::StatusOr<std::vector<bool>> ReversalOf(const Op& op, int64_t rank) {
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> values,
      op.IntegersAttributeOr("window_reversal", std::vector<int64_t>(rank, 0)));
  RETURN_IF_ERROR(CheckOnePerDim(op, "window_reversal", values, rank));
  return std::vector<bool>(values.begin(), values.end());
}

absl::StatusOr<int64_t> GroupCount(const Op& op, absl::string_view name) {
  ASSIGN_OR_RETURN(const int64_t count, op.IntegerAttributeOr(name, 1));
  if (count >= 1) return count;
  return op.Error(absl::StrCat(name, ": expected 1 or more, found ", count));
}

}  // namespace

std::vector<int64_t> ConvolutionLayout::BatchFirst() const {
  std::vector<int64_t> dims = {batch};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  dims.push_back(feature);
  return dims;
}

std::vector<int64_t> ConvolutionLayout::SpatialFirst() const {
  std::vector<int64_t> dims = spatial;
  dims.push_back(batch);
  dims.push_back(feature);
  return dims;
}

std::string ConvolutionDimensions::ToString() const {
  return absl::StrCat(ToText(lhs, "b", "f"), "x", ToText(rhs, "i", "o"), "->",
                      ToText(result, "b", "f"));
}

absl::StatusOr<ConvolutionDimensions> ParseConvolutionDimensions(
    absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (absl::ConsumePrefix(&text, "raw")) return ParseRaw(text);
  return ParsePretty(text);
}

absl::StatusOr<ConvolutionDimensions> ConvolutionDimensionsOf(const Op& op) {
  const Attribute* attribute = op.attribute("dimension_numbers");
  const auto* opaque =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Opaque>();
  absl::string_view text;
  if (opaque != nullptr) text = opaque->text;
  if (!absl::ConsumePrefix(&text, "#stablehlo.conv<") ||
      !absl::ConsumeSuffix(&text, ">")) {
    return op.Error("dimension_numbers: expected #stablehlo.conv<..>");
  }
  absl::StatusOr<ConvolutionDimensions> dims = ParseConvolutionDimensions(text);
  if (!dims.ok()) {
    return op.Error(
        absl::StrCat("dimension_numbers: ", dims.status().message()));
  }
  const int64_t rank = dims->spatial_rank() + 2;
  RETURN_IF_ERROR(CheckRank(op, 0, rank));  // (C13)
  RETURN_IF_ERROR(CheckRank(op, 1, rank));  // (C1)
  RETURN_IF_ERROR(CheckLayout(op, "input dims", dims->lhs, rank));
  RETURN_IF_ERROR(CheckLayout(op, "kernel dims", dims->rhs, rank));
  RETURN_IF_ERROR(CheckLayout(op, "output dims", dims->result, rank));
  return dims;
}

absl::StatusOr<ConvolutionParameters> ConvolutionParametersOf(const Op& op) {
  ConvolutionParameters parameters;
  ASSIGN_OR_RETURN(parameters.dims, ConvolutionDimensionsOf(op));
  const int64_t rank = parameters.dims.spatial_rank();
  const std::vector<int64_t> ones(rank, 1);
  Window& window = parameters.window;
  for (int64_t dim : parameters.dims.rhs.spatial) {
    window.sizes.push_back(op.operand(1)->shape().dim(dim));
  }
  ASSIGN_OR_RETURN(window.strides,
                   op.IntegersAttributeOr("window_strides", ones));
  ASSIGN_OR_RETURN(window.base_dilations,
                   op.IntegersAttributeOr("lhs_dilation", ones));
  ASSIGN_OR_RETURN(window.window_dilations,
                   op.IntegersAttributeOr("rhs_dilation", ones));
  ASSIGN_OR_RETURN(window.padding, PaddingPairsOf(op, rank));
  RETURN_IF_ERROR(CheckWindow(op, window, rank));                  // (C2-C8)
  ASSIGN_OR_RETURN(parameters.is_reversed, ReversalOf(op, rank));  // (C9)
  ASSIGN_OR_RETURN(parameters.feature_groups,
                   GroupCount(op, "feature_group_count"));  // (C21)
  ASSIGN_OR_RETURN(parameters.batch_groups,
                   GroupCount(op, "batch_group_count"));  // (C22)
  return parameters;
}

}  // namespace lockstep::internal
