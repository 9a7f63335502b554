#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_DIM_READS_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_DIM_READS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/passes/partition/halo_plan.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// That the place r of a dim, of the result or of another operand, is made with
// elements of an operand's dim that need not be in the same shard: those from
// stride * r - low on, as many as `extent`, of the operand with dilation - 1
// places between its elements.
struct DimRead {
  static constexpr int kResult = -1;

  int operand = 0;
  int64_t dim = 0;
  // Whose places they are: an operand, or kResult.
  int tensor = kResult;
  int64_t tensor_dim = 0;

  int64_t stride = 1;  // negative: of extent 1 and dilation 1
  int64_t extent = 1;
  int64_t low = 0;
  int64_t dilation = 1;
  // Whether what pads the places reads elements as well.
  bool reads_for_padding = false;
  // Whether shards must have all that their places read, and nothing else.
  bool is_within_shard = false;
};

// Of slice, pad, concatenate, reverse, reduce_window, convolution and
// select_and_scatter; none of other ops, whose shards have what is read of
// them. A dim that is only read at
// the same place is not among them. `operands`: the shapes of whole operands.
absl::StatusOr<std::vector<DimRead>> DimReadsOf(
    const Op& op, absl::Span<const Shape> operands);
// Those of an op of a program over whole tensors; of what is no tensor, that of
// a scalar.
std::vector<Shape> OperandShapes(const Op& op);

// Whether a spatial dim of a convolution is split along the places of the
// window, the dim of its result, or along the elements of the kernel.
inline bool IsSplitAlongPlaces(int64_t places, int64_t kernel_size) {
  return places >= kernel_size;
}

// What devices read of a dim that is split, and what stands around it there: as
// many places of padding, which are counted after dilation.
struct LocalRead {
  HaloWindow window;
  int64_t low = 0;
  int64_t high = 0;
  // How many places a device makes where the first is not that of its shard; 0:
  // those of its shard.
  int64_t made_places = 0;

  // How many of them are before those of the shard.
  int64_t PlacesBefore(int64_t shard) const {
    return window.RemainderOf(shard);
  }
};

// Of a dim of `size`, where each of `shards` devices has `local_places` of
// `places`. None: devices would need windows of other kinds each.
std::optional<LocalRead> LocalReadOf(const DimRead& read, int64_t size,
                                     int64_t places, int64_t local_places,
                                     int64_t shards);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_DIM_READS_H_
