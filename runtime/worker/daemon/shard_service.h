#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "proto/security/admission.h"
#include "runtime/base/cancellation.h"
#include "runtime/devices/local_device.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/host_tensor.h"
#include "runtime/worker/daemon/array_feed.h"
#include "runtime/worker/daemon/array_store.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {

// Bulk data between clients and this host (proto/lockstep/worker.proto).
// Thread-safe.
class ShardService : public proto::Worker::WithCallbackMethod_WatchArrays<
                         proto::Worker::Service> {
 public:
  // `arrays` outlives this.
  ShardService(ArrayStore* arrays, Incarnation incarnation, Admission admission)
      : arrays_(*arrays),
        feed_(arrays),
        incarnation_(incarnation),
        admission_(std::move(admission)) {}

  using Devices =
      absl::flat_hash_map<GlobalDeviceId, std::shared_ptr<LocalDevice>>;

  // The devices that shards may be put on. Calls before this wait for it.
  void SetDevices(Devices devices);
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

 private:
  absl::Status AwaitDevices(grpc::ServerContext& context);
  absl::StatusOr<std::shared_ptr<LocalDevice>> FindDevice(
      GlobalDeviceId device);
  using Arrays = std::map<ArrayHandle, std::vector<std::shared_ptr<Buffer>>>;
  absl::Status PutOnDevices(ReceivedShard shard, Arrays& arrays);
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
  ArrayFeed feed_;
  const Incarnation incarnation_;
  const Admission admission_;
  CancellationToken closing_;
  absl::Mutex mutex_;
  bool has_devices_ ABSL_GUARDED_BY(mutex_) = false;
  Devices devices_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_SERVICE_H_
