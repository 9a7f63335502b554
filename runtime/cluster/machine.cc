#include "runtime/cluster/machine.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string MachineId() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  char pids[64];
  const ssize_t length = readlink("/proc/self/ns/pid", pids, sizeof(pids));
  if (boot.empty() || length <= 0) return "";
  return absl::StrCat(boot, " ", std::string(pids, length));
}

bool ProcessHasEnded(int64_t pid) {
  if (pid <= 0) return false;
  if (kill(static_cast<pid_t>(pid), 0) != 0) return errno == ESRCH;
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  std::string stat;
  std::getline(file, stat);
  // "pid (name) state ...": the name may hold anything.
  const size_t end_of_name = stat.rfind(')');
  if (end_of_name == std::string::npos || end_of_name + 2 >= stat.size()) {
    return false;
  }
  const char state = stat[end_of_name + 2];
  return state == 'Z' || state == 'X';
}

}  // namespace lockstep::internal
