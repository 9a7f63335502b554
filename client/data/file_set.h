#ifndef LOCKSTEP_CLIENT_DATA_FILE_SET_H_
#define LOCKSTEP_CLIENT_DATA_FILE_SET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/partitioning/data_layout.h"

namespace lockstep {

struct FileSetOptions {
  // Every epoch has an order of its own that follows from this; none: all
  // epochs have the files ascending.
  std::optional<uint64_t> shuffle_seed = {};
};

// A data set that is many files, each read by one shard of a DataLayout, and
// so by the hosts of that shard. An epoch is an order of all files; of n shards
// shard s reads those at s, s + n, s + 2n, .. of it. Hosts that pass the same
// paths, number of shards and seed so read every file once per epoch between
// them, without asking each other. Orders are the same on every machine and in
// every version.
//
// Paths are words here: no file is looked at. A value type.
class FileSet {
 public:
  // `paths` in any order. INVALID_ARGUMENT: no paths; a path twice; fewer than
  // there are shards; a shard that the layout does not have.
  static absl::StatusOr<FileSet> Create(std::vector<std::string> paths,
                                        const DataLayout& layout,
                                        const FileSetOptions& options = {});

  // Of all shards, ascending by bytes.
  const std::vector<std::string>& paths() const { return paths_; }
  // What this shard reads in the epoch, in the order to read it; one at least.
  // Shards differ by one file at most.
  std::vector<std::string> PathsOfEpoch(int64_t epoch) const;
  // Equal on hosts whose paths, number of shards and seed are, to be compared
  // among them (assert_equal).
  uint64_t Fingerprint() const;

 private:
  FileSet(std::vector<std::string> paths, const DataLayout& layout,
          const FileSetOptions& options);

  std::vector<std::string> paths_;
  int64_t shard_id_;
  int64_t num_shards_;
  FileSetOptions options_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_DATA_FILE_SET_H_
