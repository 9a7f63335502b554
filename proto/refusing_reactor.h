#ifndef LOCKSTEP_PROTO_REFUSING_REACTOR_H_
#define LOCKSTEP_PROTO_REFUSING_REACTOR_H_

#include <utility>

#include "absl/status/status.h"
#include "proto/grpc_status.h"

namespace lockstep::internal {

// Ends a stream at its beginning; `Base` is the reactor of the stream's kind,
// made of `args`. Deletes itself.
template <typename Base>
class RefusingReactor : public Base {
 public:
  template <typename... Args>
  explicit RefusingReactor(const absl::Status& why, Args&&... args)
      : Base(std::forward<Args>(args)...) {
    this->Finish(ToGrpcStatus(why));
  }
  void OnDone() override { delete this; }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_REFUSING_REACTOR_H_
