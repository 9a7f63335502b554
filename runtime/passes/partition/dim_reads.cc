#include "runtime/passes/partition/dim_reads.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/passes/partition/local_select.h"

namespace lockstep::internal {
namespace {

using DimReads = std::vector<DimRead>;
using Shapes = absl::Span<const Shape>;

// Sums of a few numbers up to it are no overflow.
constexpr int64_t kLargest = int64_t{1} << 59;

absl::StatusOr<DimReads> ReadsOfSlice(const Op& op, Shapes operands) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> starts,
                   op.IntegersAttribute("start_indices"));
  ASSIGN_OR_RETURN(const std::vector<int64_t> strides,
                   op.IntegersAttribute("strides"));
  DimReads reads;
  for (int64_t dim = 0; dim < op.result()->shape().rank(); ++dim) {
    if (op.result()->shape().dim(dim) == operands[0].dim(dim)) {
      continue;
    }
    reads.push_back({.dim = dim,
                     .tensor_dim = dim,
                     .stride = strides[dim],
                     .low = -starts[dim]});
  }
  return reads;
}

absl::StatusOr<DimReads> ReadsOfPad(const Op& op) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> low,
                   op.IntegersAttribute("edge_padding_low"));
  ASSIGN_OR_RETURN(const std::vector<int64_t> high,
                   op.IntegersAttribute("edge_padding_high"));
  ASSIGN_OR_RETURN(const std::vector<int64_t> interior,
                   op.IntegersAttribute("interior_padding"));
  DimReads reads;
  for (int64_t dim = 0; dim < op.result()->shape().rank(); ++dim) {
    if (low[dim] == 0 && high[dim] == 0 && interior[dim] == 0) continue;
    reads.push_back({.dim = dim,
                     .tensor_dim = dim,
                     .low = low[dim],
                     .dilation = std::min(interior[dim], kLargest) + 1});
  }
  return reads;
}

absl::StatusOr<DimReads> ReadsOfConcatenate(const Op& op, Shapes operands) {
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("dimension"));
  DimReads reads;
  int64_t before = 0;
  for (int i = 0; i < op.operand_count(); ++i) {
    const int64_t size = operands[i].dim(dim);
    if (size == 0) continue;
    reads.push_back(
        {.operand = i, .dim = dim, .tensor_dim = dim, .low = before});
    before += size;
  }
  return reads;
}

absl::StatusOr<DimReads> ReadsOfReverse(const Op& op, Shapes operands) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("dimensions"));
  DimReads reads;
  for (const int64_t dim : dims) {
    reads.push_back({.dim = dim,
                     .tensor_dim = dim,
                     .stride = -1,
                     .low = 1 - operands[0].dim(dim)});
  }
  return reads;
}

absl::StatusOr<DimReads> ReadsOfReduceWindow(const Op& op) {
  const int64_t rank = op.result()->shape().rank();
  ASSIGN_OR_RETURN(const Window window, WindowOf(op, rank));
  DimReads reads;
  for (int i = 0; i < op.result_count(); ++i) {
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (window.KeepsElements(dim)) continue;
      reads.push_back(
          {.operand = i,
           .dim = dim,
           .tensor_dim = dim,
           .stride = window.strides[dim],
           .extent = (window.sizes[dim] - 1) * window.window_dilations[dim] + 1,
           .low = window.padding[dim].first,
           .dilation = window.base_dilations[dim]});
    }
  }
  return reads;
}

absl::StatusOr<DimReads> ReadsOfConvolution(const Op& op, Shapes operands) {
  ASSIGN_OR_RETURN(const ConvolutionParameters conv,
                   ConvolutionParametersOf(op));
  DimReads reads;
  for (int64_t i = 0; i < conv.dims.spatial_rank(); ++i) {
    const int64_t kernel_dim = conv.dims.rhs.spatial[i];
    const int64_t result_dim = conv.dims.result.spatial[i];
    const int64_t places = op.result()->shape().dim(result_dim);
    const int64_t kernel_size = operands[1].dim(kernel_dim);
    DimRead read = {.dim = conv.dims.lhs.spatial[i],
                    .low = conv.window.padding[i].first,
                    .dilation = conv.window.base_dilations[i]};
    if (IsSplitAlongPlaces(places, kernel_size)) {
      read.tensor_dim = result_dim;
      read.stride = conv.window.strides[i];
      read.extent = (kernel_size - 1) * conv.window.window_dilations[i] + 1;
    } else if (!conv.is_reversed[i]) {
      read.tensor = 1;
      read.tensor_dim = kernel_dim;
      read.stride = conv.window.window_dilations[i];
      read.extent = (places - 1) * conv.window.strides[i] + 1;
      // Zeros of the kernel times what is infinite are no zeros.
      read.reads_for_padding = true;
    } else {
      continue;
    }
    reads.push_back(read);
  }
  return reads;
}

// Of the elements of a dim: the windows that have them and the next ones, since
// an element is in windows that begin up to `reach` - 1 before it; and the
// elements of these windows.
void AddOverlappingWindows(int64_t dim, int64_t reach, int64_t stride,
                           int64_t low_padding, DimReads& reads) {
  reads.push_back({.dim = dim,
                   .tensor_dim = dim,
                   .extent = 2 * reach - 1,
                   .low = reach - 1});
  reads.push_back({.operand = 1,
                   .dim = dim,
                   .tensor_dim = dim,
                   .extent = reach,
                   .low = reach - 1 - low_padding,
                   .dilation = stride});
}

