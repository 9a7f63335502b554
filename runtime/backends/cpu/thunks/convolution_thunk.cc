#include "runtime/backends/cpu/thunks/convolution_thunk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/backends/cpu/thunks/converted_operand.h"
#include "runtime/base/status.h"
#include "runtime/ops/geometry/padding.h"
#include "runtime/types/convert.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

bool NeedsPaddedInput(const ConvolutionParameters& parameters, bool pads_all) {
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    const auto& [low, high] = parameters.window.padding[i];
    if (low < 0 || high < 0 || parameters.window.base_dilations[i] != 1 ||
        (pads_all && (low != 0 || high != 0))) {
      return true;
    }
  }
  return false;
}

bool IsAny(const std::vector<bool>& values) {
  return std::find(values.begin(), values.end(), true) != values.end();
}

bool IsDilated(const ConvolutionParameters& parameters) {
  for (const int64_t dilation : parameters.window.base_dilations) {
    if (dilation != 1) return true;
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

// The input whose batch groups are groups of features.
Shape GroupedShape(const ConvolutionParameters& parameters, const Shape& lhs) {
  Dims dims(lhs.dims().begin(), lhs.dims().end());
  dims[parameters.dims.lhs.batch] /= parameters.batch_groups;
  dims[parameters.dims.lhs.feature] *= parameters.batch_groups;
  return Shape(lhs.element_type(), dims);
}

// In the type to compute in: f32 for f16, and for bf16 in batch groups, since
// the code for them has no halves.
Shape ComputeShape(const TensorSlice& tensor, const TensorSlice& result,
                   const ConvolutionParameters& parameters) {
  const ElementType type = result.shape.element_type();
  const bool converts =
      type == ElementType::kF16 ||
      (type == ElementType::kBF16 && parameters.batch_groups > 1);
  return Shape(converts ? ElementType::kF32 : type, tensor.shape.dims());
}

}  // namespace

std::unique_ptr<ConvolutionThunk> ConvolutionThunk::Create(
    const KernelRequest& request) {
  auto parameters = ConvolutionParametersOf(*request.op);
  if (!parameters.ok() || request.operands[0].shape.element_count() == 0 ||
      request.operands[1].shape.element_count() == 0 ||
      request.results[0].shape.element_count() == 0) {
    return nullptr;
  }
  std::unique_ptr<ConvolutionThunk> thunk(
      new ConvolutionThunk(request, *std::move(parameters)));
  if (thunk->convolution_ == nullptr) return nullptr;
  return thunk;
}

ConvolutionThunk::ConvolutionThunk(const KernelRequest& request,
                                   ConvolutionParameters parameters)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0]),
      rhs_(request.operands[1]),
      result_(request.results[0]),
      parameters_(std::move(parameters)),
      reverses_(parameters_.is_reversed),
      lhs_shape_(ComputeShape(lhs_, result_, parameters_)),
      rhs_shape_(ComputeShape(rhs_, result_, parameters_)),
      result_shape_(ComputeShape(result_, result_, parameters_)) {
  if (IsDilated(parameters_)) PrepareForTransposed();
  // The gradients of depthwise kernels, for which oneDNN has slow code only.
  if (convolution_ == nullptr && parameters_.batch_groups > 1) {
    PrepareForChannels();
  }
  if (convolution_ == nullptr) PrepareForOneDnn();
  if (convolution_ == nullptr) PrepareForChannels();
  if (convolution_ == nullptr) PrepareForBlocks();
}

void ConvolutionThunk::PlanPadding(bool pads_all) {
  rest_ = parameters_;
  pads_ = NeedsPaddedInput(parameters_, pads_all);
  padded_ = pads_ ? PaddedShape(parameters_, lhs_shape_) : lhs_shape_;
  for (int64_t i = 0; i < rest_.dims.spatial_rank(); ++i) {
    rest_.is_reversed[i] = false;
    if (!pads_) continue;
    rest_.window.padding[i] = {0, 0};
    rest_.window.base_dilations[i] = 1;
  }
}

void ConvolutionThunk::PrepareForTransposed() {
  rest_ = parameters_;
  rest_.is_reversed.assign(parameters_.is_reversed.size(), true);
  convolution_ = MakeOneDnnTransposedConvolution(rest_, lhs_shape_, rhs_shape_,
                                                 result_shape_);
  if (convolution_ == nullptr) return;
  reverses_.flip();
  details_ = "transposed by onednn";
}

void ConvolutionThunk::PrepareForOneDnn() {
  PlanPadding(/*pads_all=*/false);
  groups_features_ = parameters_.batch_groups > 1;
  grouped_ = padded_;
  if (groups_features_) {
    grouped_ = GroupedShape(parameters_, padded_);
    rest_.feature_groups = parameters_.batch_groups;
    rest_.batch_groups = 1;
  }
  convolution_ =
      MakeOneDnnConvolution(rest_, grouped_, rhs_shape_, result_shape_);
  details_ = "by onednn";
}

