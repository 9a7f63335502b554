#include "runtime/collectives/part_copies.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/base/parallel_copy.h"

namespace lockstep::internal {
namespace {

// So much is copied by one thread at a time.
constexpr int64_t kChunkBytes = int64_t{512} << 10;

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

void CopyRange(const PartRange& range) {
  const PartCopy& copy = range.copy;
  if (range.begin == range.end) return;
  Cursor from(copy.from, range.begin);
  Cursor to(copy.to, range.begin);
  for (int64_t left = range.size(); left > 0;) {
    const int64_t bytes = std::min({from.left(), to.left(), left});
    std::memcpy(copy.target + to.offset(), copy.source + from.offset(),
                static_cast<size_t>(bytes));
    from.Advance(bytes);
    to.Advance(bytes);
    left -= bytes;
  }
}

}  // namespace

void CopyParts(const std::vector<PartCopy>& copies) {
  std::vector<PartRange> ranges;
  for (const PartCopy& copy : copies) {
    ranges.push_back({copy, 0, copy.from.size()});
  }
  CopyPartRanges(ranges);
}

void CopyPartRanges(absl::Span<const PartRange> ranges) {
  std::vector<PartRange> chunks;
  int64_t total = 0;
  for (const PartRange& range : ranges) {
    total += range.size();
    for (int64_t begin = range.begin; begin < range.end; begin += kChunkBytes) {
      chunks.push_back(
          {range.copy, begin, std::min(begin + kChunkBytes, range.end)});
    }
  }
  // Small ones are many where there are many ranks: a thread takes several.
  const auto step = static_cast<size_t>(std::max<int64_t>(
      1, kChunkBytes * std::ssize(chunks) / std::max<int64_t>(1, total)));
  const size_t steps = (chunks.size() + step - 1) / step;
  ParallelRun(steps, [&](size_t i) {
    for (size_t j = i * step; j < std::min(chunks.size(), (i + 1) * step);
         ++j) {
      CopyRange(chunks[j]);
    }
  });
}

}  // namespace lockstep::internal
