#include "client/host/launcher/launcher.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {

namespace {

bool IsAnySet(const std::vector<std::string>& names,
              const Environment& environment) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return environment(name).has_value();
  });
}

}  // namespace

bool Launcher::HasStarted(const Environment& environment) const {
  return started.empty() || IsAnySet(started, environment);
}

std::vector<std::string> Launcher::Missing(
    const Environment& environment) const {
  std::vector<std::string> missing;
  for (const std::vector<std::string>& any : variables) {
    if (!IsAnySet(any, environment)) {
      missing.push_back(absl::StrJoin(any, " or "));
    }
  }
  return missing;
}

std::vector<std::string> Launcher::Set(const Environment& environment) const {
  std::vector<std::string> set;
  for (const std::vector<std::string>& any : variables) {
    for (const std::string& name : any) {
      if (environment(name).has_value() &&
          !absl::StartsWith(name, "LOCKSTEP_")) {
        set.push_back(name);
      }
    }
  }
  return set;
}

}  // namespace lockstep::internal