void ConvolutionThunk::PrepareForChannels() {
  PlanPadding(/*pads_all=*/true);
  groups_features_ = false;
  convolution_ =
      MakeInterleavedConvolution(rest_, padded_, rhs_shape_, result_shape_);
  details_ = "by channels";
}

void ConvolutionThunk::PrepareForBlocks() {
  PlanPadding(/*pads_all=*/true);
  groups_features_ = false;
  convolution_ =
      MakeBlockedConvolution(rest_, padded_, rhs_shape_, result_shape_);
  details_ = "by blocks";
}

std::vector<BufferUse> ConvolutionThunk::buffer_uses() const {
  return {BufferUse::Read(lhs_.slice), BufferUse::Read(rhs_.slice),
          BufferUse::Write(result_.slice)};
}

absl::StatusOr<ScratchTensor> ConvolutionThunk::PaddedInput(
    const std::byte* lhs) const {
  ASSIGN_OR_RETURN(ScratchTensor padded, ScratchTensor::Allocate(padded_));
  const std::vector<int64_t> zeros(padded_.rank(), 0);
  std::vector<int64_t> low = zeros, interior = zeros;
  for (int64_t i = 0; i < parameters_.dims.spatial_rank(); ++i) {
    const int64_t dim = parameters_.dims.lhs.spatial[i];
    low[dim] = parameters_.window.padding[i].first;
    interior[dim] = parameters_.window.base_dilations[i] - 1;
  }
  constexpr std::array<std::byte, 16> kZero = {};
  PadInto(LiteralView(lhs_shape_, lhs), kZero.data(), low, interior,
          padded.view());
  return padded;
}

absl::StatusOr<ScratchTensor> ConvolutionThunk::GroupedInput(
    const std::byte* lhs) const {
  ASSIGN_OR_RETURN(ScratchTensor grouped, ScratchTensor::Allocate(grouped_));
  const int64_t batch = parameters_.dims.lhs.batch;
  const int64_t feature = parameters_.dims.lhs.feature;
  Dims dims(grouped_.dims().begin(), grouped_.dims().end());
  Dims source = padded_.Strides(), target = grouped_.Strides();
  dims[feature] = padded_.dim(feature);
  // The group is one more dimension.
  source.insert(source.begin(), dims[batch] * source[batch]);
  target.insert(target.begin(), dims[feature] * target[feature]);
  dims.insert(dims.begin(), parameters_.batch_groups);
  StridedCopy(ByteSize(padded_.element_type()), dims, {lhs, source},
              {grouped.bytes(), target});
  return grouped;
}

absl::StatusOr<ScratchTensor> ConvolutionThunk::OrderedKernel(
    const std::byte* rhs) const {
  ASSIGN_OR_RETURN(ScratchTensor ordered, ScratchTensor::Allocate(rhs_shape_));
  const Dims strides = rhs_shape_.Strides();
  Dims source = strides;
  int64_t first = 0;
  for (int64_t i = 0; i < parameters_.dims.spatial_rank(); ++i) {
    if (!reverses_[i]) continue;
    const int64_t dim = parameters_.dims.rhs.spatial[i];
    first += (rhs_shape_.dim(dim) - 1) * strides[dim];
    source[dim] = -strides[dim];
  }
  const int64_t size = ByteSize(rhs_shape_.element_type());
  StridedCopy(size, rhs_shape_.dims(), {rhs + first * size, source},
              {ordered.bytes(), strides});
  return ordered;
}

absl::Status ConvolutionThunk::ExecuteOnHost(HostContext& context) const {
  ASSIGN_OR_RETURN(const ConvertedOperand input,
                   ConvertedOperand::Create(context.buffers.View(lhs_),
                                            lhs_shape_.element_type()));
  ASSIGN_OR_RETURN(const ConvertedOperand kernel,
                   ConvertedOperand::Create(context.buffers.View(rhs_),
                                            rhs_shape_.element_type()));
  const std::byte* lhs = input.bytes();
  const std::byte* rhs = kernel.bytes();
  ScratchTensor padded, grouped, ordered, computed;
  if (pads_) {
    ASSIGN_OR_RETURN(padded, PaddedInput(lhs));
    lhs = padded.bytes();
  }
  if (groups_features_) {
    ASSIGN_OR_RETURN(grouped, GroupedInput(lhs));
    lhs = grouped.bytes();
  }
  if (IsAny(reverses_)) {
    ASSIGN_OR_RETURN(ordered, OrderedKernel(rhs));
    rhs = ordered.bytes();
  }
  const bool converts =
      result_shape_.element_type() != result_.shape.element_type();
  std::byte* result = context.buffers.Address(result_.slice);
  if (converts) {
    ASSIGN_OR_RETURN(computed, ScratchTensor::Allocate(result_shape_));
    result = computed.bytes();
  }
  RETURN_IF_ERROR(
      convolution_->Run(lhs, rhs, result, context.intra_op_threads));
  if (converts) {
    ConvertElements(computed.view(), context.buffers.MutableView(result_));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
