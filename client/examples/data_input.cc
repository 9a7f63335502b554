// Adds up the numbers of all .npy files of a folder: every host reads files of
// its own, ahead of the devices, and each step sums a batch that has rows of
// all hosts.
//   data_input FOLDER --make 8                   files to try it with
//   data_input FOLDER                            a cluster of one
//   data_input FOLDER --coordinator ADDR --rank R   one host of a cluster
// Any number of hosts gives the same total, of the same number of rows.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/examples/row_batches.h"
#include "client/lockstep.h"

namespace lockstep::examples {
namespace {

struct Flags {
  std::string folder;
  std::optional<int> make;
  std::string coordinator;
  std::optional<int> rank;
  std::optional<int> devices_per_host;
  int64_t batch_size = 32;
  int epochs = 1;
  std::optional<uint64_t> seed;
};

// What the steps of an epoch have in common.
struct Input {
  FileSet files;
  NamedSharding sharding;  // of a batch: its rows over all devices
  int64_t batch_rows = 0;  // of all hosts
  int64_t host_rows = 0;   // of them, those of this one
};

absl::StatusOr<std::vector<std::string>> NpyFiles(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".npy") paths.push_back(entry->path());
  }
  if (!error) return paths;
  return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
}

absl::StatusOr<FileSet> FilesOf(const Flags& flags, const DataLayout& layout) {
  LOCKSTEP_ASSIGN_OR_RETURN(std::vector<std::string> paths,
                            NpyFiles(flags.folder));
  absl::StatusOr<FileSet> files =
      FileSet::Create(std::move(paths), layout, {.shuffle_seed = flags.seed});
  if (files.ok()) return files;
  return absl::Status(
      files.status().code(),
      absl::StrCat(flags.folder, ": ", files.status().message()));
}

// All hosts see the same files, or all fail.
absl::StatusOr<FileSet> AgreeOnFiles(const Flags& flags,
                                     const DataLayout& layout) {
  absl::StatusOr<FileSet> files = FilesOf(flags, layout);
  LOCKSTEP_RETURN_IF_ERROR(assert_equal(files.ok()
                                            ? Array({files->Fingerprint()})
                                            : Array::Failed(files.status())));
  return files;
}

absl::StatusOr<Input> OpenInput(const Flags& flags) {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Partitioner partitioner,
      Partitioner::Create({.num_partitions = 1}, World(devices()),
                          HostId(host_id())));
  LOCKSTEP_ASSIGN_OR_RETURN(const DataLayout layout,
                            partitioner.GetDataLayout(flags.batch_size));
  LOCKSTEP_ASSIGN_OR_RETURN(FileSet files, AgreeOnFiles(flags, layout));
  LOCKSTEP_ASSIGN_OR_RETURN(
      NamedSharding sharding,
      NamedSharding::Create(partitioner.mesh(),
                            partitioner.DataPartitionSpec()));
  return Input{std::move(files), std::move(sharding), layout.batch_size,
               layout.batch_size / layout.num_shards};
}

// The batches of the host that has most: the others fill up, so that all make
// the same calls.
absl::StatusOr<int64_t> AgreeOnSteps(const absl::StatusOr<RowCount>& count,
                                     int64_t host_rows) {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Array of_hosts,
      process_allgather(count.ok()
                            ? Array({(count->rows + host_rows - 1) / host_rows})
                            : Array::Failed(count.status())));
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<int64_t> steps,
                            of_hosts.ToVector<int64_t>());
  return *std::max_element(steps.begin(), steps.end());
}

// This host's batch of a step; with its error in the place of the rows, which
// gives it to all hosts.
RowBatch NextBatch(Prefetcher<RowBatch>& prefetcher, int64_t rows,
                   int64_t columns) {
  absl::StatusOr<std::optional<RowBatch>> next = prefetcher.Next();
  RowBatch batch = EmptyBatch(rows, columns);
  if (!next.ok()) {
    batch.rows = Array::Failed(next.status());
  } else if (next->has_value()) {
    batch = **std::move(next);
  }
  return batch;
}

// Over the rows of all hosts, still being computed.
struct StepSums {
  Array numbers;
  Array weights;  // how many rows there are
};

struct EpochSums {
  double numbers = 0;
  double weights = 0;
};

absl::StatusOr<StepSums> SumsOfStep(const Input& input, int64_t columns,
                                    const RowBatch& batch) {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Array rows,
      make_array_from_process_local_data(input.sharding, batch.rows,
                                         {{input.batch_rows, columns}}));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Array weights,
      make_array_from_process_local_data(input.sharding, batch.weights,
                                         {{input.batch_rows, 1}}));
  return StepSums{sum(rows * weights), sum(weights)};
}

