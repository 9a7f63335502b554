#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STREAM_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STREAM_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "proto/write_queue.h"
#include "runtime/cluster/memory_file.h"
#include "runtime/mesh/ids.h"
#include "runtime/worker/daemon/array_feed.h"
#include "runtime/worker/daemon/array_placement.h"
#include "runtime/worker/daemon/array_store.h"

namespace lockstep::internal {

// One stream of one client, which hears of its arrays, reads and brings them
// (WatchArrays in proto/lockstep/worker.proto). Deletes itself when it is over.
class ArrayStream
    : public grpc::ServerBidiReactor<proto::ArrayRequest, proto::ArrayEvents> {
 public:
  // All outlive this.
  ArrayStream(ArrayStore* arrays, ArrayPlacement* placement, ArrayFeed* feed,
              Incarnation incarnation);

 private:
  // What outlives the stream: the feed, and reads and puts that wait, hold it.
  class Link : public ArrayFeed::Sink,
               public std::enable_shared_from_this<Link> {
   public:
    Link(ArrayStream* stream, ClientId client)
        : arrays_(stream->arrays_),
          placement_(stream->placement_),
          feed_(stream->feed_),
          client_(client),
          stream_(stream) {}

    void Send(proto::ArrayEvents events) override;
    void Read(const proto::ArrayRequest::Read& read);
    void Release(uint64_t read);
    void Allocate(const proto::ArrayRequest::Allocate& allocate);
    void Put(proto::ArrayRequest::Put put);
    // Nothing is sent any more; gives up what is held for the client.
    void Detach();

   private:
    using LentMemory = std::vector<std::shared_ptr<DeviceMemory>>;

    void Answer(const proto::ArrayRequest::Read& read,
                const absl::Status& status);
    absl::Status Fill(const proto::ArrayRequest::Read& read,
                      proto::ArrayEvents::ReadReply& reply, LentMemory& lent);
    absl::Status MakeFile(const proto::ArrayRequest::Allocate& allocate,
                          proto::ArrayEvents::PutReply& reply);
    absl::Status PutOnDevices(const proto::ArrayRequest::Put& put);
    absl::StatusOr<std::optional<MemoryFile>> TakeFile(uint64_t id);
    void AnswerPut(proto::ArrayEvents::PutReply reply,
                   const absl::Status& status);

    ArrayStore& arrays_;
    ArrayPlacement& placement_;
    ArrayFeed& feed_;
    const ClientId client_;
    absl::Mutex mutex_;
    ArrayStream* stream_ ABSL_GUARDED_BY(mutex_);
    // Whose memory the client reads.
    absl::flat_hash_map<uint64_t, LentMemory> lent_ ABSL_GUARDED_BY(mutex_);
    // That the client fills.
    absl::flat_hash_map<uint64_t, MemoryFile> files_ ABSL_GUARDED_BY(mutex_);
  };

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override { writes_.OnWriteDone(ok); }
  void OnCancel() override;
  void OnDone() override { delete this; }
  absl::Status Handle();
  absl::Status Open(const proto::ArrayRequest::Hello& hello);

  ArrayStore& arrays_;
  ArrayPlacement& placement_;
  ArrayFeed& feed_;
  const Incarnation incarnation_;
  WriteQueue<ArrayStream, proto::ArrayEvents> writes_;
  // Of the one callback for reading that runs at a time.
  proto::ArrayRequest request_;
  ClientId client_;  // after the hello
  absl::Mutex mutex_;
  std::shared_ptr<Link> link_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STREAM_H_
