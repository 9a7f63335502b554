#ifndef LOCKSTEP_RUNTIME_INTERPRETER_HOST_CHANNELS_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_HOST_CHANNELS_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The host that send and recv of the processes of one run speak to: it keeps
// what was sent on a channel, first in, first out, for whoever receives from
// it. Thread-safe.
class HostChannels {
 public:
  // The cancellation ends waits; it outlives the channels.
  explicit HostChannels(CancellationToken& cancellation);

  // Of a stablehlo.send: does not wait.
  absl::Status Send(const Op& op, absl::Span<const LiteralView> values);
  // Of a stablehlo.recv: waits for values. INVALID_ARGUMENT, with both types,
  // when those that come are of others than the op declares; the
  // cancellation's cause.
  absl::Status Receive(const Op& op,
                       absl::Span<const MutableLiteralView> results);

 private:
  CancellationToken& cancellation_;
  absl::Mutex mutex_;
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<int64_t, std::deque<std::vector<Literal>>> channels_
      ABSL_GUARDED_BY(mutex_);
  CancellationToken::Registration registration_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_HOST_CHANNELS_H_
