#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "dnnl.hpp"
#include "runtime/backends/cpu/contraction/convolution.h"
#include "runtime/backends/cpu/contraction/onednn_thread.h"

namespace lockstep::internal {
namespace {

using dnnl::memory;

constexpr int64_t kMaxPieces = 8;
// Elements of a kernel in each dim. Larger ones are images, in the gradients of
// kernels, for which oneDNN's gradient is slow.
constexpr int64_t kMaxTransposedKernel = 11;

// How the tensors lie in the program's memory.
struct TensorDescs {
  memory::desc lhs, rhs, result;
};

// What runs, on tensors of its own layouts.
struct PreparedConvolution {
  dnnl::primitive primitive;
  memory::desc lhs, rhs, result, scratchpad;
  int lhs_argument, result_argument;
};

// A piece of the batch at a time.
class OneDnnConvolution : public Convolution {
 public:
  // `lhs_step`, `result_step`: bytes from one piece to the next.
  OneDnnConvolution(TensorDescs tensors, PreparedConvolution prepared,
                    int64_t pieces, int64_t lhs_step, int64_t result_step)
      : tensors_(std::move(tensors)),
        prepared_(std::move(prepared)),
        pieces_(pieces),
        lhs_step_(lhs_step),
        result_step_(result_step) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    return RunOneDnnPieces(threads, pieces_, [&](int64_t piece) {
      RunPiece(lhs + piece * lhs_step_, rhs, result + piece * result_step_);
    });
  }

 private:
  void RunPiece(const std::byte* lhs, const std::byte* rhs,
                std::byte* result) const {
    dnnl::stream& stream = OneDnnStream();
    const memory source = Fit(tensors_.lhs, lhs, prepared_.lhs, stream);
    const memory weights = Fit(tensors_.rhs, rhs, prepared_.rhs, stream);
    const memory place(tensors_.result, OneDnnEngine(), result);
    const bool fits = prepared_.result == tensors_.result;
    const memory target =
        fits ? place : memory(prepared_.result, OneDnnEngine());
    prepared_.primitive.execute(
        stream,
        {{prepared_.lhs_argument, source},
         {DNNL_ARG_WEIGHTS, weights},
         {prepared_.result_argument, target},
         {DNNL_ARG_SCRATCHPAD, OneDnnScratchpad(prepared_.scratchpad)}});
    if (!fits) Reorder(target, place, stream);
    stream.wait();
  }
  static void Reorder(memory from, memory to, dnnl::stream& stream) {
    dnnl::reorder(from, to).execute(stream, from, to);
  }
  // The tensor at `data`, in the layout `wanted`.
  static memory Fit(const memory::desc& own, const std::byte* data,
                    const memory::desc& wanted, dnnl::stream& stream) {
    memory tensor(own, OneDnnEngine(), const_cast<std::byte*>(data));
    if (own == wanted) return tensor;
    memory fitting(wanted, OneDnnEngine());
    Reorder(tensor, fitting, stream);
    return fitting;
  }

