#include "runtime/checkpoint/shard_writer.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/block_checksums.h"
#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/files/durable_file.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

// Writes one shard, and gives the checksums of its blocks.
absl::StatusOr<std::vector<uint64_t>> WriteShard(const ShardSource& source,
                                                 int64_t expected_bytes,
                                                 int64_t block_bytes,
                                                 DurableFile& file) {
  BlockChecksums checksums(block_bytes);
  absl::Status written;
  const int64_t begin = file.size();
  const absl::Status read = source.read([&](absl::Span<const std::byte> bytes) {
    // A block is written while the processor's cache has it.
    while (!bytes.empty() && written.ok()) {
      const auto piece =
          bytes.subspan(0, static_cast<size_t>(checksums.missing()));
      bytes.remove_prefix(piece.size());
      checksums.Add(piece);
      written = file.Write(piece);
    }
  });
  RETURN_IF_ERROR(written);
  RETURN_IF_ERROR(read);
  if (file.size() - begin != expected_bytes) {
    return absl::InternalError(absl::StrCat("expected ", expected_bytes,
                                            " bytes of a shard, found ",
                                            file.size() - begin));
  }
  return checksums.Finish();
}

}  // namespace

absl::Status CopyToMemory(const Shape& shape, ShardSource& source) {
  ASSIGN_OR_RETURN(Literal literal, Literal::Allocate(shape));
  const absl::Span<std::byte> whole = literal.mutable_view().byte_span();
  size_t size = 0;
  RETURN_IF_ERROR(source.read([&](absl::Span<const std::byte> bytes) {
    const auto piece = bytes.subspan(0, whole.size() - size);
    std::copy(piece.begin(), piece.end(), whole.begin() + size);
    size += piece.size();
  }));
  if (size != whole.size()) {
    return absl::InternalError(absl::StrCat("expected ", whole.size(),
                                            " bytes of a shard, found ", size));
  }
  source.read = [copied = std::make_shared<const Literal>(std::move(literal))](
                    const ByteSink& sink) {
    sink(copied->byte_span());
    return absl::OkStatus();
  };
  source.is_in_memory = true;
  return absl::OkStatus();
}

absl::Status WriteShards(const std::string& folder,
                         absl::Span<const ShardSource> sources,
                         Manifest& manifest) {
  if (sources.empty()) return absl::OkStatus();
  const std::string name = NewShardFileName();
  const std::string path = absl::StrCat(folder, "/", name);
  ASSIGN_OR_RETURN(DurableFile file, DurableFile::Create(path));
  std::vector<ManifestShard> shards;
  for (const ShardSource& source : sources) {
    const ManifestArray& array = manifest.arrays[source.array];
    const int64_t offset = file.size();
    absl::StatusOr<std::vector<uint64_t>> checksums = WriteShard(
        source, array.shard_shape.byte_size(), manifest.block_bytes, file);
    if (!checksums.ok()) {
      return Annotate(checksums.status(),
                      absl::StrCat("array '", array.path, "'"));
    }
    shards.push_back({source.starts, name, offset, *std::move(checksums)});
  }
  if (const absl::Status status = file.Commit(); !status.ok()) {
    unlink(path.c_str());  // if it has its name already
    return status;
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    manifest.arrays[sources[i].array].shards.push_back(std::move(shards[i]));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
