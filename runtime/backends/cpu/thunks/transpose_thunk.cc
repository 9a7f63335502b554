#include "runtime/backends/cpu/thunks/transpose_thunk.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMinBytes = 64 * 1024;
// Results that no cache would keep until they are read.
constexpr int64_t kMinNonTemporalBytes = int64_t{32} << 20;
constexpr int64_t kLine = 64;
// Rows of the result that are written side by side: their pages stay known to
// the processor.
constexpr int64_t kRowsPerPiece = 1024;
// Lines of each that are written one after the other, and how many tiles ahead
// of reading the processor is told: rows are far apart on both sides.
constexpr int64_t kLinesPerBlock = 8;
constexpr int64_t kTilesAhead = 2;

using Dim = TransposeThunk::Dim;
using Plan = TransposeThunk::Plan;

std::vector<Dim> MergedDims(const Op& op) {
  const std::vector<int64_t> permutation = *op.IntegersAttribute("permutation");
  const Shape& result = op.result()->shape();
  const Dims from = op.operand(0)->shape().Strides();
  const Dims to = result.Strides();
  std::vector<Dim> dims;
  for (int64_t i = 0; i < result.rank(); ++i) {
    const Dim dim = {result.dim(i), from[permutation[i]], to[i]};
    if (dim.size == 1) continue;
    if (!dims.empty() &&
        dims.back().from_stride == dim.from_stride * dim.size) {
      dims.back() = {dims.back().size * dim.size, dim.from_stride,
                     dim.to_stride};
    } else {
      dims.push_back(dim);
    }
  }
  return dims;
}

void CopyLine(const std::byte* from, std::byte* to, int64_t bytes,
              bool is_non_temporal) {
#if defined(__x86_64__)
  if (is_non_temporal && bytes == kLine &&
      reinterpret_cast<uintptr_t>(to) % 16 == 0) {
    for (int64_t i = 0; i < kLine; i += 16) {
      _mm_stream_si128(
          reinterpret_cast<__m128i*>(to + i),
          _mm_load_si128(reinterpret_cast<const __m128i*>(from + i)));
    }
    return;
  }
#endif
  std::memcpy(to, from, static_cast<size_t>(bytes));
}

// Whether tiles are transposed in vector registers of a line each.
template <typename T>
bool HasWideTiles() {
#if defined(__x86_64__)
  return sizeof(T) >= 2 && sizeof(T) <= 8 &&
         CpuTarget::OfProcess().has(InstructionSet::kAvx512);
#else
  return false;
#endif
}

#if defined(__x86_64__)
// A square tile, a line wide. Interleaving the rows of its upper half with
// those of its lower half, as often as halving leads to one row, transposes it.
template <typename T>
[[gnu::target("avx512f,avx512bw")]] void TransposeWideTile(
    const T* from, int64_t from_stride, T* to, int64_t to_stride,
    bool is_non_temporal) {
  constexpr int kLanes = kLine / sizeof(T);
  typedef T Line __attribute__((vector_size(kLine)));
  Line low, high;
  for (int i = 0; i < kLanes; ++i) {
    low[i] = static_cast<T>(i % 2 * kLanes + i / 2);
    high[i] = static_cast<T>(i % 2 * kLanes + kLanes / 2 + i / 2);
  }
  Line lines[kLanes], next[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    std::memcpy(&lines[i], from + i * from_stride, kLine);
  }
#pragma GCC unroll 8
  for (int rest = kLanes; rest > 1; rest /= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < kLanes / 2; ++i) {
      next[2 * i] = __builtin_shuffle(lines[i], lines[i + kLanes / 2], low);
      next[2 * i + 1] =
          __builtin_shuffle(lines[i], lines[i + kLanes / 2], high);
    }
#pragma GCC unroll 32
    for (int i = 0; i < kLanes; ++i) lines[i] = next[i];
  }
  if (is_non_temporal) {
#pragma GCC unroll 32
    for (int i = 0; i < kLanes; ++i) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * to_stride),
                          reinterpret_cast<__m512i&>(lines[i]));
    }
    return;
  }
