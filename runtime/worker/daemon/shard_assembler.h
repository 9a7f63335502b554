#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_ASSEMBLER_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_ASSEMBLER_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/lockstep/worker.pb.h"
#include "runtime/arrays/buffer.h"
#include "runtime/cluster/command.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A shard as it came over the wire, for all devices that have it.
struct ReceivedShard {
  ArrayHandle array;
  std::vector<GlobalDeviceId> devices;
  Literal value;
};

// What a message says of a shard. INVALID_ARGUMENT: an unknown element type, a
// shape that cannot be, a device twice.
absl::StatusOr<Shape> ShardShape(uint32_t element_type,
                                 absl::Span<const int64_t> dims);
absl::StatusOr<std::vector<GlobalDeviceId>> ShardDevices(
    absl::Span<const int32_t> numbers);

// Puts the chunks of a transfer together. The same on both ends. Not
// thread-safe.
class ShardAssembler {
 public:
  // INVALID_ARGUMENT: data without a header, what ShardShape and ShardDevices
  // refuse, more or less data than the shape holds. RESOURCE_EXHAUSTED: no
  // memory for it.
  absl::Status Add(const proto::ShardChunk& chunk);
  // The shards, when the last one is complete.
  absl::StatusOr<std::vector<ReceivedShard>> Finish();

 private:
  absl::Status Begin(const proto::ShardChunk::Header& header);
  absl::Status CheckComplete() const;

  std::vector<ReceivedShard> shards_;
  int64_t filled_ = 0;  // bytes of the last one
};

// Of shards in a file in memory.
inline constexpr int64_t kShardAlignment = 64;

// Bytes of data in one chunk.
inline constexpr int64_t kShardChunkBytes = int64_t{1} << 20;

// The values of arrays that have no more bytes on a host, all shards together,
// may come with the news that they are there.
inline constexpr int64_t kSmallArrayBytes = int64_t{4} << 10;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_SHARD_ASSEMBLER_H_
