#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_CHECKPOINT_CALLS_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_CHECKPOINT_CALLS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/lockstep/worker.pb.h"
#include "runtime/arrays/buffer.h"
#include "runtime/cluster/command.h"
#include "runtime/mesh/ids.h"
#include "runtime/worker/daemon/array_placement.h"
#include "runtime/worker/daemon/save_turns.h"

namespace lockstep::internal {

// This host's part in the checkpoints of clients (proto/lockstep/worker.proto):
// in folders within one that the worker was started with. Nothing of a request
// is trusted. Errors begin with the file or the folder. Thread-safe.
class CheckpointCalls {
 public:
  // `permitted`: "" when clients may use no folder. `placement` outlives this.
  CheckpointCalls(std::string permitted, ArrayPlacement* placement)
      : permitted_(std::move(permitted)), placement_(*placement) {}

  // NOT_FOUND: no manifest, where one is to be read.
  absl::StatusOr<proto::OpenCheckpointReply> Open(
      const proto::OpenCheckpointRequest& request) const;

  // The shard of an array on a device, once it is computed.
  using FindShard = std::function<absl::StatusOr<std::shared_ptr<Buffer>>(
      const ClientHandle& array, GlobalDeviceId device)>;
  // Of all calls below: nobody wants what the client asked for any more. Saves
  // and restores end with CANCELLED then; the saves of other clients to the
  // folder wait until they have.
  using IsGone = SaveTurns::IsGone;
  // Writes the shards; `on_copied` is called when request.copies_first() and
  // nobody needs the arrays any more. A file of which nobody hears, because the
  // client is gone, is for the caller to remove, by Commit.
  absl::StatusOr<std::string> Save(const proto::SaveShardsRequest& request,
                                   const FindShard& find,
                                   const std::function<void()>& on_copied,
                                   const IsGone& is_gone);
  absl::Status Commit(const proto::CommitCheckpointRequest& request,
                      const IsGone& is_gone);
  // FAILED_PRECONDITION: the manifest is another one than the client's.
  absl::Status Restore(const proto::RestoreShardsRequest& request,
                       const IsGone& is_gone) const;

 private:
  // The folder, without links and "..". FAILED_PRECONDITION: it is not within
  // the permitted one.
  absl::StatusOr<std::string> FolderOf(const std::string& folder) const;

  const std::string permitted_;
  ArrayPlacement& placement_;
  SaveTurns turns_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_CHECKPOINT_CALLS_H_
