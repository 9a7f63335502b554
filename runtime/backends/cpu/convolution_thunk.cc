#include "runtime/backends/cpu/convolution_thunk.h"

#include <array>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/ops/padding.h"
#include "runtime/types/strided_copy.h"

namespace lockstep {
namespace {

bool NeedsPaddedInput(const ConvolutionParameters& parameters) {
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    const auto& [low, high] = parameters.window.padding[i];
    if (low < 0 || high < 0 || parameters.window.base_dilations[i] != 1) {
      return true;
    }
  }
  return false;
}

bool IsAnyReversed(const ConvolutionParameters& parameters) {
  for (const bool is_reversed : parameters.is_reversed) {
    if (is_reversed) return true;
  }
  return false;
}

// The input with its dilation and padding.
Shape PaddedShape(const ConvolutionParameters& parameters, const Shape& lhs) {
  Dims dims(lhs.dims().begin(), lhs.dims().end());
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    const auto& [low, high] = parameters.window.padding[i];
    int64_t& size = dims[parameters.dims.lhs.spatial[i]];
    size = (size - 1) * parameters.window.base_dilations[i] + 1 + low + high;
  }
  return Shape(lhs.element_type(), dims);
}

}  // namespace

std::unique_ptr<ConvolutionThunk> ConvolutionThunk::Create(
    const KernelRequest& request) {
  auto parameters = ConvolutionParametersOf(*request.op);
  const Shape& lhs = request.operands[0].shape;
  const Shape& rhs = request.operands[1].shape;
  const Shape& result = request.results[0].shape;
  if (!parameters.ok() || lhs.element_type() != result.element_type() ||
      rhs.element_type() != result.element_type() || lhs.element_count() == 0 ||
      rhs.element_count() == 0 || result.element_count() == 0) {
    return nullptr;
  }
  std::unique_ptr<ConvolutionThunk> thunk(
      new ConvolutionThunk(request, *std::move(parameters)));
  if (thunk->convolution_ == nullptr) return nullptr;
  return thunk;
}

ConvolutionThunk::ConvolutionThunk(const KernelRequest& request,
                                   ConvolutionParameters parameters)
    : Thunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0]),
      rhs_(request.operands[1]),
      result_(request.results[0]),
      parameters_(std::move(parameters)),
      pads_(NeedsPaddedInput(parameters_)),
      reverses_(IsAnyReversed(parameters_)),
      padded_(pads_ ? PaddedShape(parameters_, lhs_.shape) : lhs_.shape) {
  ConvolutionParameters plain = parameters_;
  for (int64_t i = 0; i < plain.dims.spatial_rank(); ++i) {
    plain.is_reversed[i] = false;
    if (!pads_) continue;
    plain.window.padding[i] = {0, 0};
    plain.window.base_dilations[i] = 1;
  }
  convolution_ =
      MakeOneDnnConvolution(plain, padded_, rhs_.shape, result_.shape);
}

std::vector<BufferUse> ConvolutionThunk::buffer_uses() const {
  return {BufferUse::Read(lhs_.slice), BufferUse::Read(rhs_.slice),
          BufferUse::Write(result_.slice)};
}

absl::StatusOr<Literal> ConvolutionThunk::PaddedInput(
    const std::byte* lhs) const {
  ASSIGN_OR_RETURN(Literal padded, Literal::Allocate(padded_));
  const std::vector<int64_t> zeros(padded_.rank(), 0);
  std::vector<int64_t> low = zeros, interior = zeros;
  for (int64_t i = 0; i < parameters_.dims.spatial_rank(); ++i) {
    const int64_t dim = parameters_.dims.lhs.spatial[i];
    low[dim] = parameters_.window.padding[i].first;
    interior[dim] = parameters_.window.base_dilations[i] - 1;
  }
  constexpr std::array<std::byte, 16> kZero = {};
  PadInto(LiteralView(lhs_.shape, lhs), kZero.data(), low, interior,
          padded.mutable_view());
  return padded;
}

absl::StatusOr<Literal> ConvolutionThunk::OrderedKernel(
    const std::byte* rhs) const {
  ASSIGN_OR_RETURN(Literal ordered, Literal::Allocate(rhs_.shape));
  const Dims strides = rhs_.shape.Strides();
  Dims source = strides;
  int64_t first = 0;
  for (int64_t i = 0; i < parameters_.dims.spatial_rank(); ++i) {
    if (!parameters_.is_reversed[i]) continue;
    const int64_t dim = parameters_.dims.rhs.spatial[i];
    first += (rhs_.shape.dim(dim) - 1) * strides[dim];
    source[dim] = -strides[dim];
  }
  const int64_t size = ByteSize(rhs_.shape.element_type());
  StridedCopy(size, rhs_.shape.dims(), {rhs + first * size, source},
              {ordered.mutable_bytes(), strides});
  return ordered;
}

absl::Status ConvolutionThunk::Execute(ExecuteContext& context) const {
  const std::byte* lhs = context.buffers.Address(lhs_.slice);
  const std::byte* rhs = context.buffers.Address(rhs_.slice);
  Literal padded, ordered;
  if (pads_) {
    ASSIGN_OR_RETURN(padded, PaddedInput(lhs));
    lhs = padded.bytes();
  }
  if (reverses_) {
    ASSIGN_OR_RETURN(ordered, OrderedKernel(rhs));
    rhs = ordered.bytes();
  }
  return convolution_->Run(lhs, rhs, context.buffers.Address(result_.slice),
                           context.intra_op_threads);
}

}  // namespace lockstep