  const TensorDescs tensors_;
  const PreparedConvolution prepared_;
  const int64_t pieces_;
  const int64_t lhs_step_;
  const int64_t result_step_;
};

// How many pieces the batch is split into, whatever the number of threads.
int64_t PiecesOf(int64_t batch) {
  int64_t pieces = std::min(batch, kMaxPieces);
  while (batch % pieces != 0) --pieces;
  return pieces;
}

// A piece as [batch, feature, spatial..], whatever the order in memory.
memory::desc DescOf(const Shape& shape, const ConvolutionLayout& layout,
                    memory::data_type type, int64_t pieces) {
  const Dims own = shape.Strides();
  memory::dims sizes = {shape.dim(layout.batch) / pieces,
                        shape.dim(layout.feature)};
  memory::dims strides = {own[layout.batch], own[layout.feature]};
  for (int64_t dim : layout.spatial) {
    sizes.push_back(shape.dim(dim));
    strides.push_back(own[dim]);
  }
  return memory::desc(sizes, type, strides);
}

// The kernel [outputs, inputs, spatial..] of oneDNN, and its groups before them
// where there are several. `outputs` and `inputs` are dims of the shape; its
// output features are those of all groups.
memory::desc KernelDescOf(const Shape& shape, const ConvolutionLayout& layout,
                          int64_t outputs, int64_t inputs, int64_t groups,
                          memory::data_type type) {
  const Dims own = shape.Strides();
  const int64_t of_group = shape.dim(layout.feature) / groups;
  memory::dims sizes, strides;
  if (groups > 1) {
    sizes.push_back(groups);
    strides.push_back(of_group * own[layout.feature]);
  }
  for (const int64_t dim : {outputs, inputs}) {
    sizes.push_back(dim == layout.feature ? of_group : shape.dim(dim));
    strides.push_back(own[dim]);
  }
  for (int64_t dim : layout.spatial) {
    sizes.push_back(shape.dim(dim));
    strides.push_back(own[dim]);
  }
  return memory::desc(sizes, type, strides);
}

memory::desc AnyLayout(const memory::desc& desc) {
  return memory::desc(desc.dims(), desc.data_type(), memory::format_tag::any);
}

// The spatial part of a convolution as oneDNN describes it.
struct Geometry {
  memory::dims strides, dilations, low, high;
};

std::optional<Geometry> GeometryOf(const ConvolutionParameters& parameters) {
  const Window& window = parameters.window;
  Geometry geometry;
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    if (window.padding[i].first < 0 || window.padding[i].second < 0 ||
        window.base_dilations[i] != 1 || parameters.is_reversed[i]) {
      return std::nullopt;
    }
    geometry.strides.push_back(window.strides[i]);
    geometry.dilations.push_back(window.window_dilations[i] - 1);
    geometry.low.push_back(window.padding[i].first);
    geometry.high.push_back(window.padding[i].second);
  }
  return geometry;
}

// Of the convolution from result to lhs whose gradient this one is.
std::optional<Geometry> TransposedGeometryOf(
    const ConvolutionParameters& parameters, const Shape& rhs) {
  const Window& window = parameters.window;
  Geometry geometry;
  for (int64_t i = 0; i < parameters.dims.spatial_rank(); ++i) {
    const int64_t stride = window.base_dilations[i];
    const int64_t reach = (rhs.dim(parameters.dims.rhs.spatial[i]) - 1) *
                          window.window_dilations[i];
    const int64_t low = reach - window.padding[i].first;
    const int64_t high = reach - window.padding[i].second;
    // A stride leaves up to stride - 1 elements at the end unread.
    if (low < 0 || high <= -stride || window.strides[i] != 1 ||
        !parameters.is_reversed[i] ||
        rhs.dim(parameters.dims.rhs.spatial[i]) > kMaxTransposedKernel) {
      return std::nullopt;
    }
    geometry.strides.push_back(stride);
    geometry.dilations.push_back(window.window_dilations[i] - 1);
    geometry.low.push_back(low);
    geometry.high.push_back(std::max<int64_t>(high, 0));
  }
  return geometry;
}

std::optional<PreparedConvolution> PrepareForward(const TensorDescs& tensors,
                                                  const Geometry& geometry) {
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      AnyLayout(tensors.lhs), AnyLayout(tensors.rhs), AnyLayout(tensors.result),
      geometry.strides, geometry.dilations, geometry.low, geometry.high);
  const dnnl::convolution_forward::primitive_desc plan(desc, OneDnnAttributes(),
                                                       OneDnnEngine());
  if (absl::StartsWith(plan.impl_info_str(), "ref")) return std::nullopt;
  return PreparedConvolution{dnnl::convolution_forward(plan),
                             plan.src_desc(),
                             plan.weights_desc(),
                             plan.dst_desc(),
                             plan.scratchpad_desc(),
                             DNNL_ARG_SRC,
                             DNNL_ARG_DST};
}

