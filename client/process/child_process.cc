#include "client/process/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/process/spawn.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// The ready pipe's number in the child.
constexpr int kReadyFd = 3;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

absl::StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("pipe: ", strerror(errno)));
  }
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

absl::StatusOr<UniqueFd> OpenForAppend(const std::string& path) {
  UniqueFd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (fd.is_open()) return fd;
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", path, ": ", strerror(errno)));
}

// One stream of the child: where it goes, and our end when it is captured.
struct Output {
  UniqueFd child;
  UniqueFd ours;
};

absl::StatusOr<Output> MakeOutput(const std::string& path, bool is_captured,
                                  int inherited) {
  Output output;
  if (is_captured) {
    ASSIGN_OR_RETURN(Pipe pipe, MakePipe());
    output.child = std::move(pipe.write);
    output.ours = std::move(pipe.read);
  } else if (!path.empty()) {
    ASSIGN_OR_RETURN(output.child, OpenForAppend(path));
  } else {
    output.child = UniqueFd(fcntl(inherited, F_DUPFD_CLOEXEC, 3));
  }
  if (!output.child.is_open()) {
    output.child = UniqueFd(open("/dev/null", O_WRONLY | O_CLOEXEC));
  }
  return output;
}

std::vector<std::string> Environment(const ChildProcess::Options& options) {
  auto added = options.environment;
  added.emplace_back(kReadyFdVariable, absl::StrCat(kReadyFd));
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool is_replaced = false;
    for (const auto& [name, value] : added) {
      is_replaced |= absl::StartsWith(*entry, name + "=");
    }
    if (!is_replaced) environment.push_back(*entry);
  }
  for (const auto& [name, value] : added) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  return environment;
}

}  // namespace

std::string ExitStatus::ToString() const {
  if (signal == 0) return absl::StrCat("exited with code ", code);
  return absl::StrCat("killed by signal ", signal, " (", strsignal(signal),
                      ")");
}

absl::StatusOr<ChildProcess> ChildProcess::Spawn(const Options& options) {
  ASSIGN_OR_RETURN(Pipe ready, MakePipe());
  ASSIGN_OR_RETURN(
      Output err,
      MakeOutput(options.stderr_path, options.captures_stderr, STDERR_FILENO));
  Output out;
  if (options.merges_stdout) {
    out.child = UniqueFd(fcntl(err.child.get(), F_DUPFD_CLOEXEC, 3));
  } else {
    ASSIGN_OR_RETURN(out, MakeOutput(options.stdout_path,
                                     options.captures_stdout, STDOUT_FILENO));
  }
  UniqueFd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnRequest request;
  request.arguments = options.arguments;
  request.environment = Environment(options);
  request.descriptors = {{STDIN_FILENO, null.get()},
                         {STDOUT_FILENO, out.child.get()},
                         {STDERR_FILENO, err.child.get()},
                         {kReadyFd, ready.write.get()}};
  request.dies_with_parent = options.dies_with_parent;
  request.has_own_session = options.has_own_session;
  absl::StatusOr<pid_t> pid = SpawnProcess(request);
  if (!pid.ok()) return Annotate(pid.status(), options.name);

  ChildProcess child;
  child.name_ = options.name;
  child.is_owned_ = true;
  child.ref_ = ProcessRef::Find(*pid).value_or(ProcessRef{.pid = *pid});
  child.ready_ = std::move(ready.read);
  child.stdout_ = std::move(out.ours);
  child.stderr_ = std::move(err.ours);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept {
  *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  if (is_owned_) Terminate(absl::ZeroDuration());
  name_ = std::move(other.name_);
  ref_ = other.ref_;
  is_owned_ = std::exchange(other.is_owned_, false);
  exit_status_ = other.exit_status_;
  ready_ = std::move(other.ready_);
  stdout_ = std::move(other.stdout_);
  stderr_ = std::move(other.stderr_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (is_owned_) Terminate(absl::ZeroDuration());
}

absl::StatusOr<std::string> ChildProcess::AwaitReady(absl::Time deadline) {
  absl::StatusOr<std::string> line = AwaitReadyLine(ready_.get(), deadline);
  if (line.ok()) return line;
  std::string message(line.status().message());
  if (absl::IsUnavailable(line.status())) {
    // The pipe closes a moment before the process ends.
    std::optional<ExitStatus> exit = AwaitExit(absl::Now() + absl::Seconds(2));
    if (exit.has_value()) absl::StrAppend(&message, ": ", exit->ToString());
  }
  return absl::Status(line.status().code(), absl::StrCat(name_, ": ", message));
}

std::optional<ExitStatus> ChildProcess::AwaitExit(absl::Time deadline) {
  if (exit_status_.has_value() || !is_owned_) return exit_status_;
  if (!ref_.AwaitExit(deadline)) return std::nullopt;
  int status = 0;
  pid_t reaped = waitpid(ref_.pid, &status, 0);
  ExitStatus exit;
  if (reaped == ref_.pid && WIFSIGNALED(status)) {
    exit.signal = WTERMSIG(status);
  } else if (reaped == ref_.pid) {
    exit.code = WEXITSTATUS(status);
  }
  exit_status_ = exit;
  return exit_status_;
}

void ChildProcess::Signal(int signal) {
  if (!exit_status_.has_value() && is_owned_) ref_.Signal(signal);
}

ExitStatus ChildProcess::Terminate(absl::Duration grace) {
  if (!is_owned_) return exit_status_.value_or(ExitStatus());
  if (grace > absl::ZeroDuration() && is_running()) {
    Signal(SIGTERM);
    Signal(SIGCONT);
    AwaitExit(absl::Now() + grace);
  }
  Signal(SIGKILL);
  return *AwaitExit(absl::InfiniteFuture());
}

ProcessRef ChildProcess::Detach() && {
  is_owned_ = false;
  return ref_;
}

absl::Status AwaitAllReady(std::vector<ChildProcess*> children,
                           absl::Time deadline) {
  while (!children.empty()) {
    std::vector<struct pollfd> fds;
    for (ChildProcess* child : children) {
      fds.push_back({child->ready_fd(), POLLIN, 0});
    }
    absl::Duration left = std::clamp(deadline - absl::Now(),
                                     absl::ZeroDuration(), absl::Hours(1));
    poll(fds.data(), fds.size(),
         static_cast<int>(absl::ToInt64Milliseconds(left)));
    bool is_late = absl::Now() >= deadline;
    std::vector<ChildProcess*> pending;
    for (size_t i = 0; i < children.size(); ++i) {
      if (fds[i].revents == 0 && !is_late) {
        pending.push_back(children[i]);
        continue;
      }
      RETURN_IF_ERROR(children[i]->AwaitReady(deadline).status());
    }
    children = std::move(pending);
  }
  return absl::OkStatus();
}

void TerminateAll(std::vector<ChildProcess>& children, absl::Duration grace) {
  for (ChildProcess& child : children) {
    child.Signal(SIGTERM);
    child.Signal(SIGCONT);
  }
  absl::Time deadline = absl::Now() + grace;
  for (ChildProcess& child : children) {
    if (!child.AwaitExit(deadline).has_value()) child.Signal(SIGKILL);
  }
  for (ChildProcess& child : children) child.AwaitExit(absl::InfiniteFuture());
}

}  // namespace lockstep::internal
