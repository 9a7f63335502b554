// The `lockstep` program: a table of commands, one file each.
#include <iostream>

#include "client/cli/command_line.h"
#include "client/cli/subcommand.h"
#include "proto/callback_threads.h"
#include "runtime/base/lock_order.h"

int main(int argc, char** argv) {
  using namespace lockstep::internal;
  static const Subcommand kCommands[] = {
      {"up", "Starts a cluster on this machine, in the background",
       "lockstep up --hosts 2 --devices-per-host 4", DefineUp},
      {"down", "Ends the cluster that `up` started", "lockstep down",
       DefineDown},
      {"status", "Shows the hosts of a cluster and what they are doing",
       "lockstep status --json", DefineStatus},
      {"arrays", "Shows the arrays of a cluster and where they lie",
       "lockstep arrays weights --svg > weights.svg", DefineArrays},
      {"preempt",
       "Has programs of the host view save, before a host is taken away",
       "lockstep preempt gpu03", DefinePreempt},
      {"run", "Runs a StableHLO module on a cluster",
       "lockstep run step.mlir --input x.npy --input y.npy --output-dir out "
       "--hosts 2 --devices-per-host 4",
       DefineRun},
      {"compile", "Compiles a StableHLO module and shows what becomes of it",
       "lockstep compile step.mlir --dump passes --explain", DefineCompile},
      {"inspect",
       "Shows what a StableHLO module takes and gives, and how it is split",
       "lockstep inspect step.mlir --json", DefineInspect},
      {"conformance", "Runs a suite of test programs and reports by op",
       "lockstep conformance stablehlo/testdata --json report.json",
       DefineConformance},
      {"coordinator", "Runs the process that brings the hosts together",
       "lockstep coordinator --listen 127.0.0.1:55527 --expected-hosts 2",
       DefineCoordinator},
      {"worker", "Runs the process that serves one host",
       "lockstep worker --coordinator 127.0.0.1:55527 --devices 4",
       DefineWorker},
      {"devices", "Shows the devices of this machine, and what is missing",
       "lockstep devices --json", DefineDevices},
      {"bench", "Measures devices, or collectives of a cluster",
       "lockstep bench device --platform cuda\n"
       "  lockstep bench collectives --op all_gather --hosts 4",
       DefineBench},
      {"credentials",
       "Makes certificates and tokens for a cluster of several machines",
       "lockstep credentials ~/cluster-credentials", DefineCredentials},
      {"version", "Prints the version", "lockstep version", DefineVersion},
  };
  DropLockOrderChecks();
  UseOneCallbackThread();
  return RunCommandLine(kCommands, argc, argv, std::cout, std::cerr);
}
