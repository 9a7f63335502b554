#include "runtime/ops/evaluation/lane_sorter.h"

#include <algorithm>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {

LaneSorter::LaneSorter(EvaluationContext& context, const Region& comparator,
                       absl::Span<const LiteralView> inputs, int64_t dim)
    : inputs_(inputs), comparator_(context, comparator) {
  const Shape& shape = inputs[0].shape();
  length_ = shape.dim(dim);
  const int64_t stride = shape.Strides()[dim];
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    if (i / stride % length_ == 0) {
      for (int64_t j = 0; j < length_; ++j) order_.push_back(i + j * stride);
    }
  }
}

absl::Status LaneSorter::Sort() {
  std::vector<int64_t> merged(order_.size());
  for (int64_t width = 1; width < length_; width *= 2) {
    RETURN_IF_ERROR(MergePass(width, merged));
    std::swap(order_, merged);
  }
  return absl::OkStatus();
}

absl::Status LaneSorter::MergePass(int64_t width,
                                   std::vector<int64_t>& merged) {
  const int64_t total = static_cast<int64_t>(order_.size());
  std::vector<Merge> merges;
  for (int64_t lane = 0; lane < total; lane += length_) {
    for (int64_t first = 0; first < length_; first += 2 * width) {
      const int64_t middle = std::min(first + width, length_);
      const int64_t end = std::min(middle + width, length_);
      merges.push_back({lane + first, lane + middle, lane + middle, lane + end,
                        lane + first});
    }
  }
  while (!merges.empty()) {
    std::erase_if(merges, [&](Merge& merge) {
      return FinishWhenOneSided(merge, merged);
    });
    RETURN_IF_ERROR(TakeOneOfEach(merges, merged));
  }
  return absl::OkStatus();
}

bool LaneSorter::FinishWhenOneSided(const Merge& merge,
                                    std::vector<int64_t>& merged) {
  if (merge.left < merge.left_end && merge.right < merge.right_end) {
    return false;
  }
  const auto out =
      std::copy(order_.begin() + merge.left, order_.begin() + merge.left_end,
                merged.begin() + merge.out);
  std::copy(order_.begin() + merge.right, order_.begin() + merge.right_end,
            out);
  return true;
}

// The right element goes first only if it is less: the sort is stable.
absl::Status LaneSorter::TakeOneOfEach(std::vector<Merge>& merges,
                                       std::vector<int64_t>& merged) {
  if (merges.empty()) return absl::OkStatus();
  std::vector<int64_t> rights, lefts;
  for (const Merge& merge : merges) {
    rights.push_back(order_[merge.right]);
    lefts.push_back(order_[merge.left]);
  }
  RETURN_IF_ERROR(Compare(rights, lefts));
  for (size_t i = 0; i < merges.size(); ++i) {
    Merge& merge = merges[i];
    int64_t& from = is_less_[i] != std::byte{0} ? merge.right : merge.left;
    merged[merge.out++] = order_[from++];
  }
  return absl::OkStatus();
}

absl::Status LaneSorter::Compare(const std::vector<int64_t>& x,
                                 const std::vector<int64_t>& y) {
  std::vector<const std::byte*> arguments;
  elements_.resize(2 * inputs_.size());
  for (size_t k = 0; k < inputs_.size(); ++k) {
    const int64_t size = ByteSize(inputs_[k].shape().element_type());
    const std::pair<std::vector<std::byte>*, const std::vector<int64_t>*>
        sides[] = {{&elements_[2 * k], &x}, {&elements_[2 * k + 1], &y}};
    for (const auto& [elements, indices] : sides) {
      elements->resize(indices->size() * size);
      CopyFromIndices(size, inputs_[k].bytes(), *indices, elements->data());
      arguments.push_back(elements->data());
    }
  }
  is_less_.resize(x.size());
  std::byte* result = is_less_.data();
  return comparator_.Run(static_cast<int64_t>(x.size()), arguments,
                         absl::MakeConstSpan(&result, 1));
}

}  // namespace lockstep::internal
