#include "runtime/worker/daemon/checkpoint_calls.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "proto/convert.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/block_checksums.h"
#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/shard_reader.h"
#include "runtime/checkpoint/shard_writer.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

constexpr char kOfClient[] = "the manifest of the client";

absl::Status CheckShard(const Manifest& manifest,
                        const proto::SaveShardsRequest::Shard& shard) {
  if (shard.place() >= manifest.arrays.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kOfClient, ": expected one of its ",
                     manifest.arrays.size(), " arrays, found ", shard.place()));
  }
  const ManifestArray& array = manifest.arrays[shard.place()];
  if (shard.starts_size() == array.shape.rank()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(kOfClient, ", array '", array.path, "': expected ",
                   array.shape.rank(), " starts, found ", shard.starts_size()));
}

// In place; nobody can donate the buffer meanwhile.
ShardSource SourceOf(const proto::SaveShardsRequest::Shard& shard,
                     std::shared_ptr<Buffer> buffer) {
  ShardSource source;
  source.array = shard.place();
  source.starts.assign(shard.starts().begin(), shard.starts().end());
  source.read = [buffer = std::move(buffer)](const ByteSink& sink) {
    return ReadInPlace(
        {buffer}, [&](const LiteralView& value) { sink(value.byte_span()); });
  };
  return source;
}

// Ends when the client is gone; `is_gone` outlives the source.
void EndWhen(const CheckpointCalls::IsGone& is_gone, ShardSource& source) {
  source.read = [&is_gone,
                 read = std::move(source.read)](const ByteSink& sink) {
    bool has_ended = false;
    RETURN_IF_ERROR(read([&](absl::Span<const std::byte> bytes) {
      while (!bytes.empty() && !has_ended) {
        sink(bytes.subspan(0, kBlockBytes));
        bytes.remove_prefix(std::min<size_t>(bytes.size(), kBlockBytes));
        has_ended = is_gone();
      }
    }));
    return has_ended ? absl::CancelledError("the client is gone")
                     : absl::OkStatus();
  };
}

absl::StatusOr<Box> BoxOf(const proto::RestoreShardsRequest::Shard& shard,
                          const ManifestArray& array) {
  const absl::Span<const int64_t> dims = array.shape.dims();
  const auto rank = static_cast<int>(dims.size());
  bool is_within = shard.starts_size() == rank && shard.sizes_size() == rank;
  Box box;
  for (int i = 0; is_within && i < rank; ++i) {
    const int64_t start = shard.starts(i);
    const int64_t size = shard.sizes(i);
    is_within =
        start >= 0 && size >= 0 && start <= dims[i] && size <= dims[i] - start;
    box.starts.push_back(start);
    box.sizes.push_back(size);
  }
  if (is_within) return box;
  return absl::InvalidArgumentError(
      absl::StrCat("array '", array.path, "': expected a part of ",
                   FormText(array.shape), ", found another"));
}

absl::Status ReadArray(const proto::RestoreShardsRequest::Array& message,
                       const Manifest& manifest, ShardReader& reader,
                       std::vector<ArrayPlacement::PlacedValue>& values) {
  const ManifestArray* const array = manifest.Find(message.path());
  if (array == nullptr) {
    return absl::NotFoundError(
        absl::StrCat(kManifestName, ": no array '", message.path(), "'"));
  }
  std::vector<Box> boxes;
  for (const auto& shard : message.shards()) {
    ASSIGN_OR_RETURN(boxes.emplace_back(), BoxOf(shard, *array));
  }
  ASSIGN_OR_RETURN(std::vector<Literal> parts, reader.Read(*array, boxes));
  for (size_t i = 0; i < parts.size(); ++i) {
    ASSIGN_OR_RETURN(
        std::vector<GlobalDeviceId> devices,
        ShardDevices(message.shards(static_cast<int>(i)).devices()));
    values.push_back(
        {FromProto(message.array()), std::move(devices), std::move(parts[i])});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> CheckpointCalls::FolderOf(
    const std::string& folder) const {
  if (permitted_.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        folder,
        ": expected a folder that workers may use, found none: they have no "
        "--checkpoint-dir"));
  }
  std::error_code of_permitted, of_folder;
  // Links are followed as far as there is something.
  fs::path within =
      fs::weakly_canonical(fs::absolute(permitted_), of_permitted);
  if (!within.has_filename()) within = within.parent_path();
  // "..", by the text, goes first: what it takes away may not be there yet, and
  // links behind it would not be followed.
  const fs::path path =
      fs::weakly_canonical(fs::path(folder).lexically_normal(), of_folder);
  const bool is_within =
      !of_permitted && !of_folder && !within.empty() &&
      fs::path(folder).is_absolute() &&
      std::mismatch(within.begin(), within.end(), path.begin(), path.end())
              .first == within.end();
  if (is_within) return path.string();
  return absl::FailedPreconditionError(
      absl::StrCat(folder, ": expected a folder in ", permitted_,
                   ", the --checkpoint-dir of the worker"));
}

