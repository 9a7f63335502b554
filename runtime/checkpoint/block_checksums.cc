#include "runtime/checkpoint/block_checksums.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace lockstep::internal {

struct BlockChecksums::State {
  XXH3_state_t xxh3;
};

uint64_t ChecksumOf(absl::Span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

BlockChecksums::BlockChecksums(int64_t block_bytes)
    : block_bytes_(block_bytes), state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->xxh3);
}

BlockChecksums::BlockChecksums(BlockChecksums&&) noexcept = default;

BlockChecksums::~BlockChecksums() = default;

void BlockChecksums::Add(absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.subspan(0, static_cast<size_t>(missing()));
    bytes.remove_prefix(piece.size());
    if (static_cast<int64_t>(piece.size()) == block_bytes_) {
      checksums_.push_back(ChecksumOf(piece));
      continue;
    }
    XXH3_64bits_update(&state_->xxh3, piece.data(), piece.size());
    taken_ += static_cast<int64_t>(piece.size());
    if (missing() > 0) continue;
    checksums_.push_back(XXH3_64bits_digest(&state_->xxh3));
    XXH3_64bits_reset(&state_->xxh3);
    taken_ = 0;
  }
}

std::vector<uint64_t> BlockChecksums::Finish() {
  if (taken_ > 0) checksums_.push_back(XXH3_64bits_digest(&state_->xxh3));
  XXH3_64bits_reset(&state_->xxh3);
  taken_ = 0;
  return std::exchange(checksums_, {});
}

}  // namespace lockstep::internal
