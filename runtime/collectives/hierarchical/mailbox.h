#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MAILBOX_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MAILBOX_H_

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/hierarchical/wire_header.h"
#include "runtime/collectives/launch_failures.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// The messages of one clique that have come and are not taken yet, by sending
// host. Checks them against the call that waits (spec M-19). Thread-safe; at
// most one thread at a time is in a call.
//
// Hosts do not run ahead of each other by more than a few messages
// (MessageStreams); more than kMaxQueued of one host fail their launch.
class Mailbox : public LaunchFailures::Listener {
 public:
  static constexpr size_t kMaxQueued = 64;

  struct Message {
    WireHeader header;
    std::shared_ptr<const MessageBuffer> payload;
  };

  struct Options {
    FailLaunch fail_launch;
    const LaunchFailures* failures = nullptr;  // outlives the mailbox
    CollectiveNames names;
    Transport* transport = nullptr;  // outlives the mailbox
  };

  explicit Mailbox(Options options) : options_(std::move(options)) {}

  void Deliver(HostId from, Message message);

  // A message of `host`: the `index`-th of the call.
  struct Expected {
    HostId host;
    uint32_t index = 0;
  };
  // The message for the Expected of that position.
  using Taken = std::pair<size_t, Message>;

  // Around the Receives of one call, which awaits messages of `hosts`.
  void BeginCall(const CollectiveCall& call, std::vector<HostId> hosts);
  void EndCall();

  // Those of `expected` that are here; `waits`: when none is, waits for one.
  // `self` is who calls, for messages to people. Errors: the cause, when the
  // launch fails; FAILED_PRECONDITION or INTERNAL, when a host is in another
  // call, after both launches are failed; UNAVAILABLE, when a host is lost. A
  // host that is in a later call of the sequence fails this launch only, by a
  // suspicion (shared_cause.h). `drives`: this thread drives the transport;
  // false when it has had to stop.
  absl::StatusOr<std::vector<Taken>> Receive(
      const CliqueMember& self, const CollectiveCall& call,
      absl::Span<const Expected> expected, bool waits, bool* drives);

  void OnLaunchFailed(const LaunchId& launch,
                      const absl::Status& cause) override;
  void OnHostLost(HostId host, const absl::Status& cause);
  void OnHostBack(HostId host);

  // Of `hosts`, in a call of those of which it wants more, the ones of which no
  // message is here.
  std::vector<HostId> Missing(const std::vector<HostId>& hosts) const;
  bool is_empty() const;

 private:
  using Queue = std::deque<Message>;
  struct Clash {
    LaunchId launch;
    absl::Status status;
  };

  // The message of `expected` for `call`; none when it has not come. An error
  // ends the wait, and a clash says which launch of the other host fails with
  // it.
  absl::StatusOr<std::optional<Message>> Take(const CliqueMember& self,
                                              const CollectiveCall& call,
                                              const Expected& expected,
                                              std::vector<Clash>* clashes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::vector<Taken>> TakeSome(
      const CliqueMember& self, const CollectiveCall& call,
      absl::Span<const Expected> expected, std::vector<Clash>* clashes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Until something has changed, perhaps.
  void AwaitChange(bool* drives) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Something has, and not by a message, which its driver delivers.
  void Wake() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The sender is in a later launch of the sequence: it made this one without
  // the collective.
  static bool HasGonePast(const CollectiveCall& call, const WireHeader& header);
  bool IsStale(const CollectiveCall& call, const CollectiveCall& message) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable absl::Mutex mutex_;
  absl::CondVar changed_;
  absl::flat_hash_map<HostId, Queue> queues_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<HostId, absl::Status> lost_ ABSL_GUARDED_BY(mutex_);
  // The latest launch that was in a call, by epoch and sequence.
  absl::flat_hash_map<std::pair<Epoch, uint64_t>, LaunchNumber> latest_
      ABSL_GUARDED_BY(mutex_);
  bool is_driving_ ABSL_GUARDED_BY(mutex_) = false;  // who is in Receive
  // In a call: the hosts of which it wants more.
  std::optional<std::vector<HostId>> awaited_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MAILBOX_H_
