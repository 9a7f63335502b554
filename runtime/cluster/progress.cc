#include "runtime/cluster/progress.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

bool IsSamePlace(const LaunchProgress& a, const LaunchProgress& b) {
  return a.launch == b.launch && a.phase == b.phase &&
         a.collective == b.collective && a.thunk_count == b.thunk_count;
}

std::string PlaceText(const LaunchProgress& progress) {
  const std::string launch = absl::StrCat(
      "launch ", progress.launch.number.value(), " (", progress.program, ")");
  if (progress.collective < 0) return launch;
  const std::string collective =
      progress.collective_name.empty()
          ? absl::StrCat("collective #", progress.collective)
          : progress.collective_name;
  return absl::StrCat(collective, " of ", launch);
}

}  // namespace lockstep::internal
