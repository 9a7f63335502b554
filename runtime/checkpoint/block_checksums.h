#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_BLOCK_CHECKSUMS_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_BLOCK_CHECKSUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"

namespace lockstep::internal {

// XXH3 of 64 bits.
uint64_t ChecksumOf(absl::Span<const std::byte> bytes);

// The checksums of the blocks of bytes that come in pieces of any size: every
// block has `block_bytes`, the last one the rest. Not thread-safe.
class BlockChecksums {
 public:
  explicit BlockChecksums(int64_t block_bytes);
  BlockChecksums(BlockChecksums&&) noexcept;
  ~BlockChecksums();

  // How many bytes the present block still lacks: at least one.
  int64_t missing() const { return block_bytes_ - taken_; }
  void Add(absl::Span<const std::byte> bytes);
  // Of all blocks.
  std::vector<uint64_t> Finish();

 private:
  struct State;

  const int64_t block_bytes_;
  int64_t taken_ = 0;  // of the present block
  std::unique_ptr<State> state_;
  std::vector<uint64_t> checksums_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_BLOCK_CHECKSUMS_H_
