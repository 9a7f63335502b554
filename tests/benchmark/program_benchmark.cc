// How long one launch of a StableHLO program takes on the devices of this
// process, from the host view: program_benchmark FILE.mlir INPUT.npy... Times
// are medians, of launches that are waited for and of launches that follow each
// other. A program with shardings is split among its partitions, and its inputs
// are whole arrays; another one runs on one device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/time/clock.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/passes/op_cost.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/types/npy.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"
#include "tests/partition/shard_cutting.h"

namespace lockstep::internal {
namespace {

struct Flags {
  std::string program;
  std::vector<std::string> inputs;
  std::string backend;
  std::string first_result;  // where it is written; "": nowhere
  int launches = 10;
  int devices = 1;
};

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

absl::Status AwaitAll(const ShardLists& results) {
  for (const auto& device : results) {
    for (const auto& result : device) RETURN_IF_ERROR(result->Await());
  }
  return absl::OkStatus();
}

// Says for how many devices the program is; splits one with shardings.
absl::StatusOr<std::optional<ProgramLayout>> Split(ProgramSpec& spec) {
  ASSIGN_OR_RETURN(std::unique_ptr<Module> module,
                   ParseAndVerify(spec.text, spec.name));
  ASSIGN_OR_RETURN(const std::optional<ProgramLayout> layout,
                   PartitionModule(*module));
  int32_t partitions = 1;
  if (layout.has_value()) {
    ASSIGN_OR_RETURN(partitions, module->PartitionCount());
    double bytes = 0;
    for (const auto& op : (*module->EntryFunction())->body().ops()) {
      bytes += EstimateCost(*op).bytes_sent;
    }
    std::printf("sent_bytes %.0f\n", bytes);
    spec.module = std::move(module);
  }
  spec.assignment = DeviceAssignment::Iota(1, partitions);
  return layout;
}

absl::StatusOr<ShardLists> PutInputs(
    Worker& worker, const LoadedProgram& program, const Flags& flags,
    const std::optional<ProgramLayout>& layout) {
  const std::vector<GlobalDeviceId>& devices = program.local_devices();
  ShardLists arguments(devices.size());
  for (size_t i = 0; i < flags.inputs.size(); ++i) {
    ASSIGN_OR_RETURN(const Literal input, ReadNpyFile(flags.inputs[i]));
    for (size_t device = 0; device < devices.size(); ++device) {
      Literal shard = input;
      if (layout.has_value() && i < layout->arguments.size()) {
        ASSIGN_OR_RETURN(shard,
                         CutShard(input, layout->arguments[i], layout->mesh,
                                  static_cast<int64_t>(device)));
      }
      ASSIGN_OR_RETURN(arguments[device].emplace_back(),
                       worker.Put(std::move(shard), devices[device]));
    }
  }
  return arguments;
}

absl::Status RunOnce(Worker& worker,
                     const std::shared_ptr<LoadedProgram>& program,
                     const ShardLists& arguments) {
  ASSIGN_OR_RETURN(const ShardLists results, worker.Launch(program, arguments));
  return AwaitAll(results);
}

// Milliseconds of each of several launches, of which only the last is waited
// for; the first of them, queued, shows what the host takes.
absl::Status RunInARow(Worker& worker,
                       const std::shared_ptr<LoadedProgram>& program,
                       const ShardLists& arguments, int launches) {
  const absl::Time start = absl::Now();
  ShardLists results;
  for (int i = 0; i < launches; ++i) {
    ASSIGN_OR_RETURN(results, worker.Launch(program, arguments));
  }
  const absl::Duration queued = absl::Now() - start;
  RETURN_IF_ERROR(AwaitAll(results));
  std::printf("row_ms %.3f\nqueued_ms %.3f\n",
              absl::ToDoubleMilliseconds(absl::Now() - start) / launches,
              absl::ToDoubleMilliseconds(queued) / launches);
  return absl::OkStatus();
}

absl::Status Main(const Flags& flags) {
  Worker::Options options;
  if (!flags.backend.empty()) options.backend = flags.backend;
  options.local_device_count = flags.devices;
  ASSIGN_OR_RETURN(const auto worker,
                   Worker::Create(std::move(options),
                                  std::make_unique<LocalControlPlane>()));
  ProgramSpec spec;
  spec.name = flags.program;
  ASSIGN_OR_RETURN(spec.text, ReadText(flags.program));
  const absl::Time loading = absl::Now();
  ASSIGN_OR_RETURN(const std::optional<ProgramLayout> layout, Split(spec));
  ASSIGN_OR_RETURN(const auto program, worker->Load(std::move(spec)));
  const absl::Duration compile = absl::Now() - loading;
  ASSIGN_OR_RETURN(const ShardLists arguments,
                   PutInputs(*worker, *program, flags, layout));
  ASSIGN_OR_RETURN(const ShardLists first, worker->Launch(program, arguments));
  RETURN_IF_ERROR(AwaitAll(first));
  if (!flags.first_result.empty() && !first[0].empty()) {
    ASSIGN_OR_RETURN(const Literal value, FetchLiteral(*first[0][0]));
    RETURN_IF_ERROR(WriteNpyFile(flags.first_result, value));
  }
  std::vector<double> times;
  for (int i = 0; i < flags.launches; ++i) {
    const absl::Time start = absl::Now();
    RETURN_IF_ERROR(RunOnce(*worker, program, arguments));
    times.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  std::sort(times.begin(), times.end());
  std::printf("compile_ms %.1f\nlaunch_ms %.3f\nlaunch_ms_min %.3f\n",
              absl::ToDoubleMilliseconds(compile), times[times.size() / 2],
              times.front());
  RETURN_IF_ERROR(RunInARow(*worker, program, arguments, flags.launches));
  return worker->Shutdown();
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  lockstep::internal::Flags flags;
  CLI::App app("times one StableHLO program on the devices of a process");
  app.add_option("program", flags.program, "StableHLO text")->required();
  app.add_option("inputs", flags.inputs, "one .npy file per argument");
  app.add_option("--backend", flags.backend, "the worker's default");
  app.add_option("--first-result", flags.first_result,
                 "where the first result is written, as .npy");
  app.add_option("--devices", flags.devices, "how many there are")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--launches", flags.launches)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = lockstep::internal::Main(flags);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", lockstep::internal::StatusLine(status).c_str());
  return 1;
}
