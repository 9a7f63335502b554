#ifndef LOCKSTEP_TESTS_BENCHMARK_RAW_EXCHANGE_H_
#define LOCKSTEP_TESTS_BENCHMARK_RAW_EXCHANGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/collectives/transport.h"
#include "runtime/collectives/ucx/ucx_transport.h"

namespace lockstep::internal {

// Median seconds of one call of `rounds`, after one that is not counted.
double MedianSeconds(int rounds, const std::function<void()>& call);

// Tells the process at the other end of a socket something, and hears what that
// has to tell.
std::string Swap(int socket, const std::string& mine);

// What the transport of collectives does alone: two processes, which send each
// other messages at once and wait for the other's.
class RawExchange : public TransportHandler {
 public:
  // `self`: 0 or 1; the other one is at the other end of `socket`.
  RawExchange(int self, int socket);
  ~RawExchange() override;

  // Of `bytes`, in messages of `message_bytes`: from as much memory into as
  // much, as arrays are moved, and not through a cache that holds one message.
  void Exchange(int64_t bytes, int64_t message_bytes);

 private:
  void OnMessage(HostId, Incarnation, absl::string_view,
                 std::shared_ptr<const MessageBuffer>) override;
  void OnPeerFailed(HostId, Incarnation, const absl::Status&) override {}

  const HostId peer_;
  MessageBufferPool buffers_;
  std::vector<std::shared_ptr<MessageBuffer>> sent_;
  std::unique_ptr<UcxTransport> transport_;
  absl::Mutex mutex_;
  std::vector<std::shared_ptr<const MessageBuffer>> received_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_RAW_EXCHANGE_H_
