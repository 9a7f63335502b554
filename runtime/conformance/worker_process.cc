#include "runtime/conformance/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

// A sanitizer reserves terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

[[noreturn]] void ServeAsChild(const WorkerProcess::ServeFn& serve,
                               int64_t memory_limit, pid_t parent, int error_fd,
                               MessagePipe pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (memory_limit > 0 && kLimitsMemory) {
    const struct rlimit limit = {static_cast<rlim_t>(memory_limit),
                                 static_cast<rlim_t>(memory_limit)};
    // Not of addresses: drivers of accelerators reserve many.
    setrlimit(RLIMIT_DATA, &limit);
  }
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(error_fd, STDERR_FILENO);
  serve(pipe);
  _exit(0);
}

// The last line with text in it, of at most the last 4 KiB.
std::string LastLine(int fd) {
  const off_t size = lseek(fd, 0, SEEK_END);
  char buffer[4096];
  const off_t length = std::min<off_t>(size, sizeof(buffer));
  const ssize_t n = pread(fd, buffer, length, size - length);
  if (n <= 0) return "";
  std::vector<absl::string_view> lines = absl::StrSplit(
      absl::string_view(buffer, n), '\n', absl::SkipWhitespace());
  return lines.empty() ? "" : std::string(lines.back());
}

std::string HowItEnded(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return absl::StrCat("signal ", signal, " (", strsignal(signal), ")");
  }
  return absl::StrCat("exit code ", WEXITSTATUS(wait_status));
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(
    const ServeFn& serve, int64_t memory_limit) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return absl::ErrnoToStatus(errno, "socketpair");
  }
  MessagePipe ours(ends[0]);
  MessagePipe theirs(ends[1]);
  const int error_fd = memfd_create("worker-stderr", MFD_CLOEXEC);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    ours.Close();
    ServeAsChild(serve, memory_limit, parent, error_fd, std::move(theirs));
  }
  if (pid < 0) {
    close(error_fd);
    return absl::ErrnoToStatus(errno, "fork");
  }
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(pid, error_fd, std::move(ours)));
}

WorkerProcess::~WorkerProcess() {
  End();
  if (error_fd_ >= 0) close(error_fd_);
}

std::string WorkerProcess::End() {
  if (pid_ < 0) return "";
  // One that is ending by itself keeps its own cause.
  kill(pid_, SIGKILL);
  int wait_status = 0;
  while (waitpid(pid_, &wait_status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  pipe_.Close();
  const std::string line = LastLine(error_fd_);
  return absl::StrCat(HowItEnded(wait_status), line.empty() ? "" : ": ", line);
}

}  // namespace lockstep::internal
