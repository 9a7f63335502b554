#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "proto/security/admission.h"
#include "runtime/base/cancellation.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/host_tensor.h"
#include "runtime/worker/daemon/array_feed.h"
#include "runtime/worker/daemon/array_placement.h"
#include "runtime/worker/daemon/array_store.h"

namespace lockstep::internal {

// Bulk data between clients and this host (proto/lockstep/worker.proto).
// Thread-safe.
class ShardService : public proto::Worker::WithCallbackMethod_WatchArrays<
                         proto::Worker::Service> {
 public:
  // `arrays` outlives this.
  ShardService(ArrayStore* arrays, Incarnation incarnation, Admission admission)
      : arrays_(*arrays),
        placement_(arrays),
        feed_(arrays),
        incarnation_(incarnation),
        admission_(std::move(admission)) {}

  // The devices that shards may be put on. Calls before this wait for it.
  void SetDevices(ArrayPlacement::Devices devices) {
    placement_.SetDevices(std::move(devices));
  }
  // Ends the calls that wait.
  void Close(const absl::Status& status);

  grpc::ServerBidiReactor<proto::ArrayRequest, proto::ArrayEvents>* WatchArrays(
      grpc::CallbackServerContext* context) override;
  grpc::Status PutShards(grpc::ServerContext* context,
                         grpc::ServerReader<proto::ShardChunk>* reader,
                         proto::PutShardsReply* reply) override;
  grpc::Status FetchShards(
      grpc::ServerContext* context, const proto::FetchShardsRequest* request,
      grpc::ServerWriter<proto::ShardChunk>* writer) override;
  grpc::Status ListShards(grpc::ServerContext* context,
                          const proto::ListShardsRequest* request,
                          proto::ShardList* reply) override;

 private:
  absl::Status AwaitDevices(grpc::ServerContext& context);
  absl::Status Fetch(grpc::ServerContext& context,
                     const proto::FetchShardsRequest& request,
                     grpc::ServerWriter<proto::ShardChunk>& writer);
  static absl::Status Write(const proto::FetchShardsRequest::Shard& shard,
                            const HostTensor& value,
                            grpc::ServerWriter<proto::ShardChunk>& writer);
  absl::StatusOr<std::shared_ptr<Buffer>> AwaitReady(
      grpc::ServerContext& context,
      const proto::FetchShardsRequest::Shard& shard);

  ArrayStore& arrays_;
  ArrayPlacement placement_;
  ArrayFeed feed_;
  const Incarnation incarnation_;
  const Admission admission_;
  CancellationToken closing_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
