// lockstep bench: measurements, each a command of its own.
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/subcommand.h"

namespace lockstep::internal {

std::function<absl::Status()> DefineBench(CLI::App& app) {
  static constexpr Subcommand kMeasurements[] = {
      {"device",
       "Copies, launches, kernels, matrix products and collectives of this "
       "machine's devices, each beside its limit",
       "lockstep bench device --platform cuda", DefineBenchDevice},
      {"collectives",
       "Collectives between the hosts of a cluster, in the form of nccl-tests",
       "lockstep bench collectives --op all_reduce,all_gather -b 1K -e 16M",
       DefineBenchCollectives},
  };
  app.require_subcommand(1);
  std::vector<std::pair<const CLI::App*, std::function<absl::Status()>>> runs;
  for (const Subcommand& measurement : kMeasurements) {
    CLI::App* inner = app.add_subcommand(measurement.name, measurement.summary);
    inner->footer(absl::StrCat("Example:\n  ", measurement.example));
    runs.emplace_back(inner, measurement.define(*inner));
  }
  return [runs] {
    for (const auto& [inner, run] : runs) {
      if (inner->parsed()) return run();
    }
    return absl::InternalError("no measurement was given");
  };
}

}  // namespace lockstep::internal
