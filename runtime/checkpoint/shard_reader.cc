#include "runtime/checkpoint/shard_reader.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/checkpoint/block_checksums.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/canonical_elements.h"

namespace lockstep::internal {
namespace {

// Every host that has saved has written one.
constexpr size_t kMostOpenFiles = 64;
// One thread spends most of its time on memory: pages that nobody has used,
// checksums. Disks have their own limit.
constexpr unsigned kMostThreads = 4;
// Below this a thread costs more than it saves.
constexpr int64_t kBytesPerThread = int64_t{4} << 20;

std::string ShardText(const ManifestArray& array, const ManifestShard& shard) {
  return absl::StrCat("array '", array.path, "', the shard of ",
                      TupleText(array.shard_shape.dims()), " at ",
                      TupleText(shard.starts));
}

}  // namespace

absl::StatusOr<std::vector<Literal>> ShardReader::Read(
    const ManifestArray& array, absl::Span<const Box> boxes) {
  std::vector<Literal> parts;
  if (array.shape.element_count() == 0) {
    for (const Box& box : boxes) {
      parts.push_back(Literal(Shape(array.shape.element_type(), box.sizes)));
    }
    return parts;
  }
  const std::vector<const ManifestShard*> shards = ShardsOf(array, boxes);
  // Memory is taken for what is there.
  for (const ManifestShard* shard : shards) {
    RETURN_IF_ERROR(CheckSize(array, *shard));
  }
  for (const Box& box : boxes) {
    absl::StatusOr<Literal> part =
        Literal::Allocate(Shape(array.shape.element_type(), box.sizes));
    if (!part.ok()) {
      return Annotate(part.status(), absl::StrCat("array '", array.path, "'"));
    }
    parts.push_back(*std::move(part));
  }
  RETURN_IF_ERROR(ReadShards(array, shards, boxes, absl::MakeSpan(parts)));
  for (Literal& part : parts) CanonicalizeElements(part.mutable_view());
  return parts;
}

absl::Status ShardReader::ReadShards(
    const ManifestArray& array, absl::Span<const ManifestShard* const> shards,
    absl::Span<const Box> boxes, absl::Span<Literal> parts) {
  int64_t bytes = 0;  // that are taken
  for (const Literal& part : parts) bytes += part.shape().byte_size();
  const auto threads = static_cast<size_t>(std::min<int64_t>(
      {static_cast<int64_t>(shards.size()), bytes / kBytesPerThread,
       std::min(kMostThreads, std::thread::hardware_concurrency())}));
  // Shards have no element in common, so threads write different memory. What
  // is told is the first shard's error, whichever thread comes to one first.
  std::vector<absl::Status> statuses(shards.size());
  std::atomic<size_t> next = 0;
  std::atomic<bool> has_failed = false;
  const auto read_some = [&](ShardReader& reader) {
    while (!has_failed) {
      const size_t i = next.fetch_add(1);
      if (i >= shards.size()) return;
      try {
        statuses[i] = reader.ReadShard(array, *shards[i], boxes, parts);
      } catch (const std::bad_alloc&) {  // would end the process in a thread
        statuses[i] = absl::ResourceExhaustedError(absl::StrCat(
            ShardText(array, *shards[i]), ": no memory to read it"));
      }
      if (!statuses[i].ok()) has_failed = true;
    }
  };
  std::vector<std::unique_ptr<ShardReader>> helpers;
  std::vector<std::thread> running;
  for (size_t i = 1; i < threads; ++i) {
    helpers.push_back(absl::WrapUnique(new ShardReader(folder_, block_bytes_)));
    try {
      running.emplace_back([&read_some, &helper = *helpers.back()] {
        SetThreadName("shard-reader");
        read_some(helper);
      });
    } catch (const std::system_error&) {
      break;  // with those that there are
    }
  }
  read_some(*this);
  for (std::thread& thread : running) thread.join();
  for (const auto& helper : helpers) bytes_read_ += helper->bytes_read_;
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

absl::Status ShardReader::ReadShard(const ManifestArray& array,
                                    const ManifestShard& shard,
                                    absl::Span<const Box> boxes,
                                    absl::Span<Literal> parts) {
  const Box source = array.BoxOf(shard);
  std::vector<RunCursor> cursors;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const auto common = Intersection(source, boxes[i]);
    if (!common.has_value()) continue;
    cursors.emplace_back(source, boxes[i], parts[i].mutable_view(), *common);
  }
  return ReadBlocks(array, shard, std::move(cursors));
}

std::vector<const ManifestShard*> ShardReader::ShardsOf(
    const ManifestArray& array, absl::Span<const Box> boxes) {
  std::vector<const ManifestShard*> shards;
  for (const ManifestShard& shard : array.shards) {
    const Box source = array.BoxOf(shard);
    if (std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
          return Intersection(source, box).has_value();
        })) {
      shards.push_back(&shard);
    }
  }
  return shards;
}

