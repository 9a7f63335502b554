#ifndef LOCKSTEP_CLIENT_PROCESS_CHILD_PROCESS_H_
#define LOCKSTEP_CLIENT_PROCESS_CHILD_PROCESS_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/process/process_ref.h"
#include "client/process/ready_pipe.h"

namespace lockstep::internal {

// How a process ended.
struct ExitStatus {
  int code = 0;    // of exit; 0 when a signal ended it
  int signal = 0;  // 0: none

  bool is_success() const { return code == 0 && signal == 0; }
  // "exited with code 1", "killed by signal 9 (Killed)".
  std::string ToString() const;
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// A process started by this one. The destructor kills it, unless detached, and
// always reaps it. Not thread-safe.
//
// The child inherits standard input (or /dev/null), output and error and no
// other descriptor. Its signal mask is empty and its handlers are the default
// ones.
class ChildProcess {
 public:
  struct Options {
    std::string name;                    // for messages: "worker 1"
    std::vector<std::string> arguments;  // [0] is the program's path
    // Added to this process's environment, or in place of what it has.
    std::vector<std::pair<std::string, std::string>> environment;
    // The child gets SIGKILL when this process ends, however it does.
    bool dies_with_parent = true;
    // A session of its own: signals of the terminal (^C, hang-up) pass it by.
    bool has_own_session = false;
    // Where its output goes, appended; "": where ours goes.
    std::string stdout_path;
    std::string stderr_path;
    // Standard output goes where standard error goes.
    bool merges_stdout = false;
    // Collects standard output instead: see ReadOutput.
    bool captures_stdout = false;
    bool captures_stderr = false;
  };

  // NOT_FOUND when the program cannot be executed, with errno's text.
  static absl::StatusOr<ChildProcess> Spawn(const Options& options);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  const std::string& name() const { return name_; }
  pid_t pid() const { return ref_.pid; }
  const ProcessRef& ref() const { return ref_; }

  // What the child says through its ReadySignal; a failure as "worker 1: ...".
  // UNAVAILABLE "worker 1: ended before it was ready: exited with code 2" when
  // it dies first.
  absl::StatusOr<std::string> AwaitReady(absl::Time deadline);

  int ready_fd() const { return ready_.get(); }

  // Reaps. None when it still runs at the deadline.
  std::optional<ExitStatus> AwaitExit(absl::Time deadline);
  std::optional<ExitStatus> exit_status() const { return exit_status_; }
  bool is_running() { return !AwaitExit(absl::InfinitePast()).has_value(); }

  void Signal(int signal);
  // SIGTERM, after `grace` SIGKILL; reaps.
  ExitStatus Terminate(absl::Duration grace);

  // The ends of captured pipes; -1 when not captured. Closed by the destructor.
  int stdout_fd() const { return stdout_.get(); }
  int stderr_fd() const { return stderr_.get(); }

  // Leaves it running for ever after this object's end.
  ProcessRef Detach() &&;

 private:
  ChildProcess() = default;

  std::string name_;
  ProcessRef ref_;
  bool is_owned_ = false;
  std::optional<ExitStatus> exit_status_;
  UniqueFd ready_;
  UniqueFd stdout_;
  UniqueFd stderr_;
};

// Waits until every child is ready. The first failure, of whichever child, ends
// the wait.
absl::Status AwaitAllReady(std::vector<ChildProcess*> children,
                           absl::Time deadline);

// SIGTERM to all at once, after `grace` SIGKILL to the rest; reaps all.
void TerminateAll(std::vector<ChildProcess>& children, absl::Duration grace);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_CHILD_PROCESS_H_
