#ifndef LOCKSTEP_CLIENT_CLUSTER_HOST_STREAM_H_
#define LOCKSTEP_CLIENT_CLUSTER_HOST_STREAM_H_

#include <deque>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "proto/client_stream.h"
#include "proto/lockstep/worker.grpc.pb.h"

namespace lockstep::internal {

// One stream of a client to a worker (WatchArrays in
// proto/lockstep/worker.proto). Waits for the connection. Deletes itself after
// on_end. Thread-safe until then.
class HostStream
    : private ClientStream<proto::ArrayRequest, proto::ArrayEvents> {
 public:
  struct Callbacks {
    // One at a time, on the thread of ClientQueue().
    std::function<void(const proto::ArrayEvents&)> on_events;
    // The last call.
    std::function<void(const absl::Status&)> on_end;
  };
  // `stub` outlives the stream.
  static HostStream* Open(proto::Worker::Stub* stub, Callbacks callbacks);

  void Send(proto::ArrayRequest request);
  void Cancel() { context().TryCancel(); }

 private:
  explicit HostStream(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}
  ~HostStream() override = default;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  const Callbacks callbacks_;
  proto::ArrayEvents events_;  // being read
  absl::Mutex mutex_;
  // The first one is being written.
  std::deque<proto::ArrayRequest> requests_ ABSL_GUARDED_BY(mutex_);
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;  // nothing may be started
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_HOST_STREAM_H_
