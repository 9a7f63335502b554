#include "runtime/collectives/hierarchical/local_copies.h"

#include <algorithm>
#include <vector>

#include "runtime/base/parallel_copy.h"

namespace lockstep::internal {

void LocalCopies::Add(const PartCopy& copy) {
  bytes_ += copy.from.size();
  for (int64_t begin = 0; begin < copy.from.size(); begin += piece_bytes_) {
    left_.push_back(
        {copy, begin, std::min(begin + piece_bytes_, copy.from.size())});
  }
}

void LocalCopies::DoSome() {
  const int64_t bytes = piece_bytes_ * ParallelRunThreads();
  std::vector<PartRange> ranges;
  for (int64_t taken = 0; taken < bytes && !left_.empty();) {
    taken += left_.front().size();
    ranges.push_back(left_.front());
    left_.pop_front();
  }
  CopyPartRanges(ranges);
}

void LocalCopies::DoAll() {
  CopyPartRanges(std::vector<PartRange>(left_.begin(), left_.end()));
  left_.clear();
}

}  // namespace lockstep::internal
