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
      {"version", "Prints the version", "lockstep version", DefineVersion},
  };
  return RunCommandLine(kCommands, argc, argv, std::cout, std::cerr);
}
