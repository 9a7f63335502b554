#include "runtime/backends/cuda/codegen/cuda_dot_kernel.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/kernels/dot_layout.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = 256;

class DotKernel {
 public:
  DotKernel(const KernelGraph& graph, const DotLayout& layout)
      : graph_(graph), layout_(layout), text_(graph) {}

  KernelProgram Build() {
    const Shape& result = graph_.outputs[0]->shape();
    const int64_t count = result.element_count();
    CudaLines& lines = text_.lines();
    CudaScalarBuilder& scalars = text_.scalars();
    lines.Open(absl::StrCat("for (idx g = idx(blockIdx.x) * ", kThreads,
                            " + threadIdx.x; g < ", count,
                            "; g += idx(gridDim.x) * ", kThreads, ")"));
    lines.Add("idx rest = g, l = 0, r = 0;");
    // The result is row-major by batch, m and n.
    EmitRole(layout_.n);
    EmitRole(layout_.m);
    EmitRole(layout_.batch);
    const ElementType type = result.element_type();
    const bool is_half =
        type == ElementType::kF16 || type == ElementType::kBF16;
    const ElementType sum_type = is_half ? ElementType::kF32 : type;
    lines.Add(absl::StrCat(CudaScalarType(sum_type), " sum = ",
                           scalars.NameOf(scalars.Constant(sum_type, 0)), ";"));
    lines.Open(
        absl::StrCat("for (idx k = 0; k < ", layout_.k_count(), "; ++k)"));
    lines.Add("idx rest = k, lk = l, rk = r;");
    for (size_t i = layout_.k.size(); i-- > 0;) {
      const DotLayout::Dim& dim = layout_.k[i];
      lines.Add(absl::StrCat("lk += rest % ", dim.size, " * idx(",
                             dim.lhs_stride, "), rk += rest % ", dim.size,
                             " * idx(", dim.rhs_stride, "), rest /= ", dim.size,
                             ";"));
    }
    const int lhs = LoadAs(sum_type, 0, "lk");
    const int rhs = LoadAs(sum_type, 1, "rk");
    const int product = scalars.Binary(BinaryScalarOp::kMultiply, lhs, rhs);
    const int sum = scalars.Binary(BinaryScalarOp::kAdd,
                                   scalars.Named(sum_type, "sum"), product);
    lines.Add(absl::StrCat("sum = ", scalars.NameOf(sum), ";"));
    lines.Close();
    text_.Store(2, text_.NamedIndex("g"),
                scalars.Convert(type, scalars.Named(sum_type, "sum")));
    lines.Close();
    KernelProgram program;
    program.text = text_.Finish(kThreads);
    program.launches.push_back(
        {kCudaKernelSymbol, kThreads, 1, (count + kThreads - 1) / kThreads});
    return program;
  }

 private:
  // Takes the indices of a role off `rest`.
  void EmitRole(const absl::InlinedVector<DotLayout::Dim, 4>& dims) {
    for (size_t i = dims.size(); i-- > 0;) {
      text_.lines().Add(absl::StrCat(
          "l += rest % ", dims[i].size, " * idx(", dims[i].lhs_stride,
          "), r += rest % ", dims[i].size, " * idx(", dims[i].rhs_stride,
          "), rest /= ", dims[i].size, ";"));
    }
  }
  int LoadAs(ElementType type, int buffer, const std::string& index) {
    return text_.scalars().Convert(
        type,
        text_.Load(buffer, text_.TypeOf(buffer), text_.NamedIndex(index)));
  }

  const KernelGraph& graph_;
  const DotLayout& layout_;
  CudaKernelText text_;
};

}  // namespace

std::optional<KernelProgram> BuildCudaDotKernel(const KernelGraph& graph) {
  for (const Value* input : graph.inputs) {
    if (!HasCodeFor(input->shape().element_type())) return std::nullopt;
  }
  const Shape& result = graph.outputs[0]->shape();
  const auto dimensions = DotDimensionsOf(*graph.op);
  if (!HasCodeFor(result.element_type()) || !dimensions.ok()) {
    return std::nullopt;
  }
  const DotLayout layout = DotLayout::Create(
      graph.inputs[0]->shape(), graph.inputs[1]->shape(), *dimensions);
  return DotKernel(graph, layout).Build();
}

}  // namespace lockstep::internal
