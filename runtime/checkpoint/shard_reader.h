#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_READER_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_READER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/regular_file.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/run_cursor.h"
#include "runtime/types/box.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Reads parts of the arrays of a checkpoint. Of the files it reads the blocks
// that have something of these parts, each once, and compares their checksums;
// large parts on several threads. Not thread-safe.
class ShardReader {
 public:
  // `manifest` is complete.
  ShardReader(std::string folder, const Manifest& manifest)
      : ShardReader(std::move(folder), manifest.block_bytes) {}

  // The elements of each of `boxes`, which are parts of the array. Errors name
  // file and array:
  //   NOT_FOUND  a file is missing
  //   DATA_LOSS  a file is too short, or a block of it was changed
  //   RESOURCE_EXHAUSTED  no memory for a part
  absl::StatusOr<std::vector<Literal>> Read(const ManifestArray& array,
                                            absl::Span<const Box> boxes);

  // From files, so far.
  int64_t bytes_read() const { return bytes_read_; }

 private:
  ShardReader(std::string folder, int64_t block_bytes)
      : folder_(std::move(folder)), block_bytes_(block_bytes) {}

  // The shards that have something of the boxes.
  static std::vector<const ManifestShard*> ShardsOf(
      const ManifestArray& array, absl::Span<const Box> boxes);
  absl::StatusOr<const RegularFile*> Open(const std::string& name);
  absl::Status CheckSize(const ManifestArray& array,
                         const ManifestShard& shard);
  // What the boxes have of them, into `parts`.
  absl::Status ReadShards(const ManifestArray& array,
                          absl::Span<const ManifestShard* const> shards,
                          absl::Span<const Box> boxes,
                          absl::Span<Literal> parts);
  absl::Status ReadShard(const ManifestArray& array, const ManifestShard& shard,
                         absl::Span<const Box> boxes,
                         absl::Span<Literal> parts);
  absl::Status ReadBlocks(const ManifestArray& array,
                          const ManifestShard& shard,
                          std::vector<RunCursor> cursors);
  absl::Status ReadBlock(const ManifestArray& array, const ManifestShard& shard,
                         int64_t block, absl::Span<std::byte> bytes);
  std::string Path(const std::string& name) const;

  const std::string folder_;
  const int64_t block_bytes_;
  std::map<std::string, RegularFile> files_;
  std::vector<std::byte> block_;
  int64_t bytes_read_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_SHARD_READER_H_
