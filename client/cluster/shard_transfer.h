#ifndef LOCKSTEP_CLIENT_CLUSTER_SHARD_TRANSFER_H_
#define LOCKSTEP_CLIENT_CLUSTER_SHARD_TRANSFER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "proto/security/credentials.h"
#include "runtime/base/cancellation.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Not connected yet. Notices within 5 s when the worker is not to be reached
// any more.
std::unique_ptr<proto::Worker::Stub> OpenWorkerStub(
    const std::string& address, const Credentials& credentials);

// Bulk data between this client and one life of one worker. Calls block.
// Errors: UNAVAILABLE names the host and its address; the cause of a token
// that ends the call; the worker's own. Thread-safe.
class ShardTransfer {
 public:
  // `lost` is cancelled when that life of the host ends. When the host cannot
  // be reached, the coordinator is given `verdict_time` to say why.
  static std::unique_ptr<ShardTransfer> Create(
      const std::string& address, const Credentials& credentials,
      const HostRef& host, std::shared_ptr<CancellationToken> lost,
      absl::Duration verdict_time);
  virtual ~ShardTransfer() = default;

  struct Shard {
    ArrayHandle array;
    GlobalDeviceId device;
    LiteralView value;  // of Put
    // Of Put: with the same value.
    std::vector<GlobalDeviceId> other_devices = {};
  };
  // All or nothing.
  virtual absl::Status Put(absl::Span<const Shard> shards) = 0;
  // Waits until the shards are computed. `cancellation` ends the wait too.
  virtual absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const Shard> shards, CancellationToken& cancellation,
      absl::Time deadline) = 0;
  // Another call to that worker, with its errors.
  virtual absl::Status Call(
      absl::FunctionRef<grpc::Status(proto::Worker::Stub& stub,
                                     grpc::ClientContext& context)>
          call) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_SHARD_TRANSFER_H_