// `keeps_layouts`: of lhs and result.
std::optional<PreparedConvolution> PrepareBackward(const TensorDescs& tensors,
                                                   const Geometry& geometry,
                                                   bool keeps_layouts) {
  const auto layout = [&](const memory::desc& desc) {
    return keeps_layouts ? desc : AnyLayout(desc);
  };
  const dnnl::convolution_forward::desc forward(
      dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
      layout(tensors.result), AnyLayout(tensors.rhs), layout(tensors.lhs),
      geometry.strides, geometry.dilations, geometry.low, geometry.high);
  const dnnl::convolution_backward_data::desc desc(
      dnnl::algorithm::convolution_direct, layout(tensors.result),
      AnyLayout(tensors.rhs), layout(tensors.lhs), geometry.strides,
      geometry.dilations, geometry.low, geometry.high);
  const dnnl::convolution_backward_data::primitive_desc plan(
      desc, OneDnnAttributes(), OneDnnEngine(),
      dnnl::convolution_forward::primitive_desc(forward, OneDnnEngine()));
  if (absl::StartsWith(plan.impl_info_str(), "ref")) return std::nullopt;
  return PreparedConvolution{dnnl::convolution_backward_data(plan),
                             plan.diff_dst_desc(),
                             plan.weights_desc(),
                             plan.diff_src_desc(),
                             plan.scratchpad_desc(),
                             DNNL_ARG_DIFF_DST,
                             DNNL_ARG_DIFF_SRC};
}

// `prepare` makes a convolution of a piece of the batch.
template <typename Prepare>
std::unique_ptr<Convolution> MakeConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result, bool is_transposed, const Prepare& prepare) {
  const memory::data_type type = OneDnnType(result.element_type());
  const int64_t spatial = parameters.dims.spatial_rank();
  if (type == memory::data_type::undef || parameters.batch_groups != 1 ||
      spatial < 1 || spatial > 3) {
    return nullptr;
  }
  const auto& [lhs_dims, rhs_dims, result_dims] = parameters.dims;
  const int64_t batch = lhs.dim(lhs_dims.batch);
  if (batch == 0) return nullptr;
  const int64_t pieces = PiecesOf(batch);
  const OneDnnOnOneThread one;
  try {
    const TensorDescs tensors = {
        DescOf(lhs, lhs_dims, type, pieces),
        KernelDescOf(rhs, rhs_dims,
                     is_transposed ? rhs_dims.batch : rhs_dims.feature,
                     is_transposed ? rhs_dims.feature : rhs_dims.batch,
                     parameters.feature_groups, type),
        DescOf(result, result_dims, type, pieces)};
    std::optional<PreparedConvolution> prepared = prepare(tensors);
    if (!prepared.has_value()) return nullptr;
    const int64_t piece = batch / pieces * ByteSize(result.element_type());
    return std::make_unique<OneDnnConvolution>(
        tensors, *std::move(prepared), pieces,
        piece * lhs.Strides()[lhs_dims.batch],
        piece * result.Strides()[result_dims.batch]);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<Convolution> MakeOneDnnConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result) {
  const std::optional<Geometry> geometry = GeometryOf(parameters);
  if (!geometry.has_value()) return nullptr;
  return MakeConvolution(parameters, lhs, rhs, result, /*is_transposed=*/false,
                         [&](const TensorDescs& tensors) {
                           return PrepareForward(tensors, *geometry);
                         });
}

std::unique_ptr<Convolution> MakeOneDnnTransposedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result) {
  const std::optional<Geometry> geometry =
      TransposedGeometryOf(parameters, rhs);
  if (!geometry.has_value()) return nullptr;
  // It has code for channels that are neighbours, and for an order of its own.
  const bool has_neighbours =
      lhs.Strides()[parameters.dims.lhs.feature] == 1 &&
      result.Strides()[parameters.dims.result.feature] == 1;
  return MakeConvolution(parameters, lhs, rhs, result, /*is_transposed=*/true,
                         [&](const TensorDescs& tensors) {
                           return PrepareBackward(tensors, *geometry,
                                                  has_neighbours);
                         });
}

}  // namespace lockstep::internal
