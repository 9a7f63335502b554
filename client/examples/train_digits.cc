// Trains a classifier of handwritten digits over all devices of all hosts, in
// the global view, or, with --host-view, as one of the programs of the host
// view.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/examples/digits_data.h"
#include "client/examples/digits_training.h"
#include "client/examples/example_cluster.h"
#include "client/examples/progress_bar.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

struct Options {
  ExampleClusterOptions cluster;
  bool is_host_view = false;
  std::string data = "client/examples/data/digits.csv.gz";
  std::string loss_file;
  TrainingOptions training;
};

absl::Status WriteLosses(const std::string& path,
                         const std::vector<float>& losses) {
  std::ofstream file(path);
  for (float loss : losses) file << absl::StrFormat("%.9g\n", loss);
  file.close();
  if (file) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("cannot write ", path));
}

// Host 0 speaks for all hosts.
absl::Status Train(Options options, const TrainingDevices& devices,
                   bool is_speaker) {
  ASSIGN_OR_RETURN(std::vector<Digit> images, ReadDigits(options.data));
  const DigitSplit digits = SplitDigits(std::move(images));
  std::optional<ProgressBar> bar;
  if (is_speaker) {
    std::cout << digits.training.size() << " images to train on, "
              << digits.test.size() << " to test, " << devices.count
              << " devices" << std::endl;
    bar.emplace(STDERR_FILENO);
    options.training.on_step = [&](int64_t done, int64_t total) {
      bar->Show(done, total, absl::StrCat("step ", done, " of ", total));
    };
    options.training.on_epoch = [&](int epoch, float loss) {
      bar->Clear();
      std::cout << absl::StrFormat("epoch %2d  loss %.6f", epoch, loss)
                << std::endl;
    };
  }
  ASSIGN_OR_RETURN(const TrainingResult result,
                   TrainDigits(digits, devices, options.training));
  if (!is_speaker) return absl::OkStatus();
  bar->Clear();
  std::cout << absl::StrFormat("test accuracy %.2f %%",
                               100 * result.test_accuracy)
            << std::endl;
  if (options.loss_file.empty()) return absl::OkStatus();
  return WriteLosses(options.loss_file, result.losses);
}

absl::Status RunGlobalView(const Options& options) {
  ASSIGN_OR_RETURN(const Client client, OpenCluster(options.cluster));
  TrainingDevices devices;
  devices.view = client.view();
  devices.count = devices.addressable = client.device_count();
  return Train(options, devices, true);
}

absl::Status RunHostView(const Options& options) {
  RETURN_IF_ERROR(Initialize());
  TrainingDevices devices;
  devices.count = device_count();
  devices.first = local_devices().front().id.value();
  devices.addressable = local_device_count();
  RETURN_IF_ERROR(Train(options, devices, host_id() == 0));
  return Shutdown();
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  lockstep::Options options;
  CLI::App app("Trains a classifier of handwritten digits over all devices");
  app.add_option("--coordinator", options.cluster.coordinator,
                 "address of the cluster");
  app.add_option("--hosts", options.cluster.hosts,
                 "simulated hosts of a cluster of this program");
  app.add_option("--devices-per-host", options.cluster.devices_per_host,
                 "simulated devices of each")
      ->capture_default_str();
  app.add_flag("--host-view", options.is_host_view,
               "this program is one host (LOCKSTEP_COORDINATOR, LOCKSTEP_RANK, "
               "LOCKSTEP_CPU_DEVICES)");
  app.add_option("--data", options.data, "images, one per line")
      ->capture_default_str();
  app.add_option("--epochs", options.training.epochs, "times to see all images")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--loss-file", options.loss_file,
                 "where to write the loss of each epoch");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = options.is_host_view
                                  ? lockstep::RunHostView(options)
                                  : lockstep::RunGlobalView(options);
  if (status.ok()) return 0;
  std::cerr << "train_digits: " << status << std::endl;
  return 1;
}
