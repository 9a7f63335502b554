#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_PART_COPIES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_PART_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/collectives/tensor_parts.h"

namespace lockstep::internal {

// Where one part of a tensor lies in it: `count` blocks of bytes, `stride`
// bytes from the start of one to that of the next.
struct PartPlace {
  int64_t start = 0;
  int64_t count = 1;
  int64_t block = 0;
  int64_t stride = 0;

  int64_t size() const { return count * block; }
  friend bool operator==(const PartPlace&, const PartPlace&) = default;

  static PartPlace OneBlock(int64_t start, int64_t size) {
    return {start, 1, size, size};
  }
  // Of the `part`-th.
  static PartPlace Of(const TensorParts& parts, int64_t part) {
    return {part * parts.block, parts.outer, parts.block,
            parts.parts * parts.block};
  }
};

// A part of one tensor that becomes a part of another one, of the same size;
// their blocks may be of different sizes. The memory is the host's.
struct PartCopy {
  const std::byte* source = nullptr;  // the tensor
  PartPlace from;
  std::byte* target = nullptr;
  PartPlace to;
};

// All of them; many bytes by several threads.
void CopyParts(const std::vector<PartCopy>& copies);

// The bytes [begin, end) of a part.
struct PartRange {
  PartCopy copy;
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
};
void CopyPartRanges(absl::Span<const PartRange> ranges);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_PART_COPIES_H_
