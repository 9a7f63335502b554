#include "client/host/launcher/launcher.h"

#include <algorithm>

#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::vector<std::string> Launcher::Missing(
    const Environment& environment) const {
  std::vector<std::string> missing;
  for (const std::vector<std::string>& any : variables) {
    if (std::none_of(any.begin(), any.end(), [&](const std::string& name) {
          return environment(name).has_value();
        })) {
      missing.push_back(absl::StrJoin(any, " or "));
    }
  }
  return missing;
}

}  // namespace lockstep::internal
