#include "client/data/file_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014). Written out, since the generators and
// shuffles of standard libraries differ.
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

// Neighbouring seeds and epochs have nothing in common.
SplitMix GeneratorOf(uint64_t seed, int64_t epoch) {
  return SplitMix(SplitMix(seed).Next() + static_cast<uint64_t>(epoch));
}

// Fisher and Yates. The bias of the remainder is below their number / 2^64.
void Shuffle(SplitMix generator, std::vector<size_t>& positions) {
  for (size_t left = positions.size(); left > 1; --left) {
    std::swap(positions[left - 1], positions[generator.Next() % left]);
  }
}

// FNV-1a, 64 bits.
class Hash {
 public:
  void Add(absl::string_view bytes) {
    for (const char byte : bytes) AddByte(static_cast<uint8_t>(byte));
  }
  void Add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) {
      AddByte(static_cast<uint8_t>(number >> shift));
    }
  }
  uint64_t value() const { return value_; }

 private:
  void AddByte(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  uint64_t value_ = 0xcbf29ce484222325;
};

absl::Status CheckLayout(const DataLayout& layout) {
  if (layout.num_shards >= 1 && layout.shard_id >= 0 &&
      layout.shard_id < layout.num_shards) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "file set: expected a shard in [0, number of shards), found shard ",
      layout.shard_id, " of ", layout.num_shards));
}

// `paths` ascending.
absl::Status CheckPaths(const std::vector<std::string>& paths,
                        int64_t num_shards) {
  if (paths.empty()) {
    return absl::InvalidArgumentError(
        "file set: expected at least one file, found none");
  }
  const auto twice = std::adjacent_find(paths.begin(), paths.end());
  if (twice != paths.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("file set: ", *twice, " is there twice"));
  }
  if (static_cast<int64_t>(paths.size()) < num_shards) {
    return absl::InvalidArgumentError(absl::StrCat(
        "file set: expected a file for each of ", num_shards, " shards, found ",
        paths.size(), ", from ", paths.front(), " to ", paths.back()));
  }
  return absl::OkStatus();
}

}  // namespace

FileSet::FileSet(std::vector<std::string> paths, const DataLayout& layout,
                 const FileSetOptions& options)
    : paths_(std::move(paths)),
      shard_id_(layout.shard_id),
      num_shards_(layout.num_shards),
      options_(options) {}

absl::StatusOr<FileSet> FileSet::Create(std::vector<std::string> paths,
                                        const DataLayout& layout,
                                        const FileSetOptions& options) {
  RETURN_IF_ERROR(CheckLayout(layout));
  std::sort(paths.begin(), paths.end());
  RETURN_IF_ERROR(CheckPaths(paths, layout.num_shards));
  return FileSet(std::move(paths), layout, options);
}

std::vector<std::string> FileSet::PathsOfEpoch(int64_t epoch) const {
  std::vector<size_t> order(paths_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (options_.shuffle_seed.has_value()) {
    Shuffle(GeneratorOf(*options_.shuffle_seed, epoch), order);
  }
  std::vector<std::string> mine;
  for (auto i = static_cast<size_t>(shard_id_); i < order.size();
       i += static_cast<size_t>(num_shards_)) {
    mine.push_back(paths_[order[i]]);
  }
  return mine;
}

uint64_t FileSet::Fingerprint() const {
  Hash hash;
  hash.Add(static_cast<uint64_t>(num_shards_));
  hash.Add(options_.shuffle_seed.has_value() ? uint64_t{1} : uint64_t{0});
  hash.Add(options_.shuffle_seed.value_or(0));
  for (const std::string& path : paths_) {
    hash.Add(path.size());
    hash.Add(path);
  }
  return hash.value();
}

}  // namespace lockstep
