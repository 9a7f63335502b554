#include "runtime/passes/unpartitioned.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

// "{replicated}", "{manual}", and tuples of these.
bool IsWholeGspmd(absl::string_view sharding) {
  const std::string rest = absl::StrReplaceAll(sharding, {{"replicated", ""},
                                                          {"manual", ""},
                                                          {"{", ""},
                                                          {"}", ""},
                                                          {",", ""},
                                                          {" ", ""}});
  return rest.empty();
}

// "#sdy.sharding<@mesh, [{}, {?}]>", which names no axis for a dimension.
bool IsWholeSdy(absl::string_view sharding) {
  const size_t dims = sharding.find(", [");
  return absl::StartsWith(sharding, "#sdy.sharding<") &&
         dims != absl::string_view::npos &&
         !absl::StrContains(sharding.substr(dims, sharding.find(']') - dims),
                            '"');
}

bool IsWhole(const Attribute& sharding) {
  if (const auto* text = sharding.As<Attribute::String>()) {
    return absl::StartsWith(text->value, "#") ? IsWholeSdy(text->value)
                                              : IsWholeGspmd(text->value);
  }
  const auto* sdy = sharding.As<Attribute::Opaque>();
  return sdy != nullptr && IsWholeSdy(sdy->text);
}

absl::Status CheckAttributes(const AttributeMap& attributes,
                             const Location& location, absl::string_view of) {
  constexpr absl::string_view kShardings[] = {"mhlo.sharding", "sdy.sharding",
                                              "xla.sdy.sharding"};
  for (const absl::string_view name : kShardings) {
    const Attribute* sharding = attributes.Find(name);
    if (sharding == nullptr || IsWhole(*sharding)) continue;
    return ErrorAt(location, absl::StatusCode::kUnimplemented,
                   absl::StrCat(of, ": ", name, " = ", Print(*sharding),
                                ": programs are not split among partitions"));
  }
  const Attribute* frontend = attributes.Find("mhlo.frontend_attributes");
  const auto* inner =
      frontend == nullptr ? nullptr : frontend->As<Attribute::Dictionary>();
  return inner == nullptr ? absl::OkStatus()
                          : CheckAttributes(inner->entries, location, of);
}

absl::Status CheckRegion(const Region& region) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(
        CheckAttributes(op->attributes(), op->location(), op->name()));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckRegion(*inner));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFunction(const Function& function) {
  const int arguments = static_cast<int>(function.body().arguments().size());
  for (int i = 0; i < arguments; ++i) {
    RETURN_IF_ERROR(CheckAttributes(
        function.argument_attributes(i), function.location(),
        absl::StrCat("argument ", i, " of @", function.name())));
  }
  for (size_t i = 0; i < function.result_attributes().size(); ++i) {
    RETURN_IF_ERROR(
        CheckAttributes(function.result_attributes()[i], function.location(),
                        absl::StrCat("result ", i, " of @", function.name())));
  }
  return CheckRegion(function.body());
}

}  // namespace

absl::Status CheckUnpartitioned(const Module& module) {
  ASSIGN_OR_RETURN(const int32_t partitions, module.PartitionCount());
  if (partitions == 1) return absl::OkStatus();
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(CheckFunction(*function));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
