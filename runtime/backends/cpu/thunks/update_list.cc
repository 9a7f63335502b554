#include "runtime/backends/cpu/thunks/update_list.h"

#include <algorithm>
#include <type_traits>

namespace lockstep::internal {
namespace {

// Index components beyond are outside any input.
constexpr int64_t kLimit = int64_t{1} << 62;

template <typename Index>
int64_t Component(Index value) {
  if constexpr (std::is_unsigned_v<Index>) {
    return static_cast<int64_t>(
        std::min<uint64_t>(value, static_cast<uint64_t>(kLimit)));
  } else {
    return std::clamp<int64_t>(value, -kLimit, kLimit);
  }
}

}  // namespace

UpdateList::UpdateList(const IndexedWindows& windows, const Shape& input,
                       const Shape& indices, const Shape& updates) {
  const Dims index_strides = indices.Strides();
  const Dims input_strides = input.Strides();
  std::vector<int64_t> component(input.rank(), -1);
  for (size_t k = 0; k < windows.index_map.size(); ++k) {
    component[windows.index_map[k]] =
        windows.index_vector_dim < indices.rank()
            ? static_cast<int64_t>(k) * index_strides[windows.index_vector_dim]
            : 0;
  }
  // What the dims of the updates run along.
  std::vector<Loop> dims(updates.rank());
  const std::vector<int64_t> window_operand_dims =
      windows.WindowOperandDims(input.rank());
  for (size_t i = 0; i < window_operand_dims.size(); ++i) {
    dims[windows.window_dims[i]].input_dim = window_operand_dims[i];
  }
  const std::vector<int64_t> position_dims =
      windows.PositionDims(updates.rank());
  for (int64_t dim = 0, next = 0; dim < indices.rank(); ++dim) {
    if (dim == windows.index_vector_dim) continue;
    Loop& loop = dims[position_dims[next++]];
    loop.index_stride = index_strides[dim];
    for (size_t i = 0; i < windows.indices_batching_dims.size(); ++i) {
      if (windows.indices_batching_dims[i] == dim) {
        loop.input_dim = windows.operand_batching_dims[i];
      }
    }
  }
  std::vector<int64_t> axis_of(input.rank(), -1);
  const auto axis = [&](int64_t dim) {
    if (axis_of[dim] < 0) {
      axis_of[dim] = static_cast<int64_t>(axes_.size());
      axes_.push_back({input.dim(dim), input_strides[dim], component[dim]});
    }
    return axis_of[dim];
  };
  // Runs: the last dims of the updates where they are those of the input, all
  // but the first of them whole.
  int64_t outer = updates.rank();
  int64_t dim = input.rank();
  while (outer > 0 && dim > 0) {
    const Loop& loop = dims[outer - 1];
    if (loop.index_stride != 0 || loop.input_dim != dim - 1) break;
    --outer, --dim;
    run_ *= updates.dim(outer);
    if (component[dim] >= 0 || updates.dim(outer) != input.dim(dim)) {
      inner_ = run_ / std::max<int64_t>(updates.dim(outer), 1);
      if (component[dim] >= 0) clipped_ = axis(dim);
      break;
    }
  }
  if (run_ == 1) clipped_ = -1;
  for (int64_t i = 0; i < outer; ++i) {
    dims[i].size = updates.dim(i);
    count_ *= dims[i].size;
    if (dims[i].size == 1 && dims[i].input_dim < 0) continue;
    loops_.push_back(dims[i]);
    axis_of_loop_.push_back(dims[i].input_dim < 0 ? -1
                                                  : axis(dims[i].input_dim));
  }
  for (int64_t i = 0; i < input.rank(); ++i) {
    if (component[i] >= 0) axis(i);
  }
}

template <typename Index>
int64_t UpdateList::FillFrom(const Index* indices, int64_t* position,
                             int64_t room, int64_t* list) const {
  std::vector<Axis> axes = axes_;
  std::vector<int64_t> at(loops_.size());
  int64_t offset = 0;  // in the indices
  int64_t rest = *position;
  for (size_t i = loops_.size(); i-- > 0;) {
    at[i] = rest % loops_[i].size;
    rest /= loops_[i].size;
    offset += at[i] * loops_[i].index_stride;
    if (axis_of_loop_[i] >= 0) axes[axis_of_loop_[i]].moved += at[i];
  }
  const bool is_single = has_single_elements();
  int64_t filled = 0;
  for (; *position < count_ && filled < room; ++*position) {
    uint64_t target = 0;  // wraps where it is outside
    int64_t first = 0, count = run_;
    bool is_inside = true;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Axis& axis = axes[i];
      int64_t place = axis.moved;
      if (axis.component >= 0) {
        place += Component(indices[offset + axis.component]);
      }
      if (static_cast<int64_t>(i) == clipped_) {
        const int64_t size = run_ / inner_;
        const int64_t low = std::clamp<int64_t>(-place, 0, size);
        const int64_t high = std::clamp<int64_t>(axis.size - place, low, size);
        first = low * inner_;
        count = (high - low) * inner_;
        place += low;
        is_inside = is_inside && high > low;
      } else {
        is_inside = is_inside && static_cast<uint64_t>(place) <
                                     static_cast<uint64_t>(axis.size);
      }
      target +=
          static_cast<uint64_t>(place) * static_cast<uint64_t>(axis.stride);
    }
    // Written in any case, kept when it is inside.
    list[0] = static_cast<int64_t>(target);
    list[1] = *position * run_ + first;
    if (!is_single) list[2] = count;
    list += is_inside ? (is_single ? 2 : 3) : 0;
    filled += is_inside ? 1 : 0;
    for (size_t i = loops_.size(); i-- > 0;) {
      const bool wraps = ++at[i] == loops_[i].size;
      const int64_t step = wraps ? 1 - loops_[i].size : 1;
      offset += step * loops_[i].index_stride;
      if (axis_of_loop_[i] >= 0) axes[axis_of_loop_[i]].moved += step;
      if (!wraps) break;
      at[i] = 0;
    }
  }
  return filled;
}

int64_t UpdateList::Fill(const LiteralView& indices, int64_t* position,
                         int64_t room, int64_t* list) const {
  return DispatchElementType(
      indices.shape().element_type(),
      [&]<typename T>(std::type_identity<T>) -> int64_t {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
          return FillFrom(indices.data<T>().data(), position, room, list);
        }
        return 0;
      });
}

}  // namespace lockstep::internal
