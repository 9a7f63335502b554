#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_

#include <memory>
#include <string>
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
#include "runtime/worker/daemon/checkpoint_calls.h"

namespace lockstep::internal {

// Bulk data between clients and this host (proto/lockstep/worker.proto).
// Thread-safe.
class ShardService : public proto::Worker::WithCallbackMethod_WatchArrays<
                         proto::Worker::Service> {
 public:
  // `arrays` outlives this. `checkpoint_directory`: where clients may save and
  // restore; "": nowhere.
  ShardService(ArrayStore* arrays, Incarnation incarnation, Admission admission,
               std::string checkpoint_directory)
      : arrays_(*arrays),
        placement_(arrays),
        feed_(arrays),
        checkpoints_(std::move(checkpoint_directory), &placement_),
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
  grpc::Status OpenCheckpoint(grpc::ServerContext* context,
                              const proto::OpenCheckpointRequest* request,
                              proto::OpenCheckpointReply* reply) override;
  grpc::Status SaveShards(
      grpc::ServerContext* context, const proto::SaveShardsRequest* request,
      grpc::ServerWriter<proto::SaveShardsReply>* writer) override;
  grpc::Status CommitCheckpoint(grpc::ServerContext* context,
                                const proto::CommitCheckpointRequest* request,
                                proto::CommitCheckpointReply* reply) override;
  grpc::Status RestoreShards(grpc::ServerContext* context,
                             const proto::RestoreShardsRequest* request,
                             proto::RestoreShardsReply* reply) override;
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
      grpc::ServerContext& context, const ClientHandle& array,
      GlobalDeviceId device);
  absl::Status CheckIncarnation(uint64_t expected) const;
  absl::Status Save(grpc::ServerContext& context,
                    const proto::SaveShardsRequest& request,
                    grpc::ServerWriter<proto::SaveShardsReply>& writer);

  ArrayStore& arrays_;
  ArrayPlacement placement_;
  ArrayFeed feed_;
  CheckpointCalls checkpoints_;
  const Incarnation incarnation_;
  const Admission admission_;
  CancellationToken closing_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
