#include <omp.h>

#include <exception>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dnnl.hpp"
#include "runtime/backends/cpu/matrix_multiply.h"

namespace lockstep {
namespace {

using dnnl::memory;

const dnnl::engine& Engine() {
  static const auto* engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

class OneDnnMatrixMultiply : public MatrixMultiply {
 public:
  explicit OneDnnMatrixMultiply(const dnnl::matmul::primitive_desc& plan)
      : plan_(plan), primitive_(plan) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    try {
      if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
      dnnl::stream stream(Engine());
      const auto wrap = [](const memory::desc& desc, const std::byte* data) {
        return memory(desc, Engine(), const_cast<std::byte*>(data));
      };
      primitive_.execute(
          stream, {{DNNL_ARG_SRC, wrap(plan_.src_desc(), lhs)},
                   {DNNL_ARG_WEIGHTS, wrap(plan_.weights_desc(), rhs)},
                   {DNNL_ARG_DST, wrap(plan_.dst_desc(), result)}});
      stream.wait();
      return absl::OkStatus();
    } catch (const std::exception& error) {
      return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
    }
  }

 private:
  const dnnl::matmul::primitive_desc plan_;
  const dnnl::matmul primitive_;
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

DotLayout::Dim OnlyDim(const absl::InlinedVector<DotLayout::Dim, 4>& dims) {
  return dims.empty() ? DotLayout::Dim() : dims[0];
}

}  // namespace

std::unique_ptr<MatrixMultiply> MakeOneDnnMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result) {
  const memory::data_type operand_type = TypeOf(operands);
  const memory::data_type result_type = TypeOf(result);
  if (operand_type == memory::data_type::undef ||
      result_type == memory::data_type::undef || !layout.is_matrix()) {
    return nullptr;
  }
  if (operands == ElementType::kF32 && result != ElementType::kF32) {
    return nullptr;
  }
  const DotLayout::Dim m = OnlyDim(layout.m);
  const DotLayout::Dim n = OnlyDim(layout.n);
  const DotLayout::Dim k = OnlyDim(layout.k);
  memory::dims lhs_dims, rhs_dims, result_dims;
  memory::dims lhs_strides, rhs_strides, result_strides;
  const auto add = [](memory::dims& dims, memory::dims& strides, int64_t size,
                      int64_t stride) {
    dims.push_back(size);
    strides.push_back(stride);
  };
  for (const DotLayout::Dim& batch : layout.batch) {
    add(lhs_dims, lhs_strides, batch.size, batch.lhs_stride);
    add(rhs_dims, rhs_strides, batch.size, batch.rhs_stride);
    add(result_dims, result_strides, batch.size, batch.result_stride);
  }
  // A dim of size 1 has any stride; those of a dense matrix do not make
  // oneDNN suspicious.
  const auto stride = [](const DotLayout::Dim& dim, int64_t own,
                         const DotLayout::Dim& other, int64_t others) {
    if (dim.size > 1) return own;
    return others == 1 ? other.size : int64_t{1};
  };
  add(lhs_dims, lhs_strides, m.size,
      stride(m, m.lhs_stride, k, k.size > 1 ? k.lhs_stride : 1));
  add(lhs_dims, lhs_strides, k.size,
      k.size > 1 ? k.lhs_stride
                 : (m.size > 1 && m.lhs_stride == 1 ? m.size : 1));
  add(rhs_dims, rhs_strides, k.size,
      stride(k, k.rhs_stride, n, n.size > 1 ? n.rhs_stride : 1));
  add(rhs_dims, rhs_strides, n.size,
      n.size > 1 ? n.rhs_stride
                 : (k.size > 1 && k.rhs_stride == 1 ? k.size : 1));
  add(result_dims, result_strides, m.size, m.size > 1 ? m.result_stride : n.size);
  add(result_dims, result_strides, n.size, 1);
  try {
    const dnnl::matmul::desc desc(
        memory::desc(lhs_dims, operand_type, lhs_strides),
        memory::desc(rhs_dims, operand_type, rhs_strides),
        memory::desc(result_dims, result_type, result_strides));
    return std::make_unique<OneDnnMatrixMultiply>(
        dnnl::matmul::primitive_desc(desc, Engine()));
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace lockstep
