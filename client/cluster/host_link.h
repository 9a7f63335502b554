#ifndef LOCKSTEP_CLIENT_CLUSTER_HOST_LINK_H_
#define LOCKSTEP_CLIENT_CLUSTER_HOST_LINK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/cluster/array_table.h"
#include "client/cluster/host_stream.h"
#include "client/cluster/shard_transfer.h"
#include "proto/security/credentials.h"
#include "runtime/base/cancellation.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/process_memory.h"
#include "runtime/cluster/roster.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A client's side of one life of one worker: hears which arrays are there, for
// the table, and reads shards; HostPut brings some. A stream that breaks is
// opened again for as long as that life lasts. Thread-safe.
class HostLink : public std::enable_shared_from_this<HostLink> {
 public:
  struct Options {
    Member member;
    ClientId client;
    // Cancelled when that life of the host ends.
    std::shared_ptr<CancellationToken> lost;
    ArrayTable* arrays = nullptr;  // outlives the link
    // Whether to copy to and from the worker's memory when it is on this
    // machine.
    bool uses_memory = true;
    // Within which the coordinator knows that a host has ended.
    absl::Duration verdict_time = absl::Seconds(6);
    Credentials credentials = {};
  };
  static std::shared_ptr<HostLink> Open(Options options);
  ~HostLink();

  const HostRef& host() const { return options_.member.host; }
  Incarnation incarnation() const { return host().incarnation; }
  ShardTransfer& transfer() { return *transfer_; }
  // UNAVAILABLE names the host and its address: not connected for so long that
  // the coordinator should have said why.
  absl::Status CheckReachable();

  // Shards that have been asked for, and then where they are.
  class Read;
  std::shared_ptr<Read> StartRead(const ArrayHandle& array,
                                  std::vector<GlobalDeviceId> devices);

  // A request that the worker answers with a PutReply.
  struct Question {
    uint64_t id = 0;
    bool is_over = false;
    // When it is over; none: the connection broke.
    std::optional<proto::ArrayEvents::PutReply> reply;
  };
  // Sends the request, an Allocate or a Put, with an id of its own. None: the
  // worker has not been heard of yet.
  std::shared_ptr<Question> Ask(proto::ArrayRequest request);
  // Ends with the connection, too. The worker's own error, the cause of the end
  // of that life, or UNAVAILABLE with the host.
  absl::StatusOr<proto::ArrayEvents::PutReply> AwaitReply(Question& question);

  // None: the worker is not on this machine, or the system does not permit it.
  // A worker on this machine that has never been heard of is waited for a
  // moment, as long as it is being connected to.
  std::optional<ProcessMemory> AwaitMemory() const;

 private:
  explicit HostLink(Options options);

  void OpenStream() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SendRead(const Read& read) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnEvents(const proto::ArrayEvents& events);
  void OnHello(const proto::ArrayEvents::Hello& hello);
  void OnEnd(const absl::Status& status);
  void CloseStream() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Release(uint64_t read);
  void Forget(uint64_t read);
  bool MayShareMemory() const;
  std::optional<ProcessMemory> memory() const;
  // What became of the host, when it is known in time.
  absl::Status Verdict(const absl::Status& otherwise) const;

  const Options options_;
  const std::unique_ptr<proto::Worker::Stub> stub_;
  const std::unique_ptr<ShardTransfer> transfer_;

  mutable absl::Mutex mutex_;
  HostStream* stream_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool is_closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_greeted_ ABSL_GUARDED_BY(mutex_) = false;   // over this stream
  bool was_greeted_ ABSL_GUARDED_BY(mutex_) = false;  // over any
  absl::Time disconnected_since_ ABSL_GUARDED_BY(mutex_);
  absl::Status refusal_ ABSL_GUARDED_BY(mutex_);
  std::string last_error_ ABSL_GUARDED_BY(mutex_);
  std::optional<ProcessMemory> memory_ ABSL_GUARDED_BY(mutex_);
  uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  // Not answered yet. Reads take themselves off these when they end.
  absl::flat_hash_map<uint64_t, Read*> reads_ ABSL_GUARDED_BY(mutex_);
  // Whose memory the worker keeps for us, over the present stream.
  absl::flat_hash_map<uint64_t, Read*> lent_ ABSL_GUARDED_BY(mutex_);
  // Not answered yet, over the present stream.
  absl::flat_hash_map<uint64_t, std::shared_ptr<Question>> questions_
      ABSL_GUARDED_BY(mutex_);
  CancellationToken::Registration on_lost_;
};

// The shards of one array on one host. The worker keeps them until this ends.
// For one thread.
class HostLink::Read {
 public:
  Read(std::shared_ptr<HostLink> link, const ArrayHandle& array,
       std::vector<GlobalDeviceId> devices)
      : link_(std::move(link)), array_(array), devices_(std::move(devices)) {}
  ~Read();

  // Waits until the array is there. The first call.
  absl::Status Await(CancellationToken& failure, absl::Time deadline);
  // Whether the shards have yet to be brought here.
  bool is_large() const;
  absl::Status FetchLarge(CancellationToken& failure, absl::Time deadline);
  // Fills `to` with bytes of the i-th shard, which has `size`, from `offset`.
  absl::Status Copy(size_t i, int64_t size, int64_t offset,
                    absl::Span<std::byte> to) const;
  // Whether what was copied is right: the worker has kept the shards until
  // now. The last call.
  absl::Status Finish();

 private:
  friend class HostLink;
  enum class Loan { kHeld, kConfirmed, kLost };

  void SetReply(proto::ArrayEvents::ReadReply reply);
  void EndLoan(bool is_confirmed);
  absl::Status WrongSize(int64_t found, int64_t expected) const;

  const std::shared_ptr<HostLink> link_;
  const ArrayHandle array_;
  const std::vector<GlobalDeviceId> devices_;
  uint64_t id_ = 0;
  absl::Mutex mutex_;
  bool is_answered_ ABSL_GUARDED_BY(mutex_) = false;
  Loan loan_ ABSL_GUARDED_BY(mutex_) = Loan::kHeld;
  bool is_released_ = false;
  // After Await, of the reading thread.
  proto::ArrayEvents::ReadReply reply_;
  std::vector<Literal> fetched_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_HOST_LINK_H_
