#ifndef LOCKSTEP_CLIENT_CLUSTER_HOST_PUT_H_
#define LOCKSTEP_CLIENT_CLUSTER_HOST_PUT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "client/cluster/host_link.h"
#include "client/cluster/shard_transfer.h"
#include "proto/lockstep/worker.pb.h"
#include "runtime/cluster/memory_file.h"
#include "runtime/cluster/process_memory.h"

namespace lockstep::internal {

// Shards of one array on their way to the devices of one host, all or nothing.
// Small ones travel in a message of the link; large ones are copied, once, into
// a file in the memory of a worker on this machine; all else goes in chunks
// (ShardTransfer). For one thread.
class HostPut {
 public:
  // Whose values stay until Finish returns.
  HostPut(std::shared_ptr<HostLink> link,
          std::vector<ShardTransfer::Shard> shards);

  // Whether Finish has to bring the shards; else they are under way.
  bool is_large() const { return is_large_; }
  // Waits until they are there. Once.
  absl::Status Finish();

 private:
  std::shared_ptr<HostLink::Question> PutInMessage();
  // None: it has to go another way.
  std::shared_ptr<HostLink::Question> PutInFile(const ProcessMemory& memory);
  bool Fill(const MemoryFileAccess& access,
            proto::ArrayRequest::Put& put) const;

  const std::shared_ptr<HostLink> link_;
  const std::vector<ShardTransfer::Shard> shards_;
  const int64_t bytes_;  // as they lie in a file
  std::shared_ptr<HostLink::Question> question_;
  const bool is_large_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_HOST_PUT_H_
