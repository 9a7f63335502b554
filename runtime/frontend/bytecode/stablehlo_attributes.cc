#include "runtime/frontend/bytecode/stablehlo_attributes.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/default_attributes.h"
#include "runtime/frontend/bytecode/number_reader.h"

namespace lockstep::internal {
namespace {

absl::Status WrongKind(absl::string_view name, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected ", expected));
}

absl::StatusOr<std::vector<int64_t>> IntegersIn(const Attribute& attribute,
                                                absl::string_view name) {
  const auto* elements = attribute.As<Attribute::Elements>();
  if (elements == nullptr ||
      (elements->is_splat &&
       elements->shape.element_count() > kMaxListedSplat)) {
    return WrongKind(name, "a tensor of integers, one for each dimension");
  }
  absl::StatusOr<std::vector<int64_t>> values = IntegersOf(attribute);
  if (!values.ok()) return WrongKind(name, values.status().message());
  return values;
}

// Takes an attribute out of the map.
absl::StatusOr<Attribute> Take(AttributeMap& attributes,
                               absl::string_view name) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return WrongKind(name, "an attribute, found none");
  Attribute taken = *attribute;
  attributes.Remove(name);
  return taken;
}

absl::StatusOr<int64_t> TakeInteger(AttributeMap& attributes,
                                    absl::string_view name) {
  ASSIGN_OR_RETURN(const Attribute attribute, Take(attributes, name));
  const auto* integer = attribute.As<Attribute::Integer>();
  if (integer == nullptr) return WrongKind(name, "an integer");
  return integer->value;
}

absl::StatusOr<std::vector<int64_t>> TakeIntegers(AttributeMap& attributes,
                                                  absl::string_view name) {
  ASSIGN_OR_RETURN(const Attribute attribute, Take(attributes, name));
  return IntegersIn(attribute, name);
}

// Attributes that become the fields of one.
struct StructRow {
  absl::string_view op;
  absl::string_view attribute;
  absl::string_view name;  // of the struct
  absl::string_view lists;
  absl::string_view integer;  // 0 is not written; empty: there is none
};
constexpr StructRow kStructs[] = {
    {"dot_general", "dot_dimension_numbers", "dot",
     "lhs_batching_dimensions rhs_batching_dimensions "
     "lhs_contracting_dimensions rhs_contracting_dimensions",
     ""},
    {"gather", "dimension_numbers", "gather",
     "offset_dims collapsed_slice_dims operand_batching_dims "
     "start_indices_batching_dims start_index_map",
     "index_vector_dim"},
    {"scatter", "scatter_dimension_numbers", "scatter",
     "update_window_dims inserted_window_dims input_batching_dims "
     "scatter_indices_batching_dims scatter_dims_to_operand_dims",
     "index_vector_dim"},
};

absl::Status MakeStruct(const StructRow& row, AttributeMap& attributes) {
  Attribute::Struct dims{std::string(row.name), {}};
  for (const absl::string_view name : absl::StrSplit(row.lists, ' ')) {
    // Batching dims are younger than the ops.
    if (attributes.Find(name) == nullptr &&
        absl::c_linear_search(
            std::initializer_list<absl::string_view>{
                "operand_batching_dims", "start_indices_batching_dims",
                "input_batching_dims", "scatter_indices_batching_dims"},
            name)) {
      continue;
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> values,
                     TakeIntegers(attributes, name));
    if (values.empty()) continue;
    Attribute::Array list;
    for (const int64_t value : values) {
      list.elements.push_back(Attribute::I64(value));
    }
    dims.fields.Append(name, std::move(list));
  }
  if (!row.integer.empty()) {
    ASSIGN_OR_RETURN(const int64_t value, TakeInteger(attributes, row.integer));
    if (value != 0) dims.fields.Append(row.integer, Attribute::I64(value));
  }
  attributes.Set(row.attribute, std::move(dims));
  return absl::OkStatus();
}

// "[b, 0, f]": which of the dimensions is what.
absl::StatusOr<std::string> TakeLayout(AttributeMap& attributes,
                                       absl::string_view side,
                                       absl::string_view first,
                                       absl::string_view second,
                                       absl::string_view letters) {
  const std::string spatial_name = absl::StrCat(side, "_spatial_dimensions");
  ASSIGN_OR_RETURN(const std::vector<int64_t> spatial,
                   TakeIntegers(attributes, spatial_name));
  std::vector<std::string> names(spatial.size() + 2);
  const auto place = [&](int64_t dim, std::string name) {
    const bool is_free = dim >= 0 && dim < static_cast<int64_t>(names.size()) &&
                         names[static_cast<size_t>(dim)].empty();
    if (is_free) names[static_cast<size_t>(dim)] = std::move(name);
    return is_free;
  };
  for (const auto& [role, letter] : {std::pair{first, letters.substr(0, 1)},
                                     std::pair{second, letters.substr(1)}}) {
    const std::string name = absl::StrCat(side, "_", role, "_dimension");
    ASSIGN_OR_RETURN(const int64_t dim, TakeInteger(attributes, name));
    if (!place(dim, std::string(letter))) {
      return WrongKind(name, absl::StrCat("another dimension below ",
                                          names.size(), ", found ", dim));
    }
  }
  for (size_t i = 0; i < spatial.size(); ++i) {
    if (!place(spatial[i], absl::StrCat(i))) {
      return WrongKind(spatial_name,
                       absl::StrCat("another dimension below ", names.size(),
                                    ", found ", spatial[i]));
    }
  }
  return absl::StrCat("[", absl::StrJoin(names, ", "), "]");
}

absl::Status MakeConvolutionDimensions(AttributeMap& attributes) {
  ASSIGN_OR_RETURN(const std::string input,
                   TakeLayout(attributes, "input", "batch", "feature", "bf"));
  ASSIGN_OR_RETURN(const std::string kernel,
                   TakeLayout(attributes, "kernel", "input_feature",
                              "output_feature", "io"));
  ASSIGN_OR_RETURN(const std::string output,
                   TakeLayout(attributes, "output", "batch", "feature", "bf"));
  attributes.Set("dimension_numbers",
                 Attribute::Opaque{absl::StrCat("#stablehlo.conv<", input, "x",
                                                kernel, "->", output, ">")});
  return absl::OkStatus();
}

// The algorithm of a product of matrices: types, where there is none, of none.
absl::Status MakeDotAlgorithm(AttributeMap& attributes) {
  constexpr absl::string_view kFields[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  if (attributes.Find(kFields[0]) == nullptr) return absl::OkStatus();
  Attribute::Struct algorithm{"dot_algorithm", {}};
  size_t none = 0;
  for (const absl::string_view name : kFields) {
    ASSIGN_OR_RETURN(Attribute field, Take(attributes, name));
    const auto* type = field.As<Attribute::TypeValue>();
    if (type != nullptr && type->text == "none") ++none;
    algorithm.fields.Append(name, std::move(field));
  }
  if (none == std::size(kFields)) return absl::OkStatus();
  if (none > 0) return WrongKind("algorithm", "all of its fields, or none");
  attributes.Set("algorithm", std::move(algorithm));
  return absl::OkStatus();
}

absl::Status MakeChannelHandle(AttributeMap& attributes) {
  if (attributes.Find("channel_id") == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int64_t id, TakeInteger(attributes, "channel_id"));
  int64_t type = 0;
  if (attributes.Find("channel_type") != nullptr) {
    ASSIGN_OR_RETURN(type, TakeInteger(attributes, "channel_type"));
  }
  Attribute::Struct handle{"channel_handle", {}};
  handle.fields.Append("handle", Attribute::I64(id));
  handle.fields.Append("type", Attribute::I64(type));
  attributes.Set("channel_handle", std::move(handle));
  return absl::OkStatus();
}

// A string that is the name of a function, or a list of such.
absl::Status MakeSymbols(absl::string_view name, AttributeMap& attributes) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return absl::OkStatus();
  if (const auto* text = attribute->As<Attribute::String>()) {
    attributes.Set(name, Attribute::Symbol{text->value});
    return absl::OkStatus();
  }
  const auto* array = attribute->As<Attribute::Array>();
  if (array == nullptr) return WrongKind(name, "the name of a function");
  Attribute::Array symbols;
  for (const Attribute& element : array->elements) {
    const auto* text = element.As<Attribute::String>();
    if (text == nullptr) return WrongKind(name, "names of functions");
    symbols.elements.push_back(Attribute::Symbol{text->value});
  }
  attributes.Set(name, std::move(symbols));
  return absl::OkStatus();
}

// Tensors that are lists in StableHLO.
struct ListRow {
  absl::string_view op;
  absl::string_view attributes;
};
constexpr ListRow kLists[] = {
    {"broadcast", "broadcast_sizes"},
    {"broadcast_in_dim", "broadcast_dimensions"},
    {"convolution", "lhs_dilation rhs_dilation window_reversal window_strides"},
    {"dynamic_broadcast_in_dim",
     "broadcast_dimensions known_expanding_dimensions "
     "known_nonexpanding_dimensions"},
    {"dynamic_slice", "slice_sizes"},
    {"fft", "fft_length"},
    {"gather", "slice_sizes"},
    {"map", "dimensions"},
    {"pad", "edge_padding_high edge_padding_low interior_padding"},
    {"reduce", "dimensions"},
    {"reduce_window",
     "base_dilations window_dilations window_dimensions window_strides"},
    {"reverse", "dimensions"},
    {"select_and_scatter", "window_dimensions window_strides"},
    {"slice", "limit_indices start_indices strides"},
    {"transpose", "permutation"},
};

absl::Status MakeList(absl::string_view name, AttributeMap& attributes) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(std::vector<int64_t> values, IntegersIn(*attribute, name));
  const bool is_bool =
      attribute->As<Attribute::Elements>()->shape.element_type() ==
      ElementType::kPred;
  attributes.Set(
      name, Attribute::DenseArray{is_bool ? "i1" : "i64", std::move(values)});
  return absl::OkStatus();
}

}  // namespace

