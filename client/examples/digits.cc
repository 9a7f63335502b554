// Trains a classifier of handwritten digits, data-parallel: every device has a
// part of each batch, gradients meet in psum.
//   digits --hosts 2 --devices-per-host 4   on a cluster of its own
//   digits --connect ADDR                   on a running one (global view)
//   digits --coordinator ADDR --rank R      as one of its hosts (host view)
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/examples/digits_data.h"
#include "client/examples/digits_training.h"
#include "client/examples/progress_bar.h"
#include "client/lockstep.h"

namespace lockstep::examples {
namespace {

constexpr double kRequiredAccuracy = 0.95;

struct Flags {
  std::string connect;
  std::string coordinator;
  std::optional<int> rank;
  int hosts = 2;
  std::optional<int> devices_per_host;
  int epochs = TrainingOptions().epochs;
  std::string data = "client/examples/data/digits.csv.gz";
  std::string loss_file;

  bool is_host_view() const { return !coordinator.empty(); }
};

absl::StatusOr<Client> OpenClient(const Flags& flags) {
  if (!flags.connect.empty()) {
    return Client::Connect(flags.connect, {.name = "digits"});
  }
  return Client::Embedded(
      {.hosts = flags.hosts,
       .devices_per_host = flags.devices_per_host.value_or(4)});
}

void ShowProgress(const TrainingProgress& progress, ProgressBar& bar) {
  if (!progress.epoch_loss.has_value()) {
    bar.Show((progress.epoch - 1) * progress.steps + progress.step,
             progress.epochs * progress.steps,
             absl::StrCat("epoch ", progress.epoch, "/", progress.epochs));
    return;
  }
  bar.Clear();
  std::cout << absl::StrFormat("epoch %2d/%d  loss %.4f\n", progress.epoch,
                               progress.epochs, *progress.epoch_loss)
            << std::flush;
}

absl::StatusOr<TrainingResult> Train(const Flags& flags,
                                     const DigitSplit& digits) {
  ProgressBar bar(STDERR_FILENO);
  TrainingOptions options;
  options.epochs = flags.epochs;
  options.on_step = [&](const TrainingProgress& progress) {
    ShowProgress(progress, bar);
  };
  if (flags.is_host_view()) {
    LOCKSTEP_RETURN_IF_ERROR(
        Initialize({.coordinator_address = flags.coordinator,
                    .requested_rank = flags.rank,
                    .num_cpu_devices = flags.devices_per_host}));
    options.share = HostViewShare();
    LOCKSTEP_ASSIGN_OR_RETURN(TrainingResult result,
                              TrainOnDigits(digits, options));
    LOCKSTEP_RETURN_IF_ERROR(Shutdown());
    return result;
  }
  LOCKSTEP_ASSIGN_OR_RETURN(const Client client, OpenClient(flags));
  options.view = client.view();
  options.share = GlobalViewShare(client);
  return TrainOnDigits(digits, options);
}

absl::Status WriteLosses(const std::string& path,
                         const std::vector<double>& losses) {
  std::ofstream file(path);
  for (const double loss : losses) file << absl::StrFormat("%.17g\n", loss);
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": cannot be written"));
}

absl::Status Run(const Flags& flags) {
  LOCKSTEP_ASSIGN_OR_RETURN(std::vector<Digit> all, ReadDigits(flags.data));
  const DigitSplit digits = SplitDigits(std::move(all));
  LOCKSTEP_ASSIGN_OR_RETURN(const TrainingResult result, Train(flags, digits));
  if (!flags.loss_file.empty()) {
    LOCKSTEP_RETURN_IF_ERROR(WriteLosses(flags.loss_file, result.losses));
  }
  std::cout << absl::StrFormat("test accuracy: %.1f %% (%d of %d images)\n",
                               100 * result.accuracy(), result.correct,
                               result.tested)
            << std::flush;
  if (result.accuracy() >= kRequiredAccuracy) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrFormat("test accuracy: expected at least %.1f %%, found %.1f %%",
                      100 * kRequiredAccuracy, 100 * result.accuracy()));
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Trains a classifier of handwritten digits on all devices of a cluster.\n"
      "Example: digits --hosts 2 --devices-per-host 4");
  Flags flags;
  auto* connect = app.add_option("--connect", flags.connect,
                                 "Drive the cluster of this coordinator");
  auto* coordinator = app.add_option("--coordinator", flags.coordinator,
                                     "Be a host of this coordinator's cluster")
                          ->excludes(connect);
  app.add_option("--rank", flags.rank, "The host id to ask for")
      ->needs(coordinator);
  app.add_option("--hosts", flags.hosts, "Hosts of a cluster of its own")
      ->capture_default_str()
      ->excludes(connect)
      ->excludes(coordinator);
  app.add_option("--devices-per-host", flags.devices_per_host,
                 "Devices of each of its hosts (4), or of this host (1)")
      ->excludes(connect);
  app.add_option("--epochs", flags.epochs, "Times through all images")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--data", flags.data, "The images")->capture_default_str();
  app.add_option("--loss-file", flags.loss_file,
                 "Write the loss of each epoch there, one a line");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(flags);
  if (status.ok()) return 0;
  std::cerr << "digits: "
            << status.ToString(absl::StatusToStringMode::kWithNoExtraData)
            << std::endl;
  return 1;
}

}  // namespace
}  // namespace lockstep::examples

int main(int argc, char** argv) { return lockstep::examples::Main(argc, argv); }
