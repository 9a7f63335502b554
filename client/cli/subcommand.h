#ifndef LOCKSTEP_CLIENT_CLI_SUBCOMMAND_H_
#define LOCKSTEP_CLIENT_CLI_SUBCOMMAND_H_

#include <functional>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"

namespace lockstep::internal {

// A command of the program: one row of the table in main.cc, defined in the
// file of its name.
struct Subcommand {
  const char* name;
  const char* summary;
  const char* example;  // stands at the end of its help

  // Adds options to `app`, and returns what to run when they are parsed. The
  // closure owns what the options write to.
  std::function<absl::Status()> (*define)(CLI::App& app);
};

std::function<absl::Status()> DefineArrays(CLI::App& app);
std::function<absl::Status()> DefineBench(CLI::App& app);
std::function<absl::Status()> DefineBenchCollectives(CLI::App& app);
std::function<absl::Status()> DefineBenchDevice(CLI::App& app);
std::function<absl::Status()> DefineCompile(CLI::App& app);
std::function<absl::Status()> DefineConformance(CLI::App& app);
std::function<absl::Status()> DefineCoordinator(CLI::App& app);
std::function<absl::Status()> DefineCredentials(CLI::App& app);
std::function<absl::Status()> DefineDevices(CLI::App& app);
std::function<absl::Status()> DefineDown(CLI::App& app);
std::function<absl::Status()> DefineInspect(CLI::App& app);
std::function<absl::Status()> DefinePreempt(CLI::App& app);
std::function<absl::Status()> DefineRun(CLI::App& app);
std::function<absl::Status()> DefineStatus(CLI::App& app);
std::function<absl::Status()> DefineUp(CLI::App& app);
std::function<absl::Status()> DefineVersion(CLI::App& app);
std::function<absl::Status()> DefineWorker(CLI::App& app);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_SUBCOMMAND_H_
