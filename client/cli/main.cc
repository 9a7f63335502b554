// The `lockstep` program: a table of commands, one file each.
#include <iostream>

#include "client/cli/command_line.h"
#include "client/cli/subcommand.h"

int main(int argc, char** argv) {
  using namespace lockstep;
  static const Subcommand kCommands[] = {
      {"up", "Starts a cluster on this machine, in the background",
       "lockstep up --hosts 2 --devices-per-host 4", DefineUp},
      {"down", "Ends the cluster that `up` started", "lockstep down",
       DefineDown},
      {"status", "Shows the hosts of a cluster and what they are doing",
       "lockstep status --json", DefineStatus},
      {"version", "Prints the version", "lockstep version", DefineVersion},
  };
  return RunCommandLine(kCommands, argc, argv, std::cout, std::cerr);
}
