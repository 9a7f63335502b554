#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_MANIFEST_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_MANIFEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/types/box.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// One shard of an array, as it lies in a file: its elements, row-major.
struct ManifestShard {
  std::vector<int64_t> starts;  // in the array
  std::string file;             // in the checkpoint's folder
  int64_t offset = 0;
  // Of its blocks, each of block_bytes, the last one of the rest.
  std::vector<uint64_t> checksums;
  friend bool operator==(const ManifestShard&, const ManifestShard&) = default;
};

// An array that is cut into a grid of equal shards; one without elements has
// none.
struct ManifestArray {
  std::string path;  // in the tree
  Shape shape;
  Shape shard_shape;
  std::vector<ManifestShard> shards;  // ascending by their starts
  friend bool operator==(const ManifestArray&, const ManifestArray&) = default;

  Box BoxOf(const ManifestShard& shard) const;
};

// What a checkpoint consists of. A value type.
struct Manifest {
  int64_t block_bytes = 0;
  std::vector<ManifestArray> arrays;  // ascending by path
  friend bool operator==(const Manifest&, const Manifest&) = default;

  // Null: there is none.
  const ManifestArray* Find(absl::string_view path) const;
};

constexpr char kManifestName[] = "manifest.json";
constexpr int64_t kBlockBytes = int64_t{1} << 20;
// Of a manifest that is read or written.
constexpr int64_t kLargestManifest = int64_t{1} << 30;

// The shape of the shards, as a StatusOr: INVALID_ARGUMENT unless they make a
// grid.
absl::StatusOr<Shape> ShardShapeIn(const Shape& shape,
                                   absl::Span<const int64_t> shard_dims);

// As text: a JSON value on each line. The first one says what the file is, then
// there is one for each array, and the last one has a checksum of all before.
// INVALID_ARGUMENT: a path that is no UTF-8. RESOURCE_EXHAUSTED: more than
// kLargestManifest.
absl::StatusOr<std::string> FormatManifest(const Manifest& manifest);

// A text of which some shards may be missing. `file` is named in errors:
// DATA_LOSS when it is not whole or was changed; INVALID_ARGUMENT for another
// version, or what FormatManifest does not write.
absl::StatusOr<Manifest> ParseManifest(absl::string_view text,
                                       absl::string_view file);

// INVALID_ARGUMENT unless every element of every array is in one shard.
absl::Status CheckIsComplete(const Manifest& manifest);

// The shards of all parts, which have the same arrays.
absl::StatusOr<Manifest> MergeManifests(absl::Span<const Manifest> parts);

// Reads the manifest of a checkpoint, which is complete. NOT_FOUND: there is
// none.
absl::StatusOr<Manifest> ReadManifest(const std::string& folder,
                                      std::string* text = nullptr);

// "float32 (8, 4)".
std::string FormText(const Shape& shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_MANIFEST_H_
