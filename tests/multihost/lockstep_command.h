#ifndef LOCKSTEP_TESTS_MULTIHOST_LOCKSTEP_COMMAND_H_
#define LOCKSTEP_TESTS_MULTIHOST_LOCKSTEP_COMMAND_H_

#include <map>
#include <string>
#include <vector>

#include "client/process/child_process.h"

namespace lockstep::internal {

// What a finished command said.
struct CommandResult {
  ExitStatus exit;
  std::string out;
  std::string err;
};

// The program under test, from the test's runfiles.
std::string LockstepPath();

// A process of `lockstep ARGUMENTS...` in this test's environment, changed by
// `environment`. Output goes to the test's log unless captured. `prefix`: what
// stands before the command.
ChildProcess StartLockstep(const std::string& name,
                           std::vector<std::string> arguments,
                           bool captures_output = false,
                           std::vector<std::string> prefix = {},
                           std::map<std::string, std::string> environment = {});

// Runs `lockstep ARGUMENTS...` to its end. A test that waits for ever is ended
// by its own time limit, and its children with it.
CommandResult RunLockstep(std::vector<std::string> arguments,
                          std::map<std::string, std::string> environment = {});

// Reads the captured output of a process until it ends.
CommandResult Finish(ChildProcess& process);

// Up to the next line's end, without it; "": the output has ended before one.
std::string ReadLine(int fd);

// The processes that this test started, children of children too, and that
// still run: "pid: command line". They carry an environment variable.
std::vector<std::string> LeftProcesses();

// Whether something accepts connections at an address like "127.0.0.1:41234".
bool IsListening(const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_LOCKSTEP_COMMAND_H_
