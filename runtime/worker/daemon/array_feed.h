#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_FEED_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_FEED_H_

#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/worker.pb.h"
#include "runtime/cluster/command.h"
#include "runtime/worker/daemon/array_store.h"

namespace lockstep::internal {

// Tells every client which of its arrays are there. A client with nothing else
// to wait for hears at once, with the values of small arrays; while more is
// being computed, news is gathered for a millisecond. Owns a thread.
// Thread-safe.
class ArrayFeed {
 public:
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void Send(proto::ArrayEvents events) = 0;
  };

  // Becomes the observer of `arrays`, which outlives this.
  explicit ArrayFeed(ArrayStore* arrays);
  ~ArrayFeed();

  // News of the client's arrays goes to `sink`, first of all that are there. A
  // sink before it hears nothing more.
  void Open(ClientId client, std::shared_ptr<Sink> sink);
  // No effect when the client has another sink by now.
  void Close(ClientId client, const Sink* sink);
  // Sends `reply` to `sink`, with the news of the client.
  void Reply(ClientId client, Sink& sink, proto::ArrayEvents::ReadReply reply);

 private:
  struct Listener {
    std::shared_ptr<Sink> sink;
    proto::ArrayEvents news;
  };

  void OnThere(ArrayHandle array, const absl::Status& status, bool is_awaited);
  void SendNews(ClientId client, bool with_values);
  void AddValues(ClientId client, proto::ArrayEvents& events) const;
  void SendGathered();

  ArrayStore& arrays_;
  absl::Mutex mutex_;
  absl::flat_hash_map<ClientId, Listener> clients_ ABSL_GUARDED_BY(mutex_);
  bool is_gathering_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread gatherer_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_FEED_H_
