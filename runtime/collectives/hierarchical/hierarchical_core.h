#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CORE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CORE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/collectives/hierarchical/launch_calls.h"
#include "runtime/collectives/hierarchical/mailbox.h"
#include "runtime/collectives/hierarchical/wire_header.h"
#include "runtime/collectives/launch_failures.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// What the cliques of one process share: the other hosts, the launches that
// failed, and the way from the transport to the mailboxes. Thread-safe.
//
// Locks: mutex_ may be held when a mailbox's is taken, never the reverse;
// names_mutex_ is a leaf. None is held while a launch is failed.
class HierarchicalCore : public TransportHandler {
 public:
  explicit HierarchicalCore(HierarchicalCliqueProvider::Options options);

  absl::Status SetPeers(
      const std::vector<HierarchicalCliqueProvider::Peer>& peers);

  // OK when every member of `key` is alive; FAILED_PRECONDITION names the first
  // that is not.
  absl::Status CheckAlive(const CliqueKey& key) const;

  // The mailbox of a clique, which messages may have reached already. It stays
  // the clique's one mailbox until every Acquire has had its Release and no
  // message waits in it: an endpoint that ends while its successor begins
  // must not take the mailbox away.
  std::shared_ptr<Mailbox> AcquireMailbox(const CliqueKey& key);
  void ReleaseMailbox(const CliqueKey& key);

  // See HierarchicalCliqueProvider::BeginLaunch.
  void BeginLaunch(const LaunchId& launch, const CallDescription& call);
  void FailLaunch(const LaunchId& launch, const absl::Status& cause);
  const LaunchCalls& calls() const { return calls_; }

  // Fills in the incarnations of `header`.
  void Send(HostId to, WireHeader& header,
            std::shared_ptr<const MessageBuffer> payload);

  void OnMessage(HostId peer, Incarnation incarnation, absl::string_view header,
                 std::shared_ptr<const MessageBuffer> payload) override;
  void OnPeerFailed(HostId peer, Incarnation incarnation,
                    const absl::Status& status) override;
  void OnPeerBack(HostId peer, Incarnation incarnation) override;

  const HierarchicalCliqueProvider::Options& options() const {
    return options_;
  }
  const CollectiveNames& names() const { return names_; }
  const LaunchFailures& failures() const { return failures_; }
  LaunchFailures& failures() { return failures_; }
  MessageBufferPool& buffers() { return buffers_; }

 private:
  struct Peer {
    Incarnation incarnation;
    absl::Status lost;  // why it cannot be reached
  };
  void OnAbort(HostId peer, const WireHeader& header);
  void Refuse(HostId peer, const WireHeader& header);
  HostRef RefOf(HostId host) const;
  struct SharedMailbox {
    std::shared_ptr<Mailbox> mailbox;
    int users = 0;  // endpoints, and deliveries in progress
  };

  // One more user of the mailbox of `clique`.
  std::shared_ptr<Mailbox> UseMailbox(uint64_t clique)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndUseOfMailbox(uint64_t clique) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::shared_ptr<Mailbox>> Mailboxes() const;

  const HierarchicalCliqueProvider::Options options_;
  LaunchFailures failures_;
  LaunchCalls calls_;
  MessageBufferPool buffers_;
  CollectiveNames names_;
  mutable absl::Mutex names_mutex_;
  absl::flat_hash_map<HostId, HostRef> refs_ ABSL_GUARDED_BY(names_mutex_);
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<HostId, Peer> peers_ ABSL_GUARDED_BY(mutex_);
  // By clique digest.
  absl::flat_hash_map<uint64_t, SharedMailbox> mailboxes_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CORE_H_
