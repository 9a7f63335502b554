#include <algorithm>
#include <exception>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/synchronization/mutex.h"
#include "dnnl.hpp"
#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/backends/cpu/contraction/onednn_thread.h"

namespace lockstep::internal {
namespace {

using dnnl::memory;

// Multiplications of one piece of work, and the rows or columns that it has at
// least. How a product is split depends on its sizes only.
constexpr int64_t kWorkPerPiece = int64_t{1} << 26;
constexpr int64_t kMinLinesPerPiece = 256;
constexpr int64_t kMaxPieces = 16;

// One product of matrices: where its operands and result begin, in elements.
struct Product {
  int64_t lhs = 0;
  int64_t rhs = 0;
  int64_t result = 0;
  bool is_last = false;  // has the rows that are left
};

using Plan = dnnl::matmul::primitive_desc;

// A primitive with the memory objects of its runs, which take longer to make
// than small matrices to multiply. Thread-safe.
class PreparedProduct {
 public:
  explicit PreparedProduct(const Plan& plan)
      : plan_(plan),
        primitive_(plan),
        scratch_size_(plan.scratchpad_desc().get_size()) {}

  void Run(const std::byte* lhs, const std::byte* rhs,
           std::byte* result) const {
    std::unique_ptr<Arguments> arguments = Take();
    const auto set = [&](int name, const std::byte* data) {
      arguments->at(name).set_data_handle(const_cast<std::byte*>(data));
    };
    set(DNNL_ARG_SRC, lhs);
    set(DNNL_ARG_WEIGHTS, rhs);
    set(DNNL_ARG_DST, result);
    set(DNNL_ARG_SCRATCHPAD, OneDnnScratchBytes(scratch_size_));
    dnnl::stream& stream = OneDnnStream();
    primitive_.execute(stream, *arguments);
    stream.wait();
    absl::MutexLock lock(&mutex_);
    free_.push_back(std::move(arguments));
  }

 private:
  using Arguments = std::unordered_map<int, memory>;

  std::unique_ptr<Arguments> Take() const {
    {
      absl::MutexLock lock(&mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Arguments> arguments = std::move(free_.back());
        free_.pop_back();
        return arguments;
      }
    }
    const auto make = [](const memory::desc& desc) {
      return memory(desc, OneDnnEngine(), DNNL_MEMORY_NONE);
    };
    return std::make_unique<Arguments>(
        Arguments{{DNNL_ARG_SRC, make(plan_.src_desc())},
                  {DNNL_ARG_WEIGHTS, make(plan_.weights_desc())},
                  {DNNL_ARG_DST, make(plan_.dst_desc())},
                  {DNNL_ARG_SCRATCHPAD, make(plan_.scratchpad_desc())}});
  }

  const Plan plan_;
  const dnnl::matmul primitive_;
  const size_t scratch_size_;
  mutable absl::Mutex mutex_;
  mutable std::vector<std::unique_ptr<Arguments>> free_ ABSL_GUARDED_BY(mutex_);
};

// Products of one size, but for the last rows or columns of each.
class OneDnnMatrixMultiply : public MatrixMultiply {
 public:
  OneDnnMatrixMultiply(const Plan& plan, const Plan& last,
                       std::vector<Product> products, int64_t operand_bytes,
                       int64_t result_bytes)
      : product_(plan),
        last_product_(last),
        products_(std::move(products)),
        operand_bytes_(operand_bytes),
        result_bytes_(result_bytes) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    const int64_t count = static_cast<int64_t>(products_.size());
    const int64_t pieces = std::min(count, kMaxPieces);
    return RunOneDnnPieces(threads, pieces, [&](int64_t piece) {
      const int64_t end = count * (piece + 1) / pieces;
      for (int64_t i = count * piece / pieces; i < end; ++i) {
        const Product& product = products_[i];
        (product.is_last ? last_product_ : product_)
            .Run(lhs + product.lhs * operand_bytes_,
                 rhs + product.rhs * operand_bytes_,
                 result + product.result * result_bytes_);
      }
    });
  }

 private:
  const PreparedProduct product_;
  const PreparedProduct last_product_;
  const std::vector<Product> products_;
  const int64_t operand_bytes_;
  const int64_t result_bytes_;
};

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

// Floats, and what multiplies s8: `undef` for others.
memory::data_type ProductType(ElementType type) {
  switch (type) {
    case ElementType::kS8:
      return memory::data_type::s8;
    case ElementType::kS32:
      return memory::data_type::s32;
    default:
      return OneDnnType(type);
  }
}

// Whether sums of products of s8 are exact, modulo 2^32: without VNNI, oneDNN
// adds two products in 16 bits, which saturate.
bool HasExactBytes() {
  OneDnnEngine();
  constexpr auto kVnni = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_vnni);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kVnni) ==
         kVnni;
}

bool HasProduct(ElementType operands, ElementType result) {
  switch (operands) {
    case ElementType::kF32:
      return result == ElementType::kF32;
    case ElementType::kBF16:
      return result == ElementType::kF32 || result == ElementType::kBF16;
    case ElementType::kS8:
      return result == ElementType::kS32 && HasExactBytes();
    default:
      return false;
  }
}

