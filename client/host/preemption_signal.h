#ifndef LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_
#define LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/process/ready_pipe.h"

namespace lockstep::internal {

// A signal by its number, or by its name with or without "SIG"; "none" and "0"
// are 0. INVALID_ARGUMENT says why it cannot be one: there is no such signal,
// nobody can take it, the C library keeps it to itself, or it tells of the
// program's own faults.
absl::StatusOr<int> ParseSignal(const std::string& text);

// Takes the first arrival of a signal as news. A handler that the program had
// for it is called as well; the next arrival does what it did before. One
// object at a time in a process, and of that process alone: for its children
// the signal does what it did before.
class PreemptionSignal {
 public:
  // `on_signal` is called at most once, on a thread of this object. Errors are
  // those of the system, RESOURCE_EXHAUSTED where it has no descriptor left:
  // the signal does what it did before.
  static absl::StatusOr<std::unique_ptr<PreemptionSignal>> Take(
      int signal, std::function<void()> on_signal);
  // The signal does what it did before. Waits for `on_signal`.
  ~PreemptionSignal();
  PreemptionSignal(const PreemptionSignal&) = delete;
  PreemptionSignal& operator=(const PreemptionSignal&) = delete;

 private:
  PreemptionSignal(int signal, std::function<void()> on_signal);
  absl::Status Begin();
  void Watch();

  const int signal_;
  const std::function<void()> on_signal_;
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_
