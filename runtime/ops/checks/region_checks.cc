#include "runtime/ops/checks/region_checks.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status CheckTypes(const Op& op, absl::string_view what,
                        absl::Span<const Type> expected,
                        absl::Span<const Type> found) {
  if (expected == found) return absl::OkStatus();
  return op.Error(absl::StrCat(what, ": expected ", TypesToString(expected),
                               ", found ", TypesToString(found)));
}

}  // namespace

std::string TypesToString(absl::Span<const Type> types) {
  return absl::StrCat("(",
                      absl::StrJoin(types, ", ",
                                    [](std::string* out, const Type& type) {
                                      out->append(type.ToString());
                                    }),
                      ")");
}

std::vector<Type> OperandTypes(const Op& op) {
  std::vector<Type> types;
  for (const Value* operand : op.operands()) types.push_back(operand->type());
  return types;
}

absl::StatusOr<std::vector<Type>> ReturnedTypes(const Op& op,
                                                const Region& region) {
  if (region.terminator() == nullptr) {
    return op.Error("region: expected a terminator, found no ops");
  }
  return OperandTypes(*region.terminator());
}

absl::Status CheckRegionArguments(const Op& op, absl::string_view what,
                                  const Region& region,
                                  absl::Span<const Type> expected) {
  std::vector<Type> found;
  for (const auto& argument : region.arguments()) {
    found.push_back(argument->type());
  }
  return CheckTypes(op, absl::StrCat(what, " arguments"), expected, found);
}

absl::Status CheckRegionResults(const Op& op, absl::string_view what,
                                const Region& region,
                                absl::Span<const Type> expected) {
  ASSIGN_OR_RETURN(const std::vector<Type> found, ReturnedTypes(op, region));
  return CheckTypes(op, absl::StrCat(what, " results"), expected, found);
}

}  // namespace lockstep::internal
