#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_STREAMS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_STREAMS_H_

#include <optional>
#include <vector>

#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/hierarchical/clique_plan.h"
#include "runtime/collectives/hierarchical/hierarchical_core.h"
#include "runtime/collectives/hierarchical/mailbox.h"
#include "runtime/collectives/hierarchical/message_exchange.h"
#include "runtime/collectives/launch_id.h"

namespace lockstep::internal {

// The exchange of a clique over the transport. Between two hosts go as many
// messages in one direction as in the other; those that hold nothing say that
// what came has been taken. A host sends one only when it has taken all but the
// last kWindow - 1 of what the other must have sent before it: so at most
// 2 * kWindow messages of a host wait, and none is sent without being asked
// for. Borrows its arguments.
class MessageStreams : public MessageExchange {
 public:
  // How far a host sends ahead of what it has taken: enough that the way
  // between two hosts is never empty while one of them copies.
  static constexpr int kWindow = 4;

  MessageStreams(const CliqueKey& key, const CliquePlan& plan,
                 HierarchicalCore& core, Mailbox& mailbox)
      : key_(key),
        digest_(key.Digest()),
        plan_(plan),
        core_(core),
        mailbox_(mailbox),
        told_(plan.host_count()) {}

  absl::Status Exchange(const Arrival& arrival,
                        absl::Span<const HostStream> streams,
                        HostMessages& messages) override;

 private:
  class Run;

  const CliqueKey& key_;
  const uint64_t digest_;
  const CliquePlan& plan_;
  HierarchicalCore& core_;
  Mailbox& mailbox_;
  // Under which launch each host was last told what is called.
  std::vector<std::optional<LaunchId>> told_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_STREAMS_H_