std::string ShardReader::Path(const std::string& name) const {
  return absl::StrCat(folder_, "/", name);
}

absl::StatusOr<const RegularFile*> ShardReader::Open(const std::string& name) {
  if (const auto it = files_.find(name); it != files_.end()) return &it->second;
  if (files_.size() == kMostOpenFiles) files_.clear();
  ASSIGN_OR_RETURN(RegularFile file, RegularFile::Open(Path(name)));
  return &files_.emplace(name, std::move(file)).first->second;
}

absl::Status ShardReader::CheckSize(const ManifestArray& array,
                                    const ManifestShard& shard) {
  const absl::StatusOr<const RegularFile*> file = Open(shard.file);
  if (!file.ok()) {
    return absl::Status(file.status().code(),
                        absl::StrCat(file.status().message(), ": expected ",
                                     ShardText(array, shard)));
  }
  const int64_t end = shard.offset + array.shard_shape.byte_size();
  if ((*file)->size() >= end) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(Path(shard.file), ": ", ShardText(array, shard),
                   ": expected ", end, " bytes, found ", (*file)->size()));
}

absl::Status ShardReader::ReadBlocks(const ManifestArray& array,
                                     const ManifestShard& shard,
                                     std::vector<RunCursor> cursors) {
  const int64_t bytes = array.shard_shape.byte_size();
  while (true) {
    int64_t next = std::numeric_limits<int64_t>::max();
    for (const RunCursor& cursor : cursors) {
      if (!cursor.is_done()) next = std::min(next, cursor.next());
    }
    if (next >= bytes) return absl::OkStatus();
    const int64_t block = next / block_bytes_;
    const int64_t begin = block * block_bytes_;
    const int64_t count = std::min(block_bytes_, bytes - begin);
    // Into its place, when one part takes all of it.
    std::byte* const place = cursors.size() == 1 && next == begin
                                 ? cursors[0].DestinationOf(count)
                                 : nullptr;
    if (place != nullptr) {
      RETURN_IF_ERROR(
          ReadBlock(array, shard, block,
                    absl::MakeSpan(place, static_cast<size_t>(count))));
      cursors[0].Skip(count);
      continue;
    }
    block_.resize(static_cast<size_t>(count));
    RETURN_IF_ERROR(ReadBlock(array, shard, block, absl::MakeSpan(block_)));
    for (RunCursor& cursor : cursors) cursor.Take(begin, block_);
  }
}

absl::Status ShardReader::ReadBlock(const ManifestArray& array,
                                    const ManifestShard& shard, int64_t block,
                                    absl::Span<std::byte> bytes) {
  const auto count = static_cast<int64_t>(bytes.size());
  const int64_t offset = shard.offset + block * block_bytes_;
  ASSIGN_OR_RETURN(const RegularFile* const file, Open(shard.file));
  const absl::Status status = file->ReadAt(offset, bytes.data(), count);
  if (absl::IsInvalidArgument(status)) {  // it became shorter
    return absl::DataLossError(status.message());
  }
  RETURN_IF_ERROR(status);
  bytes_read_ += count;
  const uint64_t found = ChecksumOf(bytes);
  const uint64_t expected = shard.checksums[static_cast<size_t>(block)];
  if (found == expected) return absl::OkStatus();
  return absl::DataLossError(absl::StrFormat(
      "%s: %s: the bytes from %d to %d were changed: expected the checksum "
      "%016x, found %016x",
      Path(shard.file), ShardText(array, shard), offset, offset + count,
      expected, found));
}

}  // namespace lockstep::internal
