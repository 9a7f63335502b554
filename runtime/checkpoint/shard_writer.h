#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_WRITER_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// Takes the next bytes; they are valid during the call.
using ByteSink = std::function<void(absl::Span<const std::byte>)>;

// A shard that is to be written.
struct ShardSource {
  size_t array = 0;  // its place among those of the manifest
  std::vector<int64_t> starts;
  // What it gives does not change, whatever becomes of the array.
  bool is_in_memory = false;
  // Gives the elements, row-major, in pieces.
  std::function<absl::Status(const ByteSink&)> read;
};

// Reads a shard of that shape into memory, from where the source gives it
// afterwards. RESOURCE_EXHAUSTED: there is no such memory.
absl::Status CopyToMemory(const Shape& shape, ShardSource& source);

// Writes the shards, ascending by array and starts, one after the other, to a
// new file in `folder`, waits for the disk, and adds them to their arrays in
// `manifest`. Without shards there is no file. Errors name the file, or the
// array; the file is removed then, and the manifest as it was.
absl::Status WriteShards(const std::string& folder,
                         absl::Span<const ShardSource> sources,
                         Manifest& manifest);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_WRITER_H_
