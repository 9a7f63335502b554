// lockstep run: one StableHLO module on a cluster, from .npy and .npz files to
// .npy files.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client/bench/launch_limits.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/cpu_target_option.h"
#include "client/cli/duration_option.h"
#include "client/cli/output_files.h"
#include "client/cli/profile_file.h"
#include "client/cli/profile_report.h"
#include "client/cli/program_file.h"
#include "client/cli/progress_line.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "client/client.h"
#include "client/profile/profile_json.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/program.h"

namespace lockstep::internal {
namespace {

struct RunOptions {
  std::string program;
  std::vector<std::string> inputs;
  std::string output_directory;
  std::string coordinator;
  SecurityOptions security;
  int hosts = 0;  // 0: on a running cluster
  int devices_per_host = 1;
  std::string platform;
  std::string backend;
  std::string cache_directory;
  absl::Duration deadline = absl::Seconds(30);
  bool prints = false;
  std::string profile;  // "": none
  int profile_launches = 3;
  int64_t profile_events = Client::ProfileOptions().most_events;
};

absl::Status CheckDevices(const ProgramFile& program, int available,
                          absl::string_view where) {
  if (program.device_count() <= available) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(program.path, ": expected at least ", program.device_count(),
                   " devices (", program.signature.replicas, " replicas x ",
                   program.signature.partitions, " partitions), found ",
                   available, " devices ", where));
}

absl::StatusOr<Client> Connect(const RunOptions& options,
                               const ProgramFile& program,
                               ProgressLine& progress) {
  if (options.hosts > 0) {
    progress.Show(absl::StrCat("starting ", options.hosts, " hosts ..."));
    return Client::Embedded({.hosts = options.hosts,
                             .devices_per_host = options.devices_per_host,
                             .platform = options.platform,
                             .backend = options.backend,
                             .cache_directory = options.cache_directory,
                             .deadline = options.deadline});
  }
  ASSIGN_OR_RETURN(std::string address,
                   CoordinatorAddress(options.coordinator));
  progress.Show(absl::StrCat("connecting to ", address, " ..."));
  ASSIGN_OR_RETURN(
      Client client,
      Client::Connect(
          address,
          {.name = absl::StrCat("lockstep run ", program.signature.name),
           .deadline = options.deadline,
           .security_directory = options.security.directory,
           .allow_insecure = options.security.is_insecure,
           .on_notice = [&](absl::string_view line) { progress.Show(line); }}));
  RETURN_IF_ERROR(CheckDevices(program, client.device_count(),
                               absl::StrCat("in the cluster at ", address)));
  return client;
}

// A program with what it runs on, and what it gave.
struct Execution {
  ClusterProgram program;
  std::vector<Array> arguments;
  std::vector<Literal> results;
};

absl::Duration LongestOf(const LaunchProfile& profile) {
  absl::Duration longest;
  for (const DeviceProfile& device : profile.devices) {
    longest = std::max(longest, device.duration);
  }
  return longest;
}

// Of several launches the one that took the middle time.
absl::StatusOr<LaunchProfile> TypicalProfile(
    const RunOptions& options, const Client& client,
    const ClusterProgram& program, const std::vector<Array>& arguments) {
  std::vector<LaunchProfile> profiles;
  for (int i = 0; i < options.profile_launches; ++i) {
    ASSIGN_OR_RETURN(profiles.emplace_back(),
                     client.Profile(program, arguments,
                                    {.most_events = options.profile_events}));
  }
  std::sort(profiles.begin(), profiles.end(), [](const auto& a, const auto& b) {
    return LongestOf(a) < LongestOf(b);
  });
  return std::move(profiles[(profiles.size() - 1) / 2]);
}

absl::Status Profile(const RunOptions& options, const Client& client,
                     const Execution& execution, ProfileFile& file,
                     ProgressLine& progress) {
  progress.Show("profiling ...");
  ASSIGN_OR_RETURN(
      const LaunchProfile profile,
      TypicalProfile(options, client, execution.program, execution.arguments));
  absl::StatusOr<LaunchLimits> measured =
      MeasureLaunchLimits(client, execution.program.devices);
  progress.Clear();
  // What the program took is known all the same.
  LaunchLimits limits;
  if (measured.ok()) {
    limits = *std::move(measured);
  } else {
    std::cerr << "what the devices reach is not known: "
              << measured.status().message() << std::endl;
  }
  RETURN_IF_ERROR(file.Write(ProfileJson(profile, limits)));
  std::cout << "\n" << ProfileReport(profile, limits) << std::flush;
  return absl::OkStatus();
}

absl::StatusOr<Execution> Execute(const Client& client,
                                  const ProgramFile& program,
                                  ProgramInputs inputs,
                                  ProgressLine& progress) {
  progress.Show(absl::StrCat("compiling and running ", program.signature.name,
                             " on ", program.device_count(), " devices ..."));
  Execution execution;
  ASSIGN_OR_RETURN(
      execution.program,
      client.LoadProgram(
          ProgramText(program.bytes, *program.module), program.signature,
          {.name = program.signature.name, .file_name = program.path}));
  for (Literal& literal : inputs.literals) {
    execution.arguments.emplace_back(std::move(literal));
  }
  ASSIGN_OR_RETURN(const std::vector<Array> results,
                   client.Run(execution.program, execution.arguments));
  for (size_t i = 0; i < results.size(); ++i) {
    ASSIGN_OR_RETURN(Literal literal, results[i].Fetch());
    ASSIGN_OR_RETURN(
        execution.results.emplace_back(),
        OutputInFile(program, i, inputs.is_stacked, std::move(literal)));
  }
  return execution;
}

void PrintResults(const RunOptions& options,
                  const std::vector<Literal>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& shape = results[i].shape();
    std::cout << options.output_directory << "/" << i
              << ".npy: " << NumpyName(shape.element_type()) << "["
              << DimsToString(shape.dims()) << "]";
    if (options.prints) std::cout << "\n" << ToString(results[i]);
    std::cout << std::endl;
  }
}

