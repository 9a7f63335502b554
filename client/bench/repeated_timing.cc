#include "client/bench/repeated_timing.h"

#include <algorithm>
#include <array>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr double kRoundSeconds = 0.05;
constexpr int kMostTurns = 20000;

absl::StatusOr<double> Seconds(absl::FunctionRef<absl::Status(int turns)> run,
                               int turns) {
  const absl::Time start = absl::Now();
  RETURN_IF_ERROR(run(turns));
  return absl::ToDoubleSeconds(absl::Now() - start);
}

}  // namespace

absl::StatusOr<double> SecondsPerTurn(
    absl::FunctionRef<absl::Status(int turns)> run) {
  RETURN_IF_ERROR(run(2));
  int turns = 1;
  while (true) {
    ASSIGN_OR_RETURN(const double seconds, Seconds(run, turns));
    if (seconds >= kRoundSeconds || turns == kMostTurns) break;
    const double growth = seconds > 0 ? 1.2 * kRoundSeconds / seconds : 10;
    turns = std::clamp(static_cast<int>(turns * std::min(growth, 10.0)),
                       turns + 1, kMostTurns);
  }
  std::array<double, 7> rounds;
  for (double& seconds : rounds) {
    ASSIGN_OR_RETURN(seconds, Seconds(run, turns));
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[rounds.size() / 2] / turns;
}

}  // namespace lockstep::internal
