#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_VARIABLES_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_VARIABLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/host/launcher/detected_cluster.h"
#include "client/host/launcher/environment.h"

namespace lockstep::internal {

// Ports of derived addresses are [61440, 65536): above those that Linux gives
// to clients.
inline constexpr int kFirstDerivedPort = 61440;
inline constexpr int kDerivedPorts = 4096;

// The variables of one launcher, as numbers. Errors are INVALID_ARGUMENT and
// name the launcher, the variable, what was expected and found, and what to do.
class LauncherVariables {
 public:
  // Both outlive it.
  LauncherVariables(absl::string_view method, const Environment& environment)
      : method_(method), environment_(environment) {}

  // "" when it is not set.
  std::string Text(const std::string& name) const;
  // The first of `names` that is set; names[0] when none is.
  std::string FirstSet(const std::vector<std::string>& names) const;

  // A number of [minimum, maximum]; one that is not set is an error too.
  absl::StatusOr<int64_t> Number(const std::string& name, int64_t minimum,
                                 int64_t maximum) const;
  // None when it is not set.
  absl::StatusOr<std::optional<int>> MaybeNumber(const std::string& name,
                                                 int minimum) const;
  // A count, and a number below it.
  absl::Status TakeRank(const std::string& count_name,
                        const std::string& rank_name, std::optional<int>& count,
                        std::optional<int>& rank) const;

  // What is wrong with the value of `name`.
  absl::Status Wrong(const std::string& name, absl::string_view expected) const;

 private:
  const absl::string_view method_;
  const Environment& environment_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_VARIABLES_H_