absl::Status Run(const RunOptions& options) {
  // Everything that can be wrong with the files, before anything starts.
  ASSIGN_OR_RETURN(ProgramFile program, ReadProgramFile(options.program));
  ASSIGN_OR_RETURN(ProgramInputs inputs, ReadInputs(program, options.inputs));
  if (options.hosts > 0) {
    RETURN_IF_ERROR(CheckDevices(program,
                                 options.hosts * options.devices_per_host,
                                 absl::StrCat("(", options.hosts, " hosts x ",
                                              options.devices_per_host, ")")));
  }
  ASSIGN_OR_RETURN(OutputFiles outputs,
                   OutputFiles::Create(options.output_directory));
  std::optional<ProfileFile> profile;
  if (!options.profile.empty()) {
    ASSIGN_OR_RETURN(ProfileFile file, ProfileFile::Create(options.profile));
    profile.emplace(std::move(file));
  }

  ProgressLine progress(STDERR_FILENO);
  ASSIGN_OR_RETURN(Client client, Connect(options, program, progress));
  ASSIGN_OR_RETURN(const Execution execution,
                   Execute(client, program, std::move(inputs), progress));
  progress.Clear();
  RETURN_IF_ERROR(outputs.Write(execution.results));
  PrintResults(options, execution.results);
  if (!profile.has_value()) return absl::OkStatus();
  return Profile(options, client, execution, *profile, progress);
}

}  // namespace

std::function<absl::Status()> DefineRun(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("program", options->program,
                 "StableHLO, text or bytecode; \"-\" is standard input")
      ->required();
  app.add_option(
         "--input", options->inputs,
         "a .npy file per argument, in order, or a .npz file for as many as "
         "it has arrays, in the order in which numpy.savez wrote them: the "
         "whole array where the module says how arrays are split among "
         "partitions (sdy, GSPMD); else, with mhlo.num_replicas = R (and P "
         "partitions), its leading "
         "dimension is R (R*P): row r goes to replica r")
      ->take_all()
      ->type_name("FILE");
  app.add_option("--output-dir", options->output_directory,
                 "results are written to DIR/0.npy, DIR/1.npy, ...: whole "
                 "arrays, or rows of replicas like the inputs")
      ->required()
      ->type_name("DIR");
  auto* coordinator = AddCoordinatorOption(app, options->coordinator);
  auto* security = AddSecurityOptions(app, options->security);
  auto* hosts = app.add_option("--hosts", options->hosts,
                               "run on a cluster of its own on this machine")
                    ->check(CLI::Range(1, 1024))
                    ->excludes(coordinator)
                    ->excludes(security);
  app.add_option("--devices-per-host", options->devices_per_host,
                 "devices of each host of --hosts")
      ->check(CLI::Range(1, 1024))
      ->needs(hosts);
  app.add_option("--platform", options->platform,
                 "kind of devices, cpu or cuda, with --hosts")
      ->needs(hosts);
  app.add_option("--backend", options->backend,
                 "what runs the program, with --hosts")
      ->needs(hosts);
  AddCacheDirectoryOption(app, options->cache_directory)->needs(hosts);
  AddCpuTargetOption(app)->needs(hosts);
  AddDurationOption(app, "--connect-deadline", options->deadline,
                    "how long to wait for a complete cluster");
  app.add_flag("--print", options->prints, "print the results as well");
  auto* profile = app.add_option(
      "--profile", options->profile,
      "runs the program again when its results are there, and writes what each "
      "thunk took to FILE, as JSON that Perfetto opens; prints those that took "
      "most");
  profile->type_name("FILE");
  app.add_option("--profile-launches", options->profile_launches,
                 "how many launches are profiled; FILE has the one that took "
                 "the middle time")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->needs(profile);
  app.add_option("--profile-events", options->profile_events,
                 "how many executions of thunks FILE shows one by one for each "
                 "device; sums have all of them")
      ->capture_default_str()
      ->check(CLI::Range(int64_t{0}, int64_t{10'000'000}))
      ->needs(profile);
  return [options] { return Run(*options); };
}

}  // namespace lockstep::internal