absl::Status MakeStablehloAttributes(absl::string_view op,
                                     AttributeMap& attributes) {
  RemoveDefaultAttributes(op, attributes);
  for (const StructRow& row : kStructs) {
    if (row.op == op) RETURN_IF_ERROR(MakeStruct(row, attributes));
  }
  if (op == "convolution") {
    RETURN_IF_ERROR(MakeConvolutionDimensions(attributes));
  }
  if (op == "dot_general") RETURN_IF_ERROR(MakeDotAlgorithm(attributes));
  RETURN_IF_ERROR(MakeChannelHandle(attributes));
  for (const absl::string_view name :
       {"use_global_device_ids", "has_dynamic_root"}) {
    if (attributes.Find(name) != nullptr) {
      attributes.Set(name, Attribute::Unit{});
    }
  }
  if (op == "call") RETURN_IF_ERROR(MakeSymbols("callee", attributes));
  if (op == "composite") {
    RETURN_IF_ERROR(MakeSymbols("decomposition", attributes));
  }
  if (op == "custom_call") {
    RETURN_IF_ERROR(MakeSymbols("called_computations", attributes));
  }
  for (const ListRow& row : kLists) {
    if (row.op != op) continue;
    for (const absl::string_view name : absl::StrSplit(row.attributes, ' ')) {
      RETURN_IF_ERROR(MakeList(name, attributes));
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