#pragma GCC unroll 32
  for (int i = 0; i < kLanes; ++i) {
    std::memcpy(to + i * to_stride, &lines[i], kLine);
  }
}
#endif

// A square of bytes, as TransposeWideTile.
void TransposeByteSquare(const uint8_t* from, int64_t from_stride, uint8_t* to,
                         int64_t to_stride) {
  constexpr int kSide = 16;
  typedef uint8_t Line __attribute__((vector_size(kSide)));
  Line low, high;
  for (int i = 0; i < kSide; ++i) {
    low[i] = static_cast<uint8_t>(i % 2 * kSide + i / 2);
    high[i] = static_cast<uint8_t>(i % 2 * kSide + kSide / 2 + i / 2);
  }
  Line lines[kSide], next[kSide];
#pragma GCC unroll 16
  for (int i = 0; i < kSide; ++i) {
    std::memcpy(&lines[i], from + i * from_stride, kSide);
  }
#pragma GCC unroll 4
  for (int rest = kSide; rest > 1; rest /= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kSide / 2; ++i) {
      next[2 * i] = __builtin_shuffle(lines[i], lines[i + kSide / 2], low);
      next[2 * i + 1] = __builtin_shuffle(lines[i], lines[i + kSide / 2], high);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kSide; ++i) lines[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kSide; ++i) {
    std::memcpy(to + i * to_stride, &lines[i], kSide);
  }
}

// rows x columns of the result, through memory of the tile's size.
template <typename T>
void TransposeTile(const T* from, int64_t from_stride, int64_t rows,
                   int64_t columns, T* to, int64_t to_stride,
                   bool is_non_temporal) {
  constexpr int64_t kTile = kLine / sizeof(T);
  alignas(kLine) T tile[kTile][kTile];
  if (sizeof(T) == 1 && rows == kTile && columns == kTile) {
    for (int64_t r = 0; r < kTile; r += 16) {
      for (int64_t c = 0; c < kTile; c += 16) {
        TransposeByteSquare(
            reinterpret_cast<const uint8_t*>(from + c * from_stride + r),
            from_stride, reinterpret_cast<uint8_t*>(&tile[r][c]), kTile);
      }
    }
  } else if (rows == kTile) {
    for (int64_t c = 0; c < columns; ++c) {
      const T* line = from + c * from_stride;
      for (int64_t r = 0; r < kTile; ++r) tile[r][c] = line[r];
    }
  } else {
    for (int64_t c = 0; c < columns; ++c) {
      const T* line = from + c * from_stride;
      for (int64_t r = 0; r < rows; ++r) tile[r][c] = line[r];
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    CopyLine(reinterpret_cast<const std::byte*>(tile[r]),
             reinterpret_cast<std::byte*>(to + r * to_stride),
             columns * static_cast<int64_t>(sizeof(T)), is_non_temporal);
  }
}

// Rows [first, last) of one result matrix.
template <typename T>
void TransposeRows(const Plan& plan, const T* from, T* to, int64_t first,
                   int64_t last, bool is_non_temporal) {
  constexpr int64_t kTile = kLine / sizeof(T);
  const bool has_wide_tiles = HasWideTiles<T>();
  const bool has_aligned_lines = reinterpret_cast<uintptr_t>(to) % kLine == 0 &&
                                 plan.across.to_stride * sizeof(T) % kLine == 0;
  const int64_t from_stride = plan.along.from_stride;
  const int64_t to_stride = plan.across.to_stride;
  const auto transpose = [&](int64_t i, int64_t j) {
    const int64_t rows = std::min(kTile, last - i);
    const int64_t columns = std::min(kTile, plan.along.size - j);
    const T* source = from + i + j * from_stride;
    T* target = to + i * to_stride + j;
#if defined(__x86_64__)
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 2) {
      if (has_wide_tiles && rows == kTile && columns == kTile) {
        TransposeWideTile(source, from_stride, target, to_stride,
                          is_non_temporal && has_aligned_lines);
        return;
      }
    }
#endif
    TransposeTile(source, from_stride, rows, columns, target, to_stride,
                  is_non_temporal);
  };
  for (int64_t block = 0; block < plan.along.size;
       block += kLinesPerBlock * kTile) {
    const int64_t end =
        std::min(plan.along.size, block + kLinesPerBlock * kTile);
    for (int64_t i = first; i < last; i += kTile) {
      const int64_t ahead = i + kTilesAhead * kTile;
      for (int64_t j = block; j < end; j += kTile) {
        if (ahead < last) {
          for (int64_t c = j; c < std::min(end, j + kTile); ++c) {
            __builtin_prefetch(from + ahead + c * from_stride);
          }
        }
        transpose(i, j);
      }
    }
  }
#if defined(__x86_64__)
  if (is_non_temporal) _mm_sfence();
#endif
}

