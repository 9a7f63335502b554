#ifndef LOCKSTEP_CLIENT_CLUSTER_COMMAND_STREAM_H_
#define LOCKSTEP_CLIENT_CLUSTER_COMMAND_STREAM_H_

#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/cluster/command_queue.h"
#include "proto/alarm.h"
#include "proto/client_stream.h"
#include "proto/lockstep/coordinator.grpc.pb.h"

namespace lockstep::internal {

// A client's stream to the coordinator. What is submitted while nothing is
// being written goes out on the calling thread, the rest in batches; deletions
// wait a millisecond for a launch to go with. Thread-safe.
class CommandStream
    : private ClientStream<proto::ClientMessage, proto::ClientEvent> {
 public:
  struct Callbacks {
    // One at a time, on the thread of ClientQueue().
    std::function<void(const proto::ClientEvent&)> on_event;
    // The stream has ended; the last call.
    std::function<void(const absl::Status&)> on_end;
  };
  // `stub` outlives this. `name` is for status.
  CommandStream(proto::Coordinator::Stub* stub, const std::string& name,
                Callbacks callbacks);
  // Ends the stream and waits for on_end.
  ~CommandStream() override;

  // Keeps the order of calls. Launches wait while many others do; no effect
  // when the stream has ended.
  void Submit(Command command);

 private:
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;
  // Starts the next write, now or soon, when none is in progress.
  void WriteMore() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WriteNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnAlarm();

  class Alarm final : public Completion {
   public:
    explicit Alarm(CommandStream* stream) : stream_(*stream) {}
    void Set(absl::Duration patience);

   private:
    void Run(bool) override { stream_.OnAlarm(); }

    CommandStream& stream_;
    grpc::Alarm alarm_;
  };

  const Callbacks callbacks_;
  proto::ClientEvent event_;      // being read
  proto::ClientMessage message_;  // being written
  absl::Mutex mutex_;
  CommandQueue queue_ ABSL_GUARDED_BY(mutex_);
  bool is_writing_ ABSL_GUARDED_BY(mutex_) = true;  // the hello
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;    // nothing may be started
  bool is_done_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_alarm_set_ ABSL_GUARDED_BY(mutex_) = false;
  Alarm alarm_{this};
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_COMMAND_STREAM_H_
