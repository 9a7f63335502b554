// lockstep bench device: what the devices of this machine reach.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "client/bench/device_bench.h"
#include "client/cli/bench_report.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/progress_line.h"
#include "client/cli/subcommand.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

struct BenchDeviceOptions {
  DeviceBenchOptions device;
  bool is_json = false;
};

absl::Status BenchDevice(const BenchDeviceOptions& options) {
  ProgressLine progress(STDERR_FILENO);
  progress.Show("starting ...");
  const absl::StatusOr<DeviceBench> bench =
      MeasureDevice(options.device, [&](const std::string& name) {
        progress.Show(absl::StrCat("measuring ", name, " ..."));
      });
  progress.Clear();
  RETURN_IF_ERROR(bench.status());
  std::cout << (options.is_json ? BenchJson(*bench) : BenchTable(*bench))
            << std::flush;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineBenchDevice(CLI::App& app) {
  auto options = std::make_shared<BenchDeviceOptions>();
  DeviceBenchOptions& device = options->device;
  app.add_option("--backend", device.backend,
                 "what runs the programs (default: the platform's)")
      ->envname("LOCKSTEP_BACKEND");
  app.add_option("--platform", device.platform,
                 "kind of devices, cpu or cuda (default: GPUs where a driver "
                 "and NVRTC are found)")
      ->envname("LOCKSTEP_PLATFORM");
  app.add_option("--devices", device.devices,
                 "how many, where the platform does not find them")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  app.add_option("--local-devices", device.local_devices,
                 "which devices, as the platform counts them: 0,2 (default: "
                 "all that the platform finds)")
      ->envname("LOCKSTEP_LOCAL_DEVICES")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  app.add_option("--side", device.side,
                 "rows and columns of matrices (default: 8192 on GPUs, 2048 "
                 "elsewhere)")
      ->check(CLI::Range(1, 65536));
  app.add_option("--filter", device.filter,
                 "only measurements with this in their names")
      ->type_name("TEXT");
  AddCacheDirectoryOption(app, device.cache_directory)
      ->envname("LOCKSTEP_CACHE_DIR");
  app.add_flag("--json", options->is_json,
               "one JSON object instead of a table");
  return [options] { return BenchDevice(*options); };
}

}  // namespace lockstep::internal
