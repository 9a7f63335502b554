#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

using Dim = DotLayout::Dim;
using DimList = absl::InlinedVector<Dim, 4>;

// Lines at one stride that are enough for a product.
constexpr int64_t kManyLines = 32;
// Products in which each number of an operand is used so often that a copy of
// it is little beside them.
constexpr int64_t kMinUses = 16;
// Neighbours that are copied together at least.
constexpr int64_t kMinRow = 16;

int64_t SizeOf(const DimList& dims) {
  int64_t size = 1;
  for (const Dim& dim : dims) size *= dim.size;
  return size;
}

// Whether lines lie at several strides, few of them at the innermost.
bool IsScattered(const DimList& dims) {
  return dims.size() > 1 && dims.back().size < kManyLines;
}

// Copies an operand to a dense [batch][lines][k].
class Packing {
 public:
  Packing(const DotLayout& layout, const DimList& lines, int64_t Dim::* stride,
          int64_t element_size)
      : element_size_(element_size) {
    for (const DimList* list : {&layout.batch, &lines, &layout.k}) {
      for (const Dim& dim : *list) {
        dims_.push_back(dim.size);
        from_.push_back(dim.*stride);
      }
    }
    to_.resize(dims_.size());
    for (size_t i = dims_.size(); i-- > 0;) {
      to_[i] = count_;
      count_ *= dims_[i];
    }
  }

  absl::StatusOr<ScratchMemory> Run(const std::byte* from, int threads) const {
    ASSIGN_OR_RETURN(ScratchMemory packed,
                     ScratchMemory::Allocate(count_ * element_size_));
    // One index of the outermost dim at a time.
    const std::vector<int64_t> dims(dims_.begin() + 1, dims_.end());
    const std::vector<int64_t> source(from_.begin() + 1, from_.end());
    const std::vector<int64_t> target(to_.begin() + 1, to_.end());
    ParallelFor(threads, dims_[0], [&](int64_t i) {
      StridedCopy(element_size_, dims,
                  {from + i * from_[0] * element_size_, source},
                  {packed.data() + i * to_[0] * element_size_, target});
    });
    return packed;
  }

 private:
  const int64_t element_size_;
  std::vector<int64_t> dims_, from_, to_;
  int64_t count_ = 1;
};

class PackedMatrixMultiply : public MatrixMultiply {
 public:
  PackedMatrixMultiply(std::optional<Packing> lhs, std::optional<Packing> rhs,
                       std::unique_ptr<MatrixMultiply> multiply)
      : lhs_(std::move(lhs)),
        rhs_(std::move(rhs)),
        multiply_(std::move(multiply)) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    ScratchMemory packed_lhs, packed_rhs;
    if (lhs_.has_value()) {
      ASSIGN_OR_RETURN(packed_lhs, lhs_->Run(lhs, threads));
      lhs = packed_lhs.data();
    }
    if (rhs_.has_value()) {
      ASSIGN_OR_RETURN(packed_rhs, rhs_->Run(rhs, threads));
      rhs = packed_rhs.data();
    }
    return multiply_->Run(lhs, rhs, result, threads);
  }

 private:
  const std::optional<Packing> lhs_, rhs_;
  const std::unique_ptr<MatrixMultiply> multiply_;
};

// One dim for all of `dims`, at the innermost stride of the result, whose dims
// of a role are always neighbours.
Dim Merged(const DimList& dims) {
  Dim merged = dims.empty() ? Dim() : dims.back();
  merged.size = SizeOf(dims);
  return merged;
}

// Strides of a packed operand for its dims of the layout.
void SetStrides(DotLayout& layout, Dim& lines, int64_t Dim::* stride) {
  Dim& k = layout.k.front();
  k.*stride = 1;
  lines.*stride = k.size;
  int64_t step = k.size * lines.size;
  for (size_t i = layout.batch.size(); i-- > 0;) {
    layout.batch[i].*stride = step;
    step *= layout.batch[i].size;
  }
}

}  // namespace

std::unique_ptr<MatrixMultiply> MakePackedMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result) {
  if (layout.k.size() != 1 || layout.k[0].size < kMinRow) return nullptr;
  const bool packs_lhs = IsScattered(layout.m);
  const bool packs_rhs = IsScattered(layout.n);
  if ((!packs_lhs && !packs_rhs) ||
      (packs_lhs &&
       (layout.n_count() < kMinUses || layout.k[0].lhs_stride != 1)) ||
      (packs_rhs &&
       (layout.m_count() < kMinUses || layout.k[0].rhs_stride != 1))) {
    return nullptr;
  }
  DotLayout packed = layout;
  const int64_t size = ByteSize(operands);
  std::optional<Packing> lhs, rhs;
  if (packs_lhs) {
    packed.m = {Merged(layout.m)};
    SetStrides(packed, packed.m.front(), &Dim::lhs_stride);
    lhs.emplace(layout, layout.m, &Dim::lhs_stride, size);
  }
  if (packs_rhs) {
    packed.n = {Merged(layout.n)};
    SetStrides(packed, packed.n.front(), &Dim::rhs_stride);
    rhs.emplace(layout, layout.n, &Dim::rhs_stride, size);
  }
  auto multiply = MakeOneDnnMatrixMultiply(packed, operands, result);
  if (multiply == nullptr) return nullptr;
  return std::make_unique<PackedMatrixMultiply>(std::move(lhs), std::move(rhs),
                                                std::move(multiply));
}

}  // namespace lockstep::internal
