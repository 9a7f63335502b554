#include <omp.h>

#include <exception>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dnnl.hpp"
#include "runtime/backends/cpu/convolution.h"

namespace lockstep {
namespace {

using dnnl::memory;

const dnnl::engine& Engine() {
  static const auto* engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

// How the tensors lie in the program's memory.
struct TensorDescs {
  memory::desc lhs, rhs, result;
};

class OneDnnConvolution : public Convolution {
 public:
  OneDnnConvolution(TensorDescs tensors,
                    dnnl::convolution_forward::primitive_desc plan)
      : tensors_(std::move(tensors)),
        plan_(std::move(plan)),
        primitive_(plan_) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    try {
      if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
      dnnl::stream stream(Engine());
      const memory source = Fit(tensors_.lhs, lhs, plan_.src_desc(), stream);
      const memory weights =
          Fit(tensors_.rhs, rhs, plan_.weights_desc(), stream);
      const memory place(tensors_.result, Engine(), result);
      const bool fits = plan_.dst_desc() == tensors_.result;
      const memory target = fits ? place : memory(plan_.dst_desc(), Engine());
      primitive_.execute(stream, {{DNNL_ARG_SRC, source},
                                  {DNNL_ARG_WEIGHTS, weights},
                                  {DNNL_ARG_DST, target}});
      if (!fits) Reorder(target, place, stream);
      stream.wait();
      return absl::OkStatus();
    } catch (const std::exception& error) {
      return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
    }
  }

 private:
  static void Reorder(memory from, memory to, dnnl::stream& stream) {
    dnnl::reorder(from, to).execute(stream, from, to);
  }
  // The tensor at `data`, in the layout `wanted`.
  static memory Fit(const memory::desc& own, const std::byte* data,
                    const memory::desc& wanted, dnnl::stream& stream) {
    memory tensor(own, Engine(), const_cast<std::byte*>(data));
    if (own == wanted) return tensor;
    memory fitting(wanted, Engine());
    Reorder(tensor, fitting, stream);
    return fitting;
  }

  const TensorDescs tensors_;
  const dnnl::convolution_forward::primitive_desc plan_;
  const dnnl::convolution_forward primitive_;
};

memory::data_type TypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return memory::data_type::f32;
    case ElementType::kBF16:
      return memory::data_type::bf16;
    default:
      return memory::data_type::undef;
  }
}

// [batch, feature, spatial..], whatever the order in memory.
memory::desc DescOf(const Shape& shape, const ConvolutionLayout& layout,
                    memory::data_type type) {
  const Dims own = shape.Strides();
  memory::dims sizes = {shape.dim(layout.batch), shape.dim(layout.feature)};
  memory::dims strides = {own[layout.batch], own[layout.feature]};
  for (int64_t dim : layout.spatial) {
    sizes.push_back(shape.dim(dim));
    strides.push_back(own[dim]);
  }
  return memory::desc(sizes, type, strides);
}

// Output feature, input feature, spatial..
memory::desc KernelDescOf(const Shape& shape, const ConvolutionLayout& layout,
                          memory::data_type type) {
  const Dims own = shape.Strides();
  memory::dims sizes = {shape.dim(layout.feature), shape.dim(layout.batch)};
  memory::dims strides = {own[layout.feature], own[layout.batch]};
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
  const memory::data_type type = TypeOf(result.element_type());
  const int64_t spatial = parameters.dims.spatial_rank();
  if (type == memory::data_type::undef || parameters.batch_groups != 1 ||
      parameters.feature_groups != 1 || spatial < 1 || spatial > 3) {
    return nullptr;
  }
  const TensorDescs tensors = {DescOf(lhs, parameters.dims.lhs, type),
                               KernelDescOf(rhs, parameters.dims.rhs, type),
                               DescOf(result, parameters.dims.result, type)};
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
  try {
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        AnyLayout(tensors.lhs), AnyLayout(tensors.rhs),
        AnyLayout(tensors.result), strides, dilations, low, high);
    return std::make_unique<OneDnnConvolution>(
        tensors, dnnl::convolution_forward::primitive_desc(desc, Engine()));
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace lockstep
