#ifndef LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_
#define LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_

#include <atomic>
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

// Takes arrivals of a signal as news, from the first on until the program has
// gone on from the step at which it saves for that: neither the way there nor
// the save is cut short by another one. After that the signal does what it did
// before. A handler that the program had for it is called in any case. One
// object at a time in a process, and of that process alone: for its children
// the signal does what it did before.
class PreemptionSignal {
 public:
  // `on_signal` is called for each arrival, or once for several, on a thread of
  // this object, but not while the program saves for an earlier one. False:
  // there will be no step to save at, and the signal does what it did before.
  // Errors are those of the system, RESOURCE_EXHAUSTED where it has no
  // descriptor left; they leave the signal as it is.
  static absl::StatusOr<std::unique_ptr<PreemptionSignal>> Take(
      int signal, std::function<bool()> on_signal);
  // The signal does what it did before. Waits for `on_signal`.
  ~PreemptionSignal();
  // The program has come to a step; whether that is one to save at.
  void Reach(bool saves);
  PreemptionSignal(const PreemptionSignal&) = delete;
  PreemptionSignal& operator=(const PreemptionSignal&) = delete;

 private:
  // The program saves, and the signal had come before; it has gone on from
  // there, or will not save.
  enum class State { kListening, kSaving, kReleased };

  PreemptionSignal(int signal, std::function<bool()> on_signal);
  absl::Status Begin();
  void Release();
  void Restore();
  void Watch();

  const int signal_;
  const std::function<bool()> on_signal_;
  std::atomic<State> state_ = State::kListening;
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_PREEMPTION_SIGNAL_H_
