#include <omp.h>

#include <exception>
#include <utility>

#include "absl/strings/match.h"
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

// One product, or one for every index of `outer`.
class OneDnnMatrixMultiply : public MatrixMultiply {
 public:
  OneDnnMatrixMultiply(const dnnl::matmul::primitive_desc& plan,
                       absl::InlinedVector<DotLayout::Dim, 4> outer,
                       int64_t operand_bytes, int64_t result_bytes)
      : plan_(plan),
        primitive_(plan),
        outer_(std::move(outer)),
        operand_bytes_(operand_bytes),
        result_bytes_(result_bytes) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    try {
      if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
      dnnl::stream stream(Engine());
      RunDim(0, stream, lhs, rhs, result);
      stream.wait();
      return absl::OkStatus();
    } catch (const std::exception& error) {
      return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
    }
  }

 private:
  void RunDim(size_t dim, dnnl::stream& stream, const std::byte* lhs,
              const std::byte* rhs, std::byte* result) const {
    if (dim < outer_.size()) {
      const DotLayout::Dim& outer = outer_[dim];
      for (int64_t i = 0; i < outer.size; ++i) {
        RunDim(dim + 1, stream, lhs + i * outer.lhs_stride * operand_bytes_,
               rhs + i * outer.rhs_stride * operand_bytes_,
               result + i * outer.result_stride * result_bytes_);
      }
      return;
    }
    const auto wrap = [](const memory::desc& desc, const std::byte* data) {
      return memory(desc, Engine(), const_cast<std::byte*>(data));
    };
    primitive_.execute(stream,
                       {{DNNL_ARG_SRC, wrap(plan_.src_desc(), lhs)},
                        {DNNL_ARG_WEIGHTS, wrap(plan_.weights_desc(), rhs)},
                        {DNNL_ARG_DST, wrap(plan_.dst_desc(), result)}});
  }

  const dnnl::matmul::primitive_desc plan_;
  const dnnl::matmul primitive_;
  const absl::InlinedVector<DotLayout::Dim, 4> outer_;
  const int64_t operand_bytes_;
  const int64_t result_bytes_;
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

using DimList = absl::InlinedVector<DotLayout::Dim, 4>;

// Strides of a matrix of rows x columns as oneDNN likes to see them: those of
// dims of size 1 say nothing and are made those of a dense matrix.
void AddMatrix(int64_t rows, int64_t row_stride, int64_t columns,
               int64_t column_stride, memory::dims& dims,
               memory::dims& strides) {
  if (columns == 1) column_stride = 1;
  if (rows == 1) row_stride = columns * column_stride;
  dims.insert(dims.end(), {rows, columns});
  strides.insert(strides.end(), {row_stride, column_stride});
}

struct MatrixDims {
  DimList batch;
  DotLayout::Dim m, n, k;
};

// Null when oneDNN has only its reference code for it.
std::unique_ptr<dnnl::matmul::primitive_desc> Plan(const MatrixDims& dims,
                                                   memory::data_type operands,
                                                   memory::data_type result) {
  memory::dims sizes[3], strides[3];
  for (const DotLayout::Dim& batch : dims.batch) {
    for (auto& list : sizes) list.push_back(batch.size);
    strides[0].push_back(batch.lhs_stride);
    strides[1].push_back(batch.rhs_stride);
    strides[2].push_back(batch.result_stride);
  }
  const auto& [batch, m, n, k] = dims;
  AddMatrix(m.size, m.lhs_stride, k.size, k.lhs_stride, sizes[0], strides[0]);
  AddMatrix(k.size, k.rhs_stride, n.size, n.rhs_stride, sizes[1], strides[1]);
  AddMatrix(m.size, m.result_stride, n.size, n.result_stride, sizes[2],
            strides[2]);
  try {
    auto plan = std::make_unique<dnnl::matmul::primitive_desc>(
        dnnl::matmul::desc(memory::desc(sizes[0], operands, strides[0]),
                           memory::desc(sizes[1], operands, strides[1]),
                           memory::desc(sizes[2], result, strides[2])),
        Engine());
    if (absl::StartsWith(plan->impl_info_str(), "ref")) return nullptr;
    return plan;
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The innermost of `dims`; the others are appended to `outer`.
DotLayout::Dim TakeInner(const DimList& dims, DimList& outer) {
  if (dims.empty()) return DotLayout::Dim();
  outer.insert(outer.end(), dims.begin(), dims.end() - 1);
  return dims.back();
}

}  // namespace

std::unique_ptr<MatrixMultiply> MakeOneDnnMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result) {
  const memory::data_type operand_type = TypeOf(operands);
  const memory::data_type result_type = TypeOf(result);
  if (operand_type == memory::data_type::undef ||
      result_type == memory::data_type::undef || layout.k.size() > 1) {
    return nullptr;
  }
  if (operands == ElementType::kF32 && result != ElementType::kF32) {
    return nullptr;
  }
  MatrixDims dims;
  DimList outer = layout.batch;
  dims.m = TakeInner(layout.m, outer);
  dims.n = TakeInner(layout.n, outer);
  if (!layout.k.empty()) dims.k = layout.k[0];
  if (layout.is_matrix()) {
    dims.batch = layout.batch;
    if (auto plan = Plan(dims, operand_type, result_type)) {
      return std::make_unique<OneDnnMatrixMultiply>(
          *plan, DimList(), ByteSize(operands), ByteSize(result));
    }
    dims.batch.clear();
  }
  if (auto plan = Plan(dims, operand_type, result_type)) {
    return std::make_unique<OneDnnMatrixMultiply>(
        *plan, outer, ByteSize(operands), ByteSize(result));
  }
  return nullptr;
}

}  // namespace lockstep
