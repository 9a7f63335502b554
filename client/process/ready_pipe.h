#ifndef LOCKSTEP_CLIENT_PROCESS_READY_PIPE_H_
#define LOCKSTEP_CLIENT_PROCESS_READY_PIPE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// A file descriptor that is closed when this goes. Movable.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int Release();
  void Reset();

 private:
  int fd_ = -1;
};

// The variable that tells a child the number of its ready pipe.
inline constexpr char kReadyFdVariable[] = "LOCKSTEP_READY_FD";

// The child's end: says once whether start-up worked. Nothing is said when the
// process was not started with a pipe. Owned by the child's main.
class ReadySignal {
 public:
  // Takes the descriptor over and removes the variable, so that the child's
  // own children do not inherit it.
  static ReadySignal FromEnvironment();

  // Whether there is a pipe, and nothing was said yet.
  bool is_awaited() const { return fd_.is_open(); }
  // `detail` is for the parent: "127.0.0.1:4711". The first call counts.
  void Ready(absl::string_view detail);
  void Failed(const absl::Status& status);

 private:
  void Write(absl::string_view line);
  UniqueFd fd_;
};

// The parent's end: waits for what the child says. The detail of Ready; the
// status of Failed; UNAVAILABLE when the child closed its end (died) silently;
// DEADLINE_EXCEEDED.
absl::StatusOr<std::string> AwaitReadyLine(int fd, absl::Time deadline);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_READY_PIPE_H_
