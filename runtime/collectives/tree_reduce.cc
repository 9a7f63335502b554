#include "runtime/collectives/tree_reduce.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/mesh/reduction_tree.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kBlockBytes = 16 << 10;

int LeftSize(int size) { return static_cast<int>(ReductionTreeSplit(size)); }

int Depth(int size) {
  return std::bit_width(static_cast<unsigned>(std::max(size - 1, 0))) + 1;
}

// Reduces one block of elements.
class BlockReducer {
 public:
  // Of at most `count` elements.
  BlockReducer(const Reduction& reduction, TreeValueOf value_of, int depth,
               int64_t count)
      : reduction_(reduction),
        value_of_(value_of),
        element_size_(ByteSize(reduction.element_type())),
        partial_size_(ByteSize(reduction.accumulation_type())),
        block_(std::clamp<int64_t>(kBlockBytes / partial_size_, 1, count)),
        scratch_(new std::byte[depth * block_ * partial_size_]) {}

  int64_t block() const { return block_; }
  int64_t partial_size() const { return partial_size_; }

  absl::Status Reduce(TreeNode node, int64_t first, int64_t count, int level,
                      std::byte* accumulator) {
    if (std::optional<TreeValue> value = value_of_(node)) {
      Load(*value, first, count, accumulator);
      return absl::OkStatus();
    }
    LOCKSTEP_CHECK(node.size() > 1);
    RETURN_IF_ERROR(Reduce(LeftOf(node), first, count, level + 1, accumulator));
    const std::byte* right = nullptr;
    std::optional<TreeValue> value = value_of_(RightOf(node));
    if (value && IsCombinable(*value)) {
      right = value->data + first * partial_size_;
    } else {
      std::byte* buffer = scratch_.get() + level * block_ * partial_size_;
      RETURN_IF_ERROR(Reduce(RightOf(node), first, count, level + 1, buffer));
      right = buffer;
    }
    return reduction_.Combine(accumulator, right, count);
  }

 private:
  bool IsCombinable(const TreeValue& value) const {
    return value.is_partial ||
           reduction_.element_type() == reduction_.accumulation_type();
  }

  void Load(const TreeValue& value, int64_t first, int64_t count,
            std::byte* accumulator) const {
    if (value.is_partial) {
      std::memcpy(accumulator, value.data + first * partial_size_,
                  count * partial_size_);
    } else {
      reduction_.Load(value.data + first * element_size_, accumulator, count);
    }
  }

  const Reduction& reduction_;
  const TreeValueOf value_of_;
  const int64_t element_size_;
  const int64_t partial_size_;
  const int64_t block_;
  const std::unique_ptr<std::byte[]> scratch_;
};

}  // namespace

TreeNode LeftOf(TreeNode node) {
  return {node.begin, node.begin + LeftSize(node.size())};
}
TreeNode RightOf(TreeNode node) {
  return {node.begin + LeftSize(node.size()), node.end};
}

absl::Status TreeReduce(const Reduction& reduction, TreeNode root,
                        TreeValueOf value_of, int64_t first, int64_t count,
                        std::byte* accumulator) {
  if (count == 0) return absl::OkStatus();
  BlockReducer reducer(reduction, value_of, Depth(root.size()), count);
  for (int64_t done = 0; done < count; done += reducer.block()) {
    RETURN_IF_ERROR(reducer.Reduce(
        root, first + done, std::min(reducer.block(), count - done),
        /*level=*/0, accumulator + done * reducer.partial_size()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
