#include "runtime/frontend/bytecode/default_attributes.h"

#include <cstring>

#include "absl/algorithm/container.h"

namespace lockstep::internal {
namespace {

enum class Default {
  kFalse,
  kZero,
  kMinusOne,
  kOne,
  kEmpty,       // a list, a string, a dictionary or a tensor
  kNoType,      // of a comparison
  kPrecisions,  // a list of DEFAULT only
  kAccuracy,
  kOnes,   // a tensor of 1 only
  kZeros,  // a tensor of 0 or false only
};

struct Row {
  absl::string_view op;
  absl::string_view attribute;
  Default value;
};
constexpr Row kRows[] = {
    {"all_gather", "channel_id", Default::kZero},
    {"all_gather", "use_global_device_ids", Default::kFalse},
    {"all_reduce", "channel_id", Default::kZero},
    {"all_reduce", "use_global_device_ids", Default::kFalse},
    {"all_to_all", "channel_id", Default::kZero},
    {"cholesky", "lower", Default::kFalse},
    {"collective_broadcast", "channel_id", Default::kZero},
    {"collective_broadcast", "has_dynamic_root", Default::kFalse},
    {"collective_permute", "channel_id", Default::kZero},
    {"collective_reduce", "channel_id", Default::kZero},
    {"collective_reduce", "has_dynamic_root", Default::kFalse},
    {"collective_reduce", "use_global_device_ids", Default::kFalse},
    {"compare", "compare_type", Default::kNoType},
    {"composite", "composite_attributes", Default::kEmpty},
    {"composite", "version", Default::kZero},
    {"convolution", "lhs_dilation", Default::kOnes},
    {"convolution", "padding", Default::kZeros},
    {"convolution", "precision_config", Default::kPrecisions},
    {"convolution", "rhs_dilation", Default::kOnes},
    {"convolution", "window_reversal", Default::kZeros},
    {"convolution", "window_strides", Default::kOnes},
    {"custom_call", "api_version", Default::kOne},
    {"custom_call", "backend_config", Default::kEmpty},
    {"custom_call", "called_computations", Default::kEmpty},
    {"custom_call", "has_side_effect", Default::kFalse},
    {"custom_call", "output_operand_aliases", Default::kEmpty},
    {"custom_call", "result_tilings", Default::kEmpty},
    {"dot", "precision_config", Default::kPrecisions},
    {"dot_general", "precision_config", Default::kPrecisions},
    {"dynamic_broadcast_in_dim", "known_expanding_dimensions", Default::kEmpty},
    {"dynamic_broadcast_in_dim", "known_nonexpanding_dimensions",
     Default::kEmpty},
    {"func", "arg_attrs", Default::kEmpty},
    {"func", "res_attrs", Default::kEmpty},
    {"func", "sym_visibility", Default::kEmpty},
    {"gather", "indices_are_sorted", Default::kFalse},
    {"recv", "is_host_transfer", Default::kFalse},
    {"recv", "source_target_pairs", Default::kEmpty},
    {"reduce_scatter", "channel_id", Default::kZero},
    {"reduce_scatter", "use_global_device_ids", Default::kFalse},
    {"reduce_window", "base_dilations", Default::kOnes},
    {"reduce_window", "padding", Default::kZeros},
    {"reduce_window", "window_dilations", Default::kOnes},
    {"reduce_window", "window_strides", Default::kOnes},
    {"scatter", "indices_are_sorted", Default::kFalse},
    {"scatter", "unique_indices", Default::kFalse},
    {"select_and_scatter", "padding", Default::kZeros},
    {"select_and_scatter", "window_strides", Default::kOnes},
    {"send", "is_host_transfer", Default::kFalse},
    {"send", "source_target_pairs", Default::kEmpty},
    {"sort", "dimension", Default::kMinusOne},
    {"sort", "is_stable", Default::kFalse},
    // Of all ops that have it.
    {"", "result_accuracy", Default::kAccuracy},
};

bool IsInteger(const Attribute& attribute, int64_t value) {
  const auto* integer = attribute.As<Attribute::Integer>();
  return integer != nullptr && integer->value == value;
}

bool IsEmpty(const Attribute& attribute) {
  if (const auto* array = attribute.As<Attribute::Array>()) {
    return array->elements.empty();
  }
  if (const auto* text = attribute.As<Attribute::String>()) {
    return text->value.empty();
  }
  if (const auto* dictionary = attribute.As<Attribute::Dictionary>()) {
    return dictionary->entries.empty();
  }
  const auto* elements = attribute.As<Attribute::Elements>();
  return elements != nullptr && elements->shape.element_count() == 0;
}

bool IsEnum(const Attribute& attribute, absl::string_view value) {
  const auto* found = attribute.As<Attribute::Enum>();
  return found != nullptr && found->value == value;
}

// Not of a tensor without elements: it says how many there are.
bool IsTensorOf(const Attribute& attribute, int64_t value) {
  const auto* elements = attribute.As<Attribute::Elements>();
  if (elements == nullptr || elements->shape.element_count() == 0) return false;
  const Literal& values = *elements->values;
  if (values.shape().element_type() == ElementType::kS64) {
    return absl::c_all_of(values.data<int64_t>(),
                          [&](int64_t found) { return found == value; });
  }
  return value == 0 && values.shape().element_type() == ElementType::kPred &&
         absl::c_all_of(values.byte_span(),
                        [](std::byte found) { return found == std::byte{0}; });
}

bool IsDefaultAccuracy(const Attribute& attribute) {
  const auto* accuracy = attribute.As<Attribute::Struct>();
  if (accuracy == nullptr || accuracy->fields.size() != 1) return false;
  const Attribute* mode = accuracy->fields.Find("mode");
  const auto* value = mode == nullptr ? nullptr : mode->As<Attribute::Struct>();
  return value != nullptr && value->fields.Find("DEFAULT") != nullptr;
}

bool IsDefault(const Attribute& attribute, Default value) {
  switch (value) {
    case Default::kFalse: {
      const auto* truth = attribute.As<Attribute::Bool>();
      return truth != nullptr && !truth->value;
    }
    case Default::kZero:
      return IsInteger(attribute, 0);
    case Default::kMinusOne:
      return IsInteger(attribute, -1);
    case Default::kOne:
      return IsInteger(attribute, 1);
    case Default::kEmpty:
      return IsEmpty(attribute);
    case Default::kNoType:
      return IsEnum(attribute, "NOTYPE");
    case Default::kPrecisions: {
      const auto* array = attribute.As<Attribute::Array>();
      return array != nullptr &&
             absl::c_all_of(array->elements, [](const Attribute& element) {
               return IsEnum(element, "DEFAULT");
             });
    }
    case Default::kAccuracy:
      return IsDefaultAccuracy(attribute);
    case Default::kOnes:
      return IsTensorOf(attribute, 1);
    case Default::kZeros:
      return IsTensorOf(attribute, 0);
  }
  return false;
}

bool IsEmpty(const AttributeMap& attributes, absl::string_view name) {
  const Attribute* attribute = attributes.Find(name);
  return attribute != nullptr && IsEmpty(*attribute);
}

}  // namespace

void RemoveDefaultAttributes(absl::string_view op, AttributeMap& attributes) {
  for (const Row& row : kRows) {
    if (!row.op.empty() && row.op != op) continue;
    const Attribute* attribute = attributes.Find(row.attribute);
    if (attribute != nullptr && IsDefault(*attribute, row.value)) {
      attributes.Remove(row.attribute);
    }
  }
  // Layouts are given of both or of none.
  if (op == "custom_call" && IsEmpty(attributes, "operand_layouts") &&
      IsEmpty(attributes, "result_layouts")) {
    attributes.Remove("operand_layouts");
    attributes.Remove("result_layouts");
  }
}

}  // namespace lockstep::internal
