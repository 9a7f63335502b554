#include "client/host/launcher/launcher_variables.h"

#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

std::string LauncherVariables::Text(const std::string& name) const {
  return environment_(name).value_or("");
}

std::string LauncherVariables::FirstSet(
    const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (environment_(name).has_value()) return name;
  }
  return names.front();
}

absl::Status LauncherVariables::Wrong(const std::string& name,
                                      absl::string_view expected) const {
  const auto text = environment_(name);
  return absl::InvalidArgumentError(absl::StrCat(
      "launcher ", method_, ": the variable ", name, " must be ", expected,
      text.has_value() ? absl::StrCat(", found '", *text, "'")
                       : ", but it is not set",
      "; mend it, or set LOCKSTEP_CLUSTER=none and say with "
      "LOCKSTEP_COORDINATOR, LOCKSTEP_EXPECTED_HOSTS and LOCKSTEP_RANK what "
      "the launcher should have said"));
}

absl::StatusOr<int64_t> LauncherVariables::Number(const std::string& name,
                                                  int64_t minimum,
                                                  int64_t maximum) const {
  int64_t value = 0;
  if (!absl::SimpleAtoi(Text(name), &value) || value < minimum ||
      value > maximum) {
    return Wrong(name,
                 absl::StrCat("an integer from ", minimum, " to ", maximum));
  }
  return value;
}

absl::StatusOr<std::optional<int>> LauncherVariables::MaybeNumber(
    const std::string& name, int minimum) const {
  if (!environment_(name).has_value()) return std::optional<int>();
  ASSIGN_OR_RETURN(const int64_t value,
                   Number(name, minimum, std::numeric_limits<int>::max()));
  return std::make_optional(static_cast<int>(value));
}

absl::Status LauncherVariables::TakeRank(const std::string& count_name,
                                         const std::string& rank_name,
                                         std::optional<int>& count,
                                         std::optional<int>& rank) const {
  constexpr int64_t kMost = std::numeric_limits<int>::max();
  ASSIGN_OR_RETURN(const int64_t size, Number(count_name, 1, kMost));
  ASSIGN_OR_RETURN(const int64_t place, Number(rank_name, 0, kMost));
  if (place >= size) {
    return Wrong(rank_name,
                 absl::StrCat("below ", size, ", which is ", count_name));
  }
  count = static_cast<int>(size);
  rank = static_cast<int>(place);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
