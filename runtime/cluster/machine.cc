#include "runtime/cluster/machine.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

namespace {

// The start of the machine, and one of this process's namespaces.
std::string IdOfNamespace(const char* path) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  char name[64];
  const ssize_t length = readlink(path, name, sizeof(name));
  if (boot.empty() || length <= 0) return "";
  return absl::StrCat(boot, " ", std::string(name, length));
}

}  // namespace

std::string MachineId() { return IdOfNamespace("/proc/self/ns/pid"); }

std::string NetworkId() { return IdOfNamespace("/proc/self/ns/net"); }

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
