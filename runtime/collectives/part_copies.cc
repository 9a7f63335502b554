#include "runtime/collectives/part_copies.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/parallel_copy.h"

namespace lockstep::internal {
namespace {

// So much is copied by one thread at a time.
constexpr int64_t kChunkBytes = int64_t{1} << 20;

// Walks through the bytes of a part in their order.
class Cursor {
 public:
  Cursor(const PartPlace& place, int64_t position)
      : place_(place),
        within_(position % place.block),
        offset_(place.start + position / place.block * place.stride + within_) {
  }

  int64_t offset() const { return offset_; }
  // To the end of the block.
  int64_t left() const { return place_.block - within_; }
  // By at most what is left.
  void Advance(int64_t bytes) {
    within_ += bytes;
    offset_ += bytes;
    if (within_ < place_.block) return;
    within_ = 0;
    offset_ += place_.stride - place_.block;
  }

 private:
  const PartPlace& place_;
  int64_t within_;  // the block
  int64_t offset_;  // in the tensor
};

// The bytes [begin, end) of the part.
void CopySome(const PartCopy& copy, int64_t begin, int64_t end) {
  Cursor from(copy.from, begin);
  Cursor to(copy.to, begin);
  while (begin < end) {
    const int64_t bytes = std::min({from.left(), to.left(), end - begin});
    std::memcpy(copy.target + to.offset(), copy.source + from.offset(),
                static_cast<size_t>(bytes));
    from.Advance(bytes);
    to.Advance(bytes);
    begin += bytes;
  }
}

}  // namespace

void CopyParts(const std::vector<PartCopy>& copies) {
  struct Chunk {
    const PartCopy* copy;
    int64_t begin;
    int64_t end;
  };
  std::vector<Chunk> chunks;
  for (const PartCopy& copy : copies) {
    const int64_t size = copy.from.size();
    for (int64_t begin = 0; begin < size; begin += kChunkBytes) {
      chunks.push_back({&copy, begin, std::min(begin + kChunkBytes, size)});
    }
  }
  // Small ones are many where there are many ranks: a thread takes several.
  const size_t step = std::max<size_t>(
      1, copies.empty()
             ? 1
             : kChunkBytes / std::max<int64_t>(1, copies[0].from.size()));
  const size_t steps = (chunks.size() + step - 1) / step;
  ParallelRun(steps, [&](size_t i) {
    for (size_t j = i * step; j < std::min(chunks.size(), (i + 1) * step);
         ++j) {
      CopySome(*chunks[j].copy, chunks[j].begin, chunks[j].end);
    }
  });
}

}  // namespace lockstep::internal
