#include "runtime/backends/cpu/thunks/random_bits_thunk.h"

#include <algorithm>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/backends/cpu/thunks/random_blocks.h"
#include "runtime/ops/random_algorithm.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kBlocksPerPiece = 64;

// Calls f(first counter, how many) for blocks that make up `counters`.
void ForEachBlock(int threads, int64_t counters,
                  absl::FunctionRef<void(int64_t, int64_t)> f) {
  constexpr int64_t kPerPiece = kBlocksPerPiece * kCountersPerBlock;
  ParallelFor(
      threads, (counters + kPerPiece - 1) / kPerPiece, [&](int64_t piece) {
        const int64_t end = std::min(counters, (piece + 1) * kPerPiece);
        for (int64_t i = piece * kPerPiece; i < end; i += kCountersPerBlock) {
          f(i, std::min(kCountersPerBlock, end - i));
        }
      });
}

// Elements of 32 bits or fewer come in pairs from one counter: neighbours along
// a dimension of `length`, `stride` elements apart. Counters are numbered in
// row-major order of what is left of that dimension.
struct PairLayout {
  int64_t counters = 1;
  int64_t length = 1;
  int64_t stride = 1;
  int64_t pairs() const { return (length + 1) / 2; }
};

PairLayout PairLayoutOf(const Shape& shape) {
  PairLayout layout;
  if (shape.element_count() == 0) return {.counters = 0};
  if (shape.rank() == 0) return layout;
  const int64_t split = ThreefryPairedDim(shape);
  layout.length = shape.dim(split);
  layout.stride = shape.Strides()[split];
  layout.counters = shape.element_count() / layout.length * layout.pairs();
  return layout;
}

// Puts the words of counters first .. first + count - 1 into their elements.
template <typename T>
void PutPairs(const PairLayout& layout, const ThreefryBlock& block,
              int64_t first, int64_t count, T* output) {
  const uint32_t* low = block.words[0];
  const uint32_t* high = block.words[1];
  if (layout.stride == 1 && layout.length % 2 == 0) {
    for (int64_t i = 0; i < count; ++i) {
      output[2 * (first + i)] = static_cast<T>(low[i]);
      output[2 * (first + i) + 1] = static_cast<T>(high[i]);
    }
    return;
  }
  // Runs of counters whose elements are neighbours.
  for (int64_t i = 0; i < count;) {
    const int64_t within = (first + i) % layout.stride;
    const int64_t row = (first + i) / layout.stride;
    const int64_t pair = row % layout.pairs();
    const int64_t run = std::min(count - i, layout.stride - within);
    T* to = output +
            (row / layout.pairs() * layout.length + 2 * pair) * layout.stride +
            within;
    for (int64_t j = 0; j < run; ++j) to[j] = static_cast<T>(low[i + j]);
    if (2 * pair + 1 < layout.length) {
      to += layout.stride;
      for (int64_t j = 0; j < run; ++j) to[j] = static_cast<T>(high[i + j]);
    }
    i += run;
  }
}

// Returns how many counters were taken.
template <typename T>
int64_t FillThreefry(uint64_t key, uint64_t counter, const Shape& shape,
                     T* output, int threads) {
  const PairLayout layout = PairLayoutOf(shape);
  const int64_t counters =
      sizeof(T) == 8 ? shape.element_count() : layout.counters;
  ForEachBlock(threads, counters, [&](int64_t first, int64_t count) {
    ThreefryBlock block;
    FillThreefryBlock(key, counter + static_cast<uint64_t>(first), block);
    if constexpr (sizeof(T) == 8) {
      for (int64_t i = 0; i < count; ++i) {
        output[first + i] = T{block.words[1][i]} << 32 | block.words[0][i];
      }
    } else if (shape.rank() == 0) {
      *output = static_cast<T>(block.words[0][0]);
    } else {
      PutPairs(layout, block, first, count, output);
    }
  });
  return counters;
}

// A counter gives four elements of 32 bits or fewer, or two of 64. Returns how
// many were taken.
template <typename T>
int64_t FillPhilox(uint64_t key, uint64_t low, uint64_t high, int64_t elements,
                   T* output, int threads) {
  constexpr int64_t kPerCounter = sizeof(T) == 8 ? 2 : 4;
  const int64_t counters = (elements + kPerCounter - 1) / kPerCounter;
  const auto element = [](const PhiloxBlock& block, int64_t i, int64_t j) {
    if constexpr (sizeof(T) == 8) {
      return T{block.words[2 * j + 1][i]} << 32 | block.words[2 * j][i];
    } else {
      return static_cast<T>(block.words[j][i]);
    }
  };
  ForEachBlock(threads, counters, [&](int64_t first, int64_t count) {
    PhiloxBlock block;
    const uint64_t at = low + static_cast<uint64_t>(first);
    FillPhiloxBlock(key, at, high + (at < low ? 1 : 0), block);
    T* to = output + first * kPerCounter;
    const int64_t whole = std::min(count, elements / kPerCounter - first);
    for (int64_t i = 0; i < whole; ++i) {
      for (int64_t j = 0; j < kPerCounter; ++j) {
        to[i * kPerCounter + j] = element(block, i, j);
      }
    }
    if (whole == count) return;
    for (int64_t j = 0; j < elements % kPerCounter; ++j) {
      to[whole * kPerCounter + j] = element(block, whole, j);
    }
  });
  return counters;
}

// Calls f with an unsigned number of `size` bytes.
template <typename F>
void DispatchSize(int64_t size, F f) {
  switch (size) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
  }
}

}  // namespace

std::unique_ptr<RandomBitsThunk> RandomBitsThunk::Create(
    const KernelRequest& request) {
  const absl::StatusOr<bool> is_philox = IsPhilox(*request.op);
  if (!is_philox.ok()) return nullptr;
  return std::unique_ptr<RandomBitsThunk>(
      new RandomBitsThunk(request, *is_philox));
}

absl::Status RandomBitsThunk::ExecuteOnHost(HostContext& context) const {
  const auto state = context.buffers.View(state_).data<uint64_t>();
  const bool is_wide = state.size() > 2;
  const uint64_t key = state[0], low = state[1], high = state[is_wide ? 2 : 0];
  const Shape& shape = bits_.shape;
  int64_t taken = 0;
  DispatchSize(ByteSize(shape.element_type()), [&]<typename T>(T) {
    T* output = reinterpret_cast<T*>(context.buffers.Address(bits_.slice));
    taken = is_philox_ ? FillPhilox(key, low, high, shape.element_count(),
                                    output, context.intra_op_threads)
                       : FillThreefry(key, low, shape, output,
                                      context.intra_op_threads);
  });
  const auto next = context.buffers.MutableView(next_).data<uint64_t>();
  next[0] = key;
  next[1] = low + static_cast<uint64_t>(taken);
  if (is_wide) next[2] = high + (next[1] < low ? 1 : 0);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
