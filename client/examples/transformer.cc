// Trains a small language model, split among the devices of all hosts in one of
// three ways; one program per host (host view).
//   transformer --devices-per-host 8                 one host, by itself
//   transformer --coordinator ADDR --rank R --layout tensor
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/examples/progress_bar.h"
#include "client/examples/transformer_layouts.h"
#include "client/examples/transformer_training.h"
#include "client/lockstep.h"

namespace lockstep::examples {
namespace {

constexpr int64_t kStepsPerLine = 10;

struct Flags {
  InitializeOptions host;
  TransformerOptions training;
  std::string loss_file;
};

absl::Status WriteLosses(const std::string& path,
                         const std::vector<double>& losses) {
  std::ofstream file(path);
  for (const double loss : losses) file << absl::StrFormat("%.9g\n", loss);
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": cannot be written"));
}

absl::Status Run(Flags flags) {
  LOCKSTEP_RETURN_IF_ERROR(Initialize(flags.host));
  const int64_t steps = flags.training.steps;
  ProgressBar bar(STDERR_FILENO);
  // All hosts have the same losses; one says them.
  flags.training.on_step = [&](int64_t step, double loss) {
    if (host_id() != 0) return;
    if (step % kStepsPerLine != 0 && step != steps) {
      return bar.Show(step, steps, absl::StrCat("step ", step, "/", steps));
    }
    bar.Clear();
    std::cout << absl::StrFormat("step %3d/%d  loss %.4f\n", step, steps, loss)
              << std::flush;
  };
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<double> losses,
                            TrainTransformer(flags.training));
  if (!flags.loss_file.empty()) {
    LOCKSTEP_RETURN_IF_ERROR(WriteLosses(flags.loss_file, losses));
  }
  return Shutdown();
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Trains a small language model on all devices of a cluster; one such\n"
      "program per host. Example: transformer --devices-per-host 8");
  Flags flags;
  TransformerOptions& training = flags.training;
  app.add_option("--coordinator", flags.host.coordinator_address,
                 "Be a host of this coordinator's cluster");
  app.add_option("--rank", flags.host.requested_rank, "The host id to ask for");
  app.add_option("--devices-per-host", flags.host.num_cpu_devices,
                 "Devices of this host (1)");
  app.add_option("--layout", training.layout, "How the model is split")
      ->capture_default_str()
      ->check(CLI::IsMember(TransformerLayoutNames()));
  app.add_option("--steps", training.steps, "The step to train up to")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  auto* checkpoint =
      app.add_option("--checkpoint", training.checkpoint,
                     "Save the state in this folder after the last step");
  app.add_flag("--resume", training.resumes,
               "Begin with the state in the folder, saved from any layout")
      ->needs(checkpoint);
  app.add_option("--loss-file", flags.loss_file,
                 "Write the loss of each step there, one a line");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(flags);
  if (status.ok()) return 0;
  std::cerr << "transformer: "
            << status.ToString(absl::StatusToStringMode::kWithNoExtraData)
            << std::endl;
  return 1;
}

}  // namespace
}  // namespace lockstep::examples

int main(int argc, char** argv) { return lockstep::examples::Main(argc, argv); }