// Of windows that lie side by side, without padding, shards have what they
// need. Others write into several shards.
absl::StatusOr<DimReads> ReadsOfSelectAndScatter(const Op& op,
                                                 Shapes operands) {
  const int64_t rank = op.result()->shape().rank();
  const std::vector<int64_t> ones(static_cast<size_t>(rank), 1);
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   op.IntegersAttributeOr("window_dimensions", ones));
  ASSIGN_OR_RETURN(const std::vector<int64_t> strides,
                   op.IntegersAttributeOr("window_strides", ones));
  ASSIGN_OR_RETURN(const auto padding, PaddingPairsOf(op, rank));
  DimReads reads;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const bool is_padded = padding[dim] != std::pair<int64_t, int64_t>(0, 0);
    const int64_t places = operands[1].dim(dim);
    if (places == 0 || (sizes[dim] == 1 && strides[dim] == 1 && !is_padded)) {
      continue;
    }
    if (is_padded || sizes[dim] > strides[dim] ||
        operands[0].dim(dim) % places != 0 ||
        operands[0].dim(dim) / places != strides[dim]) {
      if (!CanSplitOverlappingWindows(op, is_padded)) continue;
      AddOverlappingWindows(dim, std::max(sizes[dim], strides[dim]),
                            strides[dim], padding[dim].first, reads);
      continue;
    }
    reads.push_back({.dim = dim,
                     .tensor = 1,
                     .tensor_dim = dim,
                     .stride = strides[dim],
                     .extent = strides[dim],
                     .is_within_shard = true});
  }
  return reads;
}

int64_t CeilDivide(int64_t a, int64_t b) { return -FloorDivide(-a, b); }

// Whether places of all devices, also beyond the end, can be computed with.
bool IsSmall(const DimRead& read, int64_t local_places, int64_t shards) {
  int64_t all = 0;
  return !__builtin_mul_overflow(local_places, shards, &all) &&
         !__builtin_mul_overflow(all, read.stride, &all) &&
         std::abs(all) < kLargest && -kLargest < read.low &&
         read.low < kLargest && read.extent < kLargest &&
         read.dilation < kLargest;
}

// Where windows begin at other places between elements on each device: it makes
// all places around the first element that it reads.
LocalRead LocalReadBetweenElements(const DimRead& read, int64_t size,
                                   int64_t places, int64_t local_places) {
  LocalRead local;
  HaloWindow& window = local.window;
  local.made_places = local_places + read.dilation - 1;
  const int64_t span = local_places - 1 + read.extent;
  window.step = local_places;
  window.first = read.dilation - 1 - read.low;
  window.divisor = read.dilation;
  window.length = (span - 1) / read.dilation + 1;
  window.last = local_places + read.extent - 2 - read.low;
  window.reach = 1;
  window.size = size;
  window.used_begin = CeilDivide(-read.low, read.dilation);
  window.used_end =
      FloorDivide(places + read.extent - 2 - read.low, read.dilation) + 1;
  local.low = read.dilation - 1;
  local.high = span - ((window.length - 1) * read.dilation + 1);
  return local;
}

}  // namespace

std::vector<Shape> OperandShapes(const Op& op) {
  std::vector<Shape> shapes;
  for (const Value* operand : op.operands()) {
    shapes.push_back(operand->type().is_tensor()
                         ? operand->shape()
                         : Shape(ElementType::kPred, {}));
  }
  return shapes;
}

absl::StatusOr<std::vector<DimRead>> DimReadsOf(
    const Op& op, absl::Span<const Shape> operands) {
  const std::string& name = op.name();
  if (name == "stablehlo.slice") return ReadsOfSlice(op, operands);
  if (name == "stablehlo.pad") return ReadsOfPad(op);
  if (name == "stablehlo.concatenate") return ReadsOfConcatenate(op, operands);
  if (name == "stablehlo.reverse") return ReadsOfReverse(op, operands);
  if (name == "stablehlo.reduce_window") return ReadsOfReduceWindow(op);
  if (name == "stablehlo.convolution") return ReadsOfConvolution(op, operands);
  if (name == "stablehlo.select_and_scatter") {
    return ReadsOfSelectAndScatter(op, operands);
  }
  return DimReads();
}

std::optional<LocalRead> LocalReadOf(const DimRead& read, int64_t size,
                                     int64_t places, int64_t local_places,
                                     int64_t shards) {
  if (local_places < 1 || !IsSmall(read, local_places, shards)) {
    return std::nullopt;
  }
  LocalRead local;
  HaloWindow& window = local.window;
  const int64_t step = read.stride * local_places;
  const int64_t span = std::abs(step - read.stride) + read.extent;
  window.size = size;
  if (read.stride < 0) {
    window.step = step;
    window.first = step - read.stride - read.low;
    window.length = span;
    window.used_end = size;
    return local;
  }
  if (step % read.dilation != 0) {
    if (read.stride != 1 || read.tensor != DimRead::kResult) {
      return std::nullopt;
    }
    return LocalReadBetweenElements(read, size, places, local_places);
  }
  // Of what is dilated, a window has the places from -low on.
  window.step = step / read.dilation;
  window.first = CeilDivide(-read.low, read.dilation);
  window.length =
      FloorDivide(span - 1 - read.low, read.dilation) + 1 - window.first;
  if (window.length < 1) return std::nullopt;
  local.low = window.first * read.dilation + read.low;
  local.high = span - local.low - ((window.length - 1) * read.dilation + 1);
  if (read.reads_for_padding) {
    window.used_begin = std::numeric_limits<int64_t>::min();
    window.used_end = std::numeric_limits<int64_t>::max();
  } else {
    const int64_t end = read.stride * (places - 1) + read.extent - read.low;
    window.used_begin = window.first;
    window.used_end = FloorDivide(end - 1, read.dilation) + 1;
  }
  return local;
}

}  // namespace lockstep::internal