absl::StatusOr<double> ValueOf(const Array& scalar) {
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<float> value,
                            scalar.ToVector<float>());
  return value[0];
}

absl::StatusOr<EpochSums> SumsOfEpoch(const Input& input, int64_t epoch) {
  const std::vector<std::string> paths = input.files.PathsOfEpoch(epoch);
  const absl::StatusOr<RowCount> count = CountRows(paths);
  LOCKSTEP_ASSIGN_OR_RETURN(const int64_t steps,
                            AgreeOnSteps(count, input.host_rows));
  RowBatches batches(paths, input.host_rows, count->columns);
  Prefetcher<RowBatch> prefetcher([&batches] { return batches.Next(); });
  std::vector<StepSums> sums;
  for (int64_t step = 0; step < steps; ++step) {
    LOCKSTEP_ASSIGN_OR_RETURN(
        sums.emplace_back(),
        SumsOfStep(input, count->columns,
                   NextBatch(prefetcher, input.host_rows, count->columns)));
  }
  EpochSums total;
  for (const StepSums& step : sums) {
    LOCKSTEP_ASSIGN_OR_RETURN(const double numbers, ValueOf(step.numbers));
    LOCKSTEP_ASSIGN_OR_RETURN(const double weights, ValueOf(step.weights));
    total.numbers += numbers;
    total.weights += weights;
  }
  return total;
}

absl::Status RunEpochs(const Flags& flags) {
  LOCKSTEP_ASSIGN_OR_RETURN(const Input input, OpenInput(flags));
  for (int epoch = 0; epoch < flags.epochs; ++epoch) {
    LOCKSTEP_ASSIGN_OR_RETURN(const EpochSums sums, SumsOfEpoch(input, epoch));
    std::cout << absl::StrFormat("epoch %d: total %.17g of %.17g rows\n", epoch,
                                 sums.numbers, sums.weights)
              << std::flush;
  }
  return absl::OkStatus();
}

// Files of 1, 8, 15, .. rows of the numbers 0, 1, .. 6 in turn: sums of them
// are exact in any order.
absl::Status MakeFiles(const std::string& folder, int count) {
  constexpr int64_t kColumns = 3;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  }
  int64_t next = 0;
  for (int file = 0; file < count; ++file) {
    const int64_t rows = 1 + 7 * static_cast<int64_t>(file);
    std::vector<float> values(static_cast<size_t>(rows * kColumns));
    for (float& value : values) value = static_cast<float>(next++ % 7);
    LOCKSTEP_ASSIGN_OR_RETURN(const Array array,
                              Array::FromValues({rows, kColumns}, values));
    LOCKSTEP_RETURN_IF_ERROR(
        save_npy(absl::StrFormat("%s/rows_%03d.npy", folder, file), array));
  }
  return absl::OkStatus();
}

absl::Status Run(const Flags& flags) {
  if (flags.make.has_value()) return MakeFiles(flags.folder, *flags.make);
  LOCKSTEP_RETURN_IF_ERROR(
      Initialize({.coordinator_address = flags.coordinator,
                  .requested_rank = flags.rank,
                  .num_cpu_devices = flags.devices_per_host}));
  const absl::Status status = RunEpochs(flags);
  if (status.ok()) return Shutdown();
  return absl::Status(status.code(),
                      absl::StrCat("host ", host_id(), ": ", status.message()));
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Adds up the numbers of all .npy files of a folder, each read by one "
      "host of a cluster.\nExample: data_input /tmp/rows --make 8; data_input "
      "/tmp/rows --devices-per-host 4");
  Flags flags;
  app.add_option("folder", flags.folder, "Where the files are")->required();
  app.add_option("--make", flags.make, "Write so many files there instead")
      ->check(CLI::Range(1, 1000));
  app.add_option("--coordinator", flags.coordinator,
                 "Be a host of this coordinator's cluster; none: of the one in "
                 "LOCKSTEP_COORDINATOR, else a cluster of one");
  app.add_option("--rank", flags.rank, "The host id to ask for");
  app.add_option("--devices-per-host", flags.devices_per_host,
                 "Devices of this host");
  app.add_option("--batch-size", flags.batch_size,
                 "Rows of a step, of all hosts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--epochs", flags.epochs, "Times through all files")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--shuffle-seed", flags.seed,
                 "Files in another order, and on other hosts, every epoch");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(flags);
  if (status.ok()) return 0;
  std::cerr << "data_input: "
            << status.ToString(absl::StatusToStringMode::kWithNoExtraData)
            << std::endl;
  return 1;
}

}  // namespace
}  // namespace lockstep::examples

int main(int argc, char** argv) { return lockstep::examples::Main(argc, argv); }