absl::StatusOr<proto::OpenCheckpointReply> CheckpointCalls::Open(
    const proto::OpenCheckpointRequest& request) const {
  proto::OpenCheckpointReply reply;
  if (permitted_.empty()) return reply;
  ASSIGN_OR_RETURN(const std::string folder, FolderOf(request.folder()));
  reply.set_is_permitted(true);
  if (!request.reads_manifest()) return reply;
  std::string text;
  RETURN_IF_ERROR(ReadManifest(folder, &text).status());
  reply.set_manifest(std::move(text));
  return reply;
}

absl::StatusOr<std::string> CheckpointCalls::Save(
    const proto::SaveShardsRequest& request, const FindShard& find,
    const std::function<void()>& on_copied, const IsGone& is_gone) {
  ASSIGN_OR_RETURN(const std::string folder, FolderOf(request.folder()));
  ASSIGN_OR_RETURN(Manifest manifest,
                   ParseManifest(request.manifest(), kOfClient));
  ASSIGN_OR_RETURN(const auto turn, turns_.Take(folder, is_gone));
  std::vector<ShardSource> sources;
  for (const auto& shard : request.shards()) {
    RETURN_IF_ERROR(CheckShard(manifest, shard));
    auto buffer =
        find(FromProto(shard.array()), GlobalDeviceId(shard.device()));
    if (buffer.ok()) {
      sources.push_back(SourceOf(shard, *std::move(buffer)));
      const absl::Status copied =
          request.copies_first()
              ? CopyToMemory(manifest.arrays[shard.place()].shard_shape,
                             sources.back())
              : absl::OkStatus();
      if (copied.ok()) continue;
      buffer = copied;
    }
    return Annotate(
        buffer.status(),
        absl::StrCat("array '", manifest.arrays[shard.place()].path, "'"));
  }
  if (request.copies_first()) on_copied();
  for (ShardSource& source : sources) EndWhen(is_gone, source);
  RETURN_IF_ERROR(WriteShards(folder, sources, manifest));
  return FormatManifest(manifest);
}

absl::Status CheckpointCalls::Commit(
    const proto::CommitCheckpointRequest& request, const IsGone& is_gone) {
  ASSIGN_OR_RETURN(const std::string folder, FolderOf(request.folder()));
  ASSIGN_OR_RETURN(const Manifest manifest,
                   ParseManifest(request.manifest(), kOfClient));
  if (!request.is_given_up()) {
    RETURN_IF_ERROR(CheckIsComplete(manifest));
    // Makes the folder, where no host has had a shard to write; and what
    // another save writes meanwhile is no leftover.
    ASSIGN_OR_RETURN(const auto turn, turns_.Take(folder, is_gone));
    return PutInPlace(folder, manifest);
  }
  RemoveShardFiles(folder, manifest);
  return absl::OkStatus();
}

absl::Status CheckpointCalls::Restore(
    const proto::RestoreShardsRequest& request, const IsGone& is_gone) const {
  ASSIGN_OR_RETURN(const std::string folder, FolderOf(request.folder()));
  std::string text;
  ASSIGN_OR_RETURN(const Manifest manifest, ReadManifest(folder, &text));
  const uint64_t checksum = ChecksumOf(absl::MakeConstSpan(
      reinterpret_cast<const std::byte*>(text.data()), text.size()));
  if (checksum != request.checksum()) {
    return absl::FailedPreconditionError(absl::StrCat(
        folder, "/", kManifestName, ": expected the checkpoint that ",
        "the other hosts found, found another: a save has ended meanwhile, or "
        "the folder is not one that all hosts share"));
  }
  ShardReader reader(folder, manifest);
  std::vector<ArrayPlacement::PlacedValue> values;
  for (const auto& array : request.arrays()) {
    if (is_gone()) break;
    RETURN_IF_ERROR(ReadArray(array, manifest, reader, values));
  }
  // Nobody would delete what is put for a client that is gone.
  if (is_gone()) return absl::CancelledError("the client is gone");
  return placement_.Put(std::move(values));
}

}  // namespace lockstep::internal