struct SixteenBytes {
  uint64_t words[2];
};

}  // namespace

std::unique_ptr<TransposeThunk> TransposeThunk::Create(
    const KernelRequest& request) {
  if (request.results[0].slice.size < kMinBytes) return nullptr;
  std::vector<Dim> dims = MergedDims(*request.op);
  if (dims.size() < 2 || dims.back().from_stride == 1) return nullptr;
  Plan plan;
  plan.along = dims.back();
  dims.pop_back();
  for (const Dim& dim : dims) {
    if (dim.from_stride == 1) {
      plan.across = dim;
    } else {
      plan.outer.push_back(dim);
    }
  }
  if (plan.across.from_stride != 1 || plan.across.size < 4 ||
      plan.along.size < 4) {
    return nullptr;
  }
  return std::unique_ptr<TransposeThunk>(
      new TransposeThunk(request, std::move(plan)));
}

TransposeThunk::TransposeThunk(const KernelRequest& request, Plan plan)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0].slice),
      result_(request.results[0].slice),
      element_size_(ByteSize(request.results[0].shape.element_type())),
      plan_(std::move(plan)) {}

absl::Status TransposeThunk::ExecuteOnHost(HostContext& context) const {
  const std::byte* from = context.buffers.Address(operand_);
  std::byte* to = context.buffers.Address(result_);
  const bool is_non_temporal = result_.size >= kMinNonTemporalBytes;
  int64_t matrices = 1;
  for (const Dim& dim : plan_.outer) matrices *= dim.size;
  const int64_t pieces =
      (plan_.across.size + kRowsPerPiece - 1) / kRowsPerPiece;
  const auto run = [&]<typename T>(int64_t piece, T) {
    int64_t matrix = piece / pieces;
    int64_t from_offset = 0, to_offset = 0;
    for (size_t i = plan_.outer.size(); i-- > 0;) {
      const Dim& dim = plan_.outer[i];
      from_offset += matrix % dim.size * dim.from_stride;
      to_offset += matrix % dim.size * dim.to_stride;
      matrix /= dim.size;
    }
    const int64_t first = piece % pieces * kRowsPerPiece;
    TransposeRows(plan_, reinterpret_cast<const T*>(from) + from_offset,
                  reinterpret_cast<T*>(to) + to_offset, first,
                  std::min(first + kRowsPerPiece, plan_.across.size),
                  is_non_temporal);
  };
  const int threads = result_.size >= (1 << 20) ? context.intra_op_threads : 1;
  ParallelFor(threads, matrices * pieces, [&](int64_t piece) {
    switch (element_size_) {
      case 1:
        return run(piece, uint8_t());
      case 2:
        return run(piece, uint16_t());
      case 4:
        return run(piece, uint32_t());
      case 8:
        return run(piece, uint64_t());
      default:
        return run(piece, SixteenBytes());
    }
  });
  return absl::OkStatus();
}

}  // namespace lockstep::internal
