#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_PROCESS_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/conformance/message_pipe.h"

namespace lockstep::internal {

// A forked copy of this process that serves requests until its pipe closes. It
// cannot outlive its parent; the destructor kills it. Started only by a process
// without other threads. Used by one thread.
class WorkerProcess {
 public:
  // Runs in the child: reads requests from the pipe and writes answers.
  using ServeFn = std::function<void(MessagePipe&)>;

  // The child may use `memory_limit` bytes of address space; 0: any.
  static absl::StatusOr<std::unique_ptr<WorkerProcess>> Start(
      const ServeFn& serve, int64_t memory_limit);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  MessagePipe& pipe() { return pipe_; }

  // Kills it if it still runs, and says how it ended: "signal 11 (Segmentation
  // fault)", with the last line that it wrote to its standard error.
  std::string End();

 private:
  WorkerProcess(pid_t pid, int error_fd, MessagePipe pipe)
      : pid_(pid), error_fd_(error_fd), pipe_(std::move(pipe)) {}

  pid_t pid_;
  const int error_fd_;
  MessagePipe pipe_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_PROCESS_H_
