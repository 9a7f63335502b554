#include "client/process/process_ref.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace lockstep::internal {
namespace {

// How often a process is looked at when no descriptor tells of its end.
constexpr absl::Duration kPollInterval = absl::Milliseconds(5);

// A file descriptor of a process: signals reach this life of the pid only, and
// it becomes readable when the process ends. -1 when there is none: no such
// process, or a kernel (before 5.3) or sandbox without such descriptors.
class PidFd {
 public:
  explicit PidFd(pid_t pid)
      : fd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  ~PidFd() {
    if (fd_ >= 0) close(fd_);
  }
  PidFd(const PidFd&) = delete;
  PidFd& operator=(const PidFd&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

}  // namespace

std::optional<ProcessRef> ProcessRef::Find(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  // Not by stream buffer iterators, which throw when the process ends
  // meanwhile.
  std::string text;
  std::getline(file, text, '\0');
  // The second field is the name in parentheses, which may hold anything.
  size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return std::nullopt;
  constexpr int kStartTime = 22;
  for (int i = 4; i < kStartTime; ++i) fields >> field;
  ProcessRef process{.pid = pid};
  if (!(fields >> process.start_ticks)) return std::nullopt;
  return process;
}

bool ProcessRef::IsAlive() const { return Find(pid) == *this; }

void ProcessRef::Signal(int signal) const {
  PidFd fd(pid);
  // The descriptor is of the process that IsAlive looks at next, or of an
  // earlier one.
  if (!IsAlive()) return;
  if (fd.get() >= 0 &&
      syscall(SYS_pidfd_send_signal, fd.get(), signal, nullptr, 0) == 0) {
    return;
  }
  kill(pid, signal);
}

bool ProcessRef::AwaitExit(absl::Time deadline) const {
  PidFd fd(pid);
  const bool tells_end = fd.get() >= 0;
  const absl::Duration longest = tells_end ? absl::Hours(1) : kPollInterval;
  while (IsAlive()) {
    absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return false;
    struct pollfd poll_fd = {fd.get(), POLLIN, 0};
    poll(&poll_fd, tells_end ? 1 : 0,
         static_cast<int>(absl::ToInt64Milliseconds(std::min(left, longest))) +
             1);
  }
  return true;
}

std::vector<ProcessRef> Terminate(absl::Span<const ProcessRef> processes,
                                  absl::Duration grace) {
  for (const ProcessRef& process : processes) {
    process.Signal(SIGTERM);
    process.Signal(SIGCONT);
  }
  absl::Time deadline = absl::Now() + grace;
  std::vector<ProcessRef> killed;
  for (const ProcessRef& process : processes) {
    if (process.AwaitExit(deadline)) continue;
    process.Signal(SIGKILL);
    killed.push_back(process);
  }
  for (const ProcessRef& process : killed) {
    process.AwaitExit(absl::InfiniteFuture());
  }
  return killed;
}

}  // namespace lockstep::internal
