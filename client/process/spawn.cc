#include "client/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "client/process/ready_pipe.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

// What getdents64 writes.
struct DirectoryEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

// Marks this process's open descriptors from `first` on. Kernels before 5.11,
// and some sandboxes, have no close_range that does.
bool CloseOnExecFrom(int first) {
  if (close_range(first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return true;
  // Not by opendir, which allocates.
  const int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (directory < 0) return false;
  alignas(DirectoryEntry) char entries[4096];
  long size = 0;
  while ((size = syscall(SYS_getdents64, directory, entries, sizeof entries)) >
         0) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(entries + at);
      at += entry->size;
      int fd = 0;
      const char* digit = entry->name;
      for (; *digit >= '0' && *digit <= '9'; ++digit) {
        fd = 10 * fd + (*digit - '0');
      }
      if (digit != entry->name && fd >= first) fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
  }
  close(directory);
  return size == 0;
}

// Puts every descriptor in its place and marks the rest close-on-exec. Sources
// were moved above all targets by the parent, so none is overwritten.
bool ArrangeDescriptors(const std::vector<std::pair<int, int>>& descriptors) {
  int highest = 2;
  for (const auto& [target, source] : descriptors) {
    if (dup2(source, target) < 0) return false;
    highest = std::max(highest, target);
  }
  return CloseOnExecFrom(highest + 1);
}

void ResetSignals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Between fork and exec. Reports errno through `error_fd` when it fails.
[[noreturn]] void RunChild(const SpawnRequest& request, pid_t parent,
                           char* const* arguments, char* const* environment,
                           int error_fd) {
  ResetSignals();
  if (request.has_own_session) setsid();
  bool is_orphan = false;
  if (request.dies_with_parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    is_orphan = getppid() != parent;  // it ended before prctl
  }
  if (!is_orphan && ArrangeDescriptors(request.descriptors)) {
    execve(arguments[0], arguments, environment);
  }
  int error = errno;
  if (write(error_fd, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

// Above every target, so that the child's dup2 calls cannot collide.
constexpr int kFirstMovedFd = 64;

absl::StatusOr<pid_t> ForkAndExec(SpawnRequest request) {
  std::vector<UniqueFd> moved;
  for (auto& [target, source] : request.descriptors) {
    moved.emplace_back(fcntl(source, F_DUPFD_CLOEXEC, kFirstMovedFd));
    source = moved.back().get();
  }
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("pipe: ", strerror(errno)));
  }
  UniqueFd error_read(error_pipe[0]);
  UniqueFd error_write(fcntl(error_pipe[1], F_DUPFD_CLOEXEC, kFirstMovedFd));
  close(error_pipe[1]);

  std::vector<char*> arguments = Pointers(request.arguments);
  std::vector<char*> environment = Pointers(request.environment);
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("fork: ", strerror(errno)));
  }
  if (pid == 0) {
    RunChild(request, parent, arguments.data(), environment.data(),
             error_write.get());
  }
  error_write.Reset();
  int error = 0;
  if (read(error_read.get(), &error, sizeof error) == sizeof error) {
    waitpid(pid, nullptr, 0);
    return absl::NotFoundError(absl::StrCat(
        "cannot execute ", request.arguments[0], ": ", strerror(error)));
  }
  return pid;
}

}  // namespace

absl::StatusOr<pid_t> SpawnProcess(const SpawnRequest& request) {
  static ThreadPool* const spawner = new ThreadPool("spawn", 1);
  absl::StatusOr<pid_t> pid;
  absl::Notification done;
  spawner->Schedule([&] {
    pid = ForkAndExec(request);
    done.Notify();
  });
  done.WaitForNotification();
  return pid;
}

}  // namespace lockstep::internal
