// lockstep inspect: what one StableHLO module takes and gives, and how its
// arrays are split, without compiling it.
#include <iostream>
#include <memory>
#include <string>

#include "client/cli/program_file.h"
#include "client/cli/program_report.h"
#include "client/cli/subcommand.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

struct InspectCommand {
  std::string program;
  bool is_json = false;
};

absl::Status Inspect(const InspectCommand& command) {
  ASSIGN_OR_RETURN(const ProgramFile program, ReadProgramFile(command.program));
  ASSIGN_OR_RETURN(const ProgramReport report, ReportOf(program));
  std::cout << (command.is_json ? ProgramJson(report) : ProgramTable(report))
            << std::flush;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineInspect(CLI::App& app) {
  auto command = std::make_shared<InspectCommand>();
  app.add_option("program", command->program,
                 "StableHLO, text or bytecode; \"-\" is standard input")
      ->required();
  app.add_flag("--json", command->is_json,
               "one JSON object instead of a table");
  return [command] { return Inspect(*command); };
}

}  // namespace lockstep::internal
