#include <algorithm>
#include <exception>
#include <utility>

#include "absl/strings/match.h"
#include "dnnl.hpp"
#include "runtime/backends/cpu/contraction/convolution.h"
#include "runtime/backends/cpu/contraction/onednn_thread.h"

namespace lockstep::internal {
namespace {

using dnnl::memory;

constexpr int64_t kMaxPieces = 8;

// How the tensors lie in the program's memory.
struct TensorDescs {
  memory::desc lhs, rhs, result;
};

// A piece of the batch at a time.
class OneDnnConvolution : public Convolution {
 public:
  // `lhs_step`, `result_step`: bytes from one piece to the next.
  OneDnnConvolution(TensorDescs tensors,
                    dnnl::convolution_forward::primitive_desc plan,
                    int64_t pieces, int64_t lhs_step, int64_t result_step)
      : tensors_(std::move(tensors)),
        plan_(std::move(plan)),
        primitive_(plan_),
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
    const memory source = Fit(tensors_.lhs, lhs, plan_.src_desc(), stream);
    const memory weights = Fit(tensors_.rhs, rhs, plan_.weights_desc(), stream);
    const memory place(tensors_.result, OneDnnEngine(), result);
    const bool fits = plan_.dst_desc() == tensors_.result;
    const memory target =
        fits ? place : memory(plan_.dst_desc(), OneDnnEngine());
    primitive_.execute(stream, {{DNNL_ARG_SRC, source},
                                {DNNL_ARG_WEIGHTS, weights},
                                {DNNL_ARG_DST, target},
                                {DNNL_ARG_SCRATCHPAD,
                                 OneDnnScratchpad(plan_.scratchpad_desc())}});
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
  const dnnl::convolution_forward::primitive_desc plan_;
  const dnnl::convolution_forward primitive_;
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

// Group where there are several, output feature, input feature, spatial..
memory::desc KernelDescOf(const Shape& shape, const ConvolutionLayout& layout,
                          int64_t groups, memory::data_type type) {
  const Dims own = shape.Strides();
  const int64_t outputs = shape.dim(layout.feature) / groups;
  memory::dims sizes = {outputs, shape.dim(layout.batch)};
  memory::dims strides = {own[layout.feature], own[layout.batch]};
  if (groups > 1) {
    sizes.insert(sizes.begin(), groups);
    strides.insert(strides.begin(), outputs * own[layout.feature]);
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

}  // namespace

std::unique_ptr<Convolution> MakeOneDnnConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result) {
  const memory::data_type type = OneDnnType(result.element_type());
  const int64_t spatial = parameters.dims.spatial_rank();
  if (type == memory::data_type::undef || parameters.batch_groups != 1 ||
      spatial < 1 || spatial > 3) {
    return nullptr;
  }
  const int64_t batch = lhs.dim(parameters.dims.lhs.batch);
  if (batch == 0) return nullptr;
  const int64_t pieces = PiecesOf(batch);
  const TensorDescs tensors = {
      DescOf(lhs, parameters.dims.lhs, type, pieces),
      KernelDescOf(rhs, parameters.dims.rhs, parameters.feature_groups, type),
      DescOf(result, parameters.dims.result, type, pieces)};
  const Window& window = parameters.window;
  memory::dims strides, dilations, low, high;
  for (int64_t i = 0; i < spatial; ++i) {
    if (window.padding[i].first < 0 || window.padding[i].second < 0 ||
        window.base_dilations[i] != 1 || parameters.is_reversed[i]) {
      return nullptr;
    }
    strides.push_back(window.strides[i]);
    dilations.push_back(window.window_dilations[i] - 1);
    low.push_back(window.padding[i].first);
    high.push_back(window.padding[i].second);
  }
  const OneDnnOnOneThread one;
  try {
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        AnyLayout(tensors.lhs), AnyLayout(tensors.rhs),
        AnyLayout(tensors.result), strides, dilations, low, high);
    dnnl::convolution_forward::primitive_desc plan(desc, OneDnnAttributes(),
                                                   OneDnnEngine());
    if (absl::StartsWith(plan.impl_info_str(), "ref")) return nullptr;
    const int64_t piece = batch / pieces * ByteSize(result.element_type());
    return std::make_unique<OneDnnConvolution>(
        tensors, std::move(plan), pieces,
        piece * lhs.Strides()[parameters.dims.lhs.batch],
        piece * result.Strides()[parameters.dims.result.batch]);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace lockstep::internal
