#include "runtime/callbacks/host_call.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kCallbackTarget = "lockstep.callback";
constexpr absl::string_view kDebugPrintTarget = "lockstep.debug_print";
// A config with typed fields.
constexpr int32_t kApiVersion = 4;

// "": `op` is no custom_call.
absl::string_view TargetOf(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return "";
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  return name == nullptr ? absl::string_view() : name->value;
}

// Reads the fields of one config.
class ConfigReader {
 public:
  ConfigReader(const Op& op, const AttributeMap& fields)
      : op_(op), fields_(fields) {}

  absl::StatusOr<std::string> String(absl::string_view name) const {
    const auto* value = Find<Attribute::String>(name);
    if (value == nullptr) return Missing(name, "a string");
    return value->value;
  }
  absl::StatusOr<int64_t> Integer(absl::string_view name) const {
    const auto* value = Find<Attribute::Integer>(name);
    if (value == nullptr) return Missing(name, "an integer");
    return value->value;
  }
  absl::StatusOr<bool> Bool(absl::string_view name) const {
    const auto* value = Find<Attribute::Bool>(name);
    if (value == nullptr) return Missing(name, "true or false");
    return value->value;
  }

 private:
  template <typename T>
  const T* Find(absl::string_view name) const {
    const Attribute* attribute = fields_.Find(name);
    return attribute == nullptr ? nullptr : attribute->As<T>();
  }
  absl::Status Missing(absl::string_view name, absl::string_view what) const {
    return op_.Error(
        absl::StrCat("backend_config: expected ", what, " as ", name));
  }

  const Op& op_;
  const AttributeMap& fields_;
};

absl::Status CheckWithoutCallbacks(const Region& region) {
  for (const auto& op : region.ops()) {
    if (IsHostCall(*op)) {
      ASSIGN_OR_RETURN(const HostCall call, HostCallOf(*op));
      if (call.kind == HostCall::Kind::kCallback) {
        return CallbackIsElsewhere(*op, call);
      }
    }
    for (const auto& nested : op->regions()) {
      RETURN_IF_ERROR(CheckWithoutCallbacks(*nested));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string HostCall::ToString() const {
  return absl::StrCat(place, ": ", name);
}

AttributeMap HostCall::Attributes() const {
  const bool is_callback = kind == Kind::kCallback;
  AttributeMap config;
  config.Set("name", Attribute::String{name});
  config.Set("place", Attribute::String{place});
  config.Set("ordered", Attribute::Bool{is_ordered});
  if (is_callback) {
    config.Set("number", Attribute::I64(number));
  } else {
    config.Set("format", Attribute::String{format});
  }
  AttributeMap attributes;
  attributes.Set("call_target_name",
                 Attribute::String{std::string(
                     is_callback ? kCallbackTarget : kDebugPrintTarget)});
  attributes.Set("api_version", Attribute::I32(kApiVersion));
  attributes.Set("backend_config", Attribute::Dictionary{config});
  attributes.Set("has_side_effect", Attribute::Bool{has_effect});
  return attributes;
}

bool IsHostCall(const Op& op) {
  const absl::string_view target = TargetOf(op);
  return target == kCallbackTarget || target == kDebugPrintTarget;
}

absl::StatusOr<HostCall> HostCallOf(const Op& op) {
  const Attribute* config = op.attribute("backend_config");
  const auto* fields =
      config == nullptr ? nullptr : config->As<Attribute::Dictionary>();
  if (fields == nullptr) {
    return op.Error("backend_config: expected a dictionary");
  }
  const ConfigReader reader(op, fields->entries);
  HostCall call;
  ASSIGN_OR_RETURN(call.name, reader.String("name"));
  ASSIGN_OR_RETURN(call.place, reader.String("place"));
  ASSIGN_OR_RETURN(call.is_ordered, reader.Bool("ordered"));
  ASSIGN_OR_RETURN(call.has_effect,
                   op.BoolAttributeOr("has_side_effect", false));
  if (TargetOf(op) == kDebugPrintTarget) {
    call.kind = HostCall::Kind::kDebugPrint;
    ASSIGN_OR_RETURN(call.format, reader.String("format"));
  } else {
    ASSIGN_OR_RETURN(call.number, reader.Integer("number"));
  }
  return call;
}

bool HasHostEffect(const Op& op) {
  if (!IsHostCall(op)) return false;
  const auto has_effect = op.BoolAttributeOr("has_side_effect", false);
  return !has_effect.ok() || *has_effect;
}

absl::Status CallbackIsElsewhere(const Op& op, const HostCall& call) {
  return op.Unimplemented(absl::StrCat(
      "the ", call.name, " of ", call.place,
      " is a function of the process that traced the program, and is not "
      "here; return the value as a result of the program, use debug_print, or "
      "run it in the host view"));
}

absl::Status CheckWithoutCallbacks(const Module& module) {
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(CheckWithoutCallbacks(function->body()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