struct MatrixDims {
  DimList batch;
  DotLayout::Dim m, n, k;

  int64_t Work() const {
    int64_t work = m.size * n.size * k.size;
    for (const DotLayout::Dim& dim : batch) work *= dim.size;
    return work;
  }
};

// Null when oneDNN has only its reference code for it.
std::unique_ptr<Plan> MakePlan(const MatrixDims& dims,
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
  const OneDnnOnOneThread one;
  try {
    auto plan = std::make_unique<Plan>(
        dnnl::matmul::desc(memory::desc(sizes[0], operands, strides[0]),
                           memory::desc(sizes[1], operands, strides[1]),
                           memory::desc(sizes[2], result, strides[2])),
        OneDnnAttributes(), OneDnnEngine());
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

// Takes a part of the batch out of `dims`, as many products as make one piece.
void SplitBatch(MatrixDims& dims, DimList& outer) {
  if (dims.batch.empty()) return;
  DotLayout::Dim& first = dims.batch.front();
  const int64_t work = dims.Work();
  int64_t pieces = std::clamp<int64_t>(work / kWorkPerPiece, 1, kMaxPieces);
  while (first.size % pieces != 0) --pieces;
  if (pieces == 1) return;
  DotLayout::Dim piece = first;
  first.size /= pieces;
  piece.size = pieces;
  piece.lhs_stride *= first.size;
  piece.rhs_stride *= first.size;
  piece.result_stride *= first.size;
  outer.push_back(piece);
}

// The lines (rows or columns, `cut`) of one piece of a product.
int64_t LinesPerPiece(int64_t work, int64_t cut) {
  const int64_t pieces = std::clamp<int64_t>(
      work / kWorkPerPiece, 1,
      std::clamp<int64_t>(cut / kMinLinesPerPiece, 1, kMaxPieces));
  const int64_t lines = (cut + pieces - 1) / pieces;
  return pieces == 1 ? lines : (lines + 15) / 16 * 16;
}

// Every index of `outer`, times every piece of `lines` of the dim `cut`.
std::vector<Product> ListProducts(const DimList& outer,
                                  const DotLayout::Dim& cut, int64_t lines) {
  std::vector<Product> products(1);
  for (const DotLayout::Dim& dim : outer) {
    std::vector<Product> next;
    for (const Product& product : products) {
      for (int64_t i = 0; i < dim.size; ++i) {
        next.push_back({product.lhs + i * dim.lhs_stride,
                        product.rhs + i * dim.rhs_stride,
                        product.result + i * dim.result_stride});
      }
    }
    products = std::move(next);
  }
  std::vector<Product> pieces;
  for (const Product& product : products) {
    for (int64_t line = 0; line < cut.size; line += lines) {
      pieces.push_back({product.lhs + line * cut.lhs_stride,
                        product.rhs + line * cut.rhs_stride,
                        product.result + line * cut.result_stride,
                        line + lines >= cut.size});
    }
  }
  return pieces;
}

std::unique_ptr<MatrixMultiply> Split(MatrixDims dims, const DimList& outer,
                                      ElementType operands,
                                      ElementType result) {
  // By columns where there are many: oneDNN rearranges the columns of rhs that
  // a piece has, so pieces of rows would rearrange all of it each. But its code
  // for bf16 likes long rows.
  DotLayout::Dim& cut =
      operands != ElementType::kBF16 && dims.n.size >= 2 * kMinLinesPerPiece
          ? dims.n
          : dims.m;
  const int64_t size = cut.size;
  const int64_t lines = LinesPerPiece(dims.Work(), size);
  std::vector<Product> products = ListProducts(outer, cut, lines);
  cut.size = std::min(lines, size);
  const auto plan = MakePlan(dims, ProductType(operands), ProductType(result));
  cut.size = size % lines == 0 ? lines : size % lines;
  const auto last = MakePlan(dims, ProductType(operands), ProductType(result));
  if (plan == nullptr || last == nullptr) return nullptr;
  const OneDnnOnOneThread one;
  return std::make_unique<OneDnnMatrixMultiply>(
      *plan, *last, std::move(products), ByteSize(operands), ByteSize(result));
}

}  // namespace

std::unique_ptr<MatrixMultiply> MakeOneDnnMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result) {
  if (!HasProduct(operands, result) || layout.k.size() > 1) return nullptr;
  MatrixDims dims;
  DimList outer = layout.batch;
  dims.m = TakeInner(layout.m, outer);
  dims.n = TakeInner(layout.n, outer);
  if (!layout.k.empty()) dims.k = layout.k[0];
  if (layout.is_matrix() && !layout.batch.empty()) {
    MatrixDims batched = dims;
    batched.batch = layout.batch;
    DimList pieces;
    SplitBatch(batched, pieces);
    if (auto multiply = Split(batched, pieces, operands, result)) {
      return multiply;
    }
  }
  return Split(dims, outer, operands, result);
}

}  // namespace lockstep::internal
