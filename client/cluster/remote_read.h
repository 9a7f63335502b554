#ifndef LOCKSTEP_CLIENT_CLUSTER_REMOTE_READ_H_
#define LOCKSTEP_CLIENT_CLUSTER_REMOTE_READ_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/cluster/host_link.h"

namespace lockstep::internal {

// Shards of one array that are there, on any number of hosts. In the order in
// which they were asked for. For one thread.
class RemoteRead {
 public:
  // One host's part, and the positions of its shards among all.
  struct Part {
    std::shared_ptr<HostLink::Read> read;
    std::vector<size_t> positions;
  };
  // Waits until all parts are there.
  static absl::StatusOr<RemoteRead> Await(std::vector<Part> parts,
                                          CancellationToken& failure);

  // What is here already, by position; at least one.
  explicit RemoteRead(std::vector<std::string> shards)
      : shards_(std::move(shards)) {}

  // Brings here what is not to be copied, from all hosts at once.
  absl::Status FetchLarge(CancellationToken& failure);
  // As HostLink::Read.
  absl::Status Copy(size_t i, int64_t size, int64_t offset,
                    absl::Span<std::byte> to) const;
  absl::Status Finish();

 private:
  explicit RemoteRead(std::vector<Part> parts);

  std::vector<std::string> shards_;  // or none
  std::vector<Part> parts_;
  // The part of each shard, and which one it is there.
  std::vector<std::pair<size_t, size_t>> places_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_REMOTE_READ_H_
