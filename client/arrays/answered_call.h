#ifndef LOCKSTEP_CLIENT_ARRAYS_ANSWERED_CALL_H_
#define LOCKSTEP_CLIENT_ARRAYS_ANSWERED_CALL_H_

#include "absl/status/status.h"
#include "client/arrays/view.h"

namespace lockstep::internal {

// Fails the call when it is left without an answer: by an exception of the
// function that is traced.
class AnsweredCall {
 public:
  explicit AnsweredCall(ViewCall* call) : call_(*call) {}
  ~AnsweredCall() {
    if (!is_answered_) {
      call_.Fail(absl::AbortedError("an exception ended the call"));
    }
  }
  void Answer(const absl::Status& status) {
    is_answered_ = true;
    if (!status.ok()) call_.Fail(status);
  }

 private:
  ViewCall& call_;
  bool is_answered_ = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_ANSWERED_CALL_H_
