#include "runtime/checkpoint/run_cursor.h"

#include <algorithm>
#include <utility>

namespace lockstep::internal {

std::optional<Box> Intersection(const Box& a, const Box& b) {
  Box common;
  for (size_t i = 0; i < a.starts.size(); ++i) {
    const int64_t start = std::max(a.starts[i], b.starts[i]);
    const int64_t stop =
        std::min(a.starts[i] + a.sizes[i], b.starts[i] + b.sizes[i]);
    if (start >= stop) return std::nullopt;
    common.starts.push_back(start);
    common.sizes.push_back(stop - start);
  }
  return common;
}

RunCursor::RunCursor(const Box& source, const Box& target_box,
                     MutableLiteralView target, const Box& common)
    : target_(std::move(target)),
      run_bytes_(ByteSize(target_.shape().element_type())) {
  int64_t source_stride = run_bytes_;
  int64_t target_stride = run_bytes_;
  bool is_run = true;
  for (size_t i = common.sizes.size(); i-- > 0;) {
    source_ += (common.starts[i] - source.starts[i]) * source_stride;
    destination_ += (common.starts[i] - target_box.starts[i]) * target_stride;
    if (is_run) {
      run_bytes_ *= common.sizes[i];
    } else {
      sizes_.push_back(common.sizes[i]);
      source_strides_.push_back(source_stride);
      target_strides_.push_back(target_stride);
    }
    // Rows follow each other where both boxes have all of each.
    is_run = is_run && common.sizes[i] == source.sizes[i] &&
             common.sizes[i] == target_box.sizes[i];
    source_stride *= source.sizes[i];
    target_stride *= target_box.sizes[i];
  }
  index_.resize(sizes_.size());
}

std::byte* RunCursor::DestinationOf(int64_t count) const {
  if (is_done_ || count > run_bytes_ - taken_) return nullptr;
  return target_.bytes() + destination_ + taken_;
}

void RunCursor::Take(int64_t begin, absl::Span<const std::byte> bytes) {
  const int64_t end = begin + static_cast<int64_t>(bytes.size());
  while (!is_done_ && next() < end) {
    const int64_t count = std::min(run_bytes_ - taken_, end - next());
    std::copy_n(bytes.begin() + (next() - begin), count,
                target_.bytes() + destination_ + taken_);
    Skip(count);
  }
}

void RunCursor::Skip(int64_t count) {
  taken_ += count;
  if (taken_ == run_bytes_) BeginNextRun();
}

void RunCursor::BeginNextRun() {
  taken_ = 0;
  // The innermost of the dimensions comes first.
  for (size_t i = 0; i < sizes_.size(); ++i) {
    source_ += source_strides_[i];
    destination_ += target_strides_[i];
    if (++index_[i] < sizes_[i]) return;
    source_ -= sizes_[i] * source_strides_[i];
    destination_ -= sizes_[i] * target_strides_[i];
    index_[i] = 0;
  }
  is_done_ = true;
}

}  // namespace lockstep::internal
