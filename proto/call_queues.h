#ifndef LOCKSTEP_PROTO_CALL_QUEUES_H_
#define LOCKSTEP_PROTO_CALL_QUEUES_H_

#include <grpcpp/completion_queue.h>
#include <grpcpp/server_builder.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "proto/completion.h"

namespace lockstep::internal {

// The completion queues of a server, in place of gRPC's callbacks. Those have
// one queue for the whole process, and a gRPC that is built with its debug
// checks, as Debian's is, looks for every operation that ends among all that
// are outstanding, one after the other: with 10,000 streams two thirds of a
// coordinator's processor time. Here a queue has no more than so many calls,
// and another one is opened when all are full.
//
// One thread serves them all, since threads that poll hand that task to each
// other at every event, which costs as much as the search. It waits at the
// first queue, where the sockets of all calls are polled, but only what ends
// there wakes it: at the others it looks every kLook at least, and at once
// while there is something to do. A cluster of usual size has only the first.
// Thread-safe.
class CallQueues {
 private:
  struct Queue;

 public:
  static constexpr size_t kCallsPerQueue = 512;
  static constexpr absl::Duration kLook = absl::Milliseconds(2);

  // Room for one call, until it is destroyed.
  class Place {
   public:
    Place(CallQueues* queues, Queue* queue) : queues_(queues), queue_(queue) {}
    Place(const Place&) = delete;
    ~Place() { queues_->Leave(queue_); }
    // Where the operations of the call end.
    grpc::CompletionQueue* queue() const;

   private:
    CallQueues* const queues_;
    Queue* const queue_;
  };

  // Before the server is built.
  explicit CallQueues(grpc::ServerBuilder& builder,
                      size_t calls_per_queue = kCallsPerQueue);
  // Between the server's Shutdown and its end. Waits until all calls are over.
  ~CallQueues();

  Place Take() { return Place(this, FindRoom()); }
  // Where calls arrive: the first queue.
  grpc::ServerCompletionQueue* arrivals() const { return arrivals_; }
  size_t size() const;

 private:
  struct Queue {
    std::unique_ptr<grpc::CompletionQueue> queue;
    size_t calls = 0;  // by mutex_
  };

  bool IsEmpty() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Queue* FindRoom();
  void Leave(Queue* queue);
  void Serve();
  std::vector<grpc::CompletionQueue*> Open() const;

  const size_t calls_per_queue_;
  grpc::ServerCompletionQueue* arrivals_;
  mutable absl::Mutex mutex_;
  std::vector<std::unique_ptr<Queue>> queues_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CALL_QUEUES_H_
