#ifndef LOCKSTEP_CLIENT_CLI_INTERRUPTION_H_
#define LOCKSTEP_CLIENT_CLI_INTERRUPTION_H_

#include <atomic>
#include <functional>
#include <thread>

#include "client/process/ready_pipe.h"

namespace lockstep::internal {

// Takes SIGINT, SIGTERM and SIGHUP, while it lives: the first one is handed to
// a callback on a thread of this object, the second ends the process at once.
// Create it before any other thread is started: threads inherit the mask.
// Writing to a closed pipe, or past the allowed size of a file, is an error
// from then on, not a signal.
class Interruption {
 public:
  explicit Interruption(std::function<void()> on_interrupt);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool was_interrupted() const { return was_interrupted_; }

 private:
  void Watch();

  const std::function<void()> on_interrupt_;
  std::atomic<bool> was_interrupted_ = false;
  UniqueFd signals_;
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_INTERRUPTION_H_
