#ifndef LOCKSTEP_RUNTIME_CALLBACKS_CALLBACK_SCOPE_H_
#define LOCKSTEP_RUNTIME_CALLBACKS_CALLBACK_SCOPE_H_

#include <string>

#include "absl/status/status.h"

namespace lockstep::internal {

// While it lives, this thread is within a callback: the launch that calls it,
// and all that comes behind on its device, waits for the thread.
class CallbackScope {
 public:
  // `callback` ("train.cc:12: io_callback") outlives the scope.
  explicit CallbackScope(const std::string& callback);
  ~CallbackScope();
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  // FAILED_PRECONDITION within a callback, which it names: what would wait for
  // launches or other hosts there might wait for itself.
  static absl::Status CheckOutside();

 private:
  const std::string* const previous_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CALLBACKS_CALLBACK_SCOPE_H_
