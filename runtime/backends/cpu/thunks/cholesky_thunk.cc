#include "runtime/backends/cpu/thunks/cholesky_thunk.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "runtime/backends/cpu/solvers/dense_solvers.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/backends/cpu/thunks/scratch_tensor.h"
#include "runtime/base/status.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/compute_literal.h"
#include "runtime/types/convert.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// What a thread should have to do.
constexpr int64_t kWorkPerPiece = int64_t{1} << 16;
// Matrices that are done before Eigen has begun.
constexpr int64_t kMaxSmallSize = 16;

template <typename T>
T Conjugate(const T& x) {
  if constexpr (kIsComplex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

// The lower triangle of `from`, or the conjugates of the upper one; zeros
// above.
template <typename T>
void CopyTriangle(const T* from, int64_t n, bool is_lower, T* to) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      to[i * n + j] = is_lower ? from[i * n + j] : Conjugate(from[j * n + i]);
    }
    std::fill(to + i * n + i + 1, to + (i + 1) * n, T{});
  }
}

// Column by column, through pivots that are not positive: from there on the
// numbers are NaN or infinite.
template <typename T>
void FactorizeByColumns(T* a, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    auto diagonal = std::real(a[j * n + j]);
    for (int64_t k = 0; k < j; ++k) diagonal -= std::norm(a[j * n + k]);
    const auto pivot = std::sqrt(diagonal);
    a[j * n + j] = pivot;
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = a[i * n + j];
      for (int64_t k = 0; k < j; ++k) {
        sum -= a[i * n + k] * Conjugate(a[j * n + k]);
      }
      a[i * n + j] = sum / pivot;
    }
  }
}

// In place: U = L^H.
template <typename T>
void TransposeConjugated(T* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    a[i * n + i] = Conjugate(a[i * n + i]);
    for (int64_t j = 0; j < i; ++j) {
      const T lower = a[i * n + j];
      a[i * n + j] = Conjugate(a[j * n + i]);
      a[j * n + i] = Conjugate(lower);
    }
  }
}

template <typename T>
void Factorize(const T* from, int64_t n, bool is_lower, T* to) {
  CopyTriangle(from, n, is_lower, to);
  if (n <= kMaxSmallSize) {
    FactorizeByColumns(to, n);
  } else if (!HostDenseSolvers<T>().factorize(to, n)) {
    CopyTriangle(from, n, is_lower, to);
    FactorizeByColumns(to, n);
  }
  if (!is_lower) TransposeConjugated(to, n);
}

}  // namespace

std::unique_ptr<CholeskyThunk> CholeskyThunk::Create(
    const KernelRequest& request) {
  const auto is_lower = request.op->BoolAttributeOr("lower", false);
  if (!is_lower.ok() || request.results[0].shape.element_count() == 0) {
    return nullptr;
  }
  return std::unique_ptr<CholeskyThunk>(new CholeskyThunk(request, *is_lower));
}

absl::Status CholeskyThunk::ExecuteOnHost(HostContext& context) const {
  const Shape& shape = result_.shape;
  const ElementType type = ComputeElementType(shape.element_type());
  const bool converts = type != shape.element_type();
  const std::byte* from = context.buffers.Address(operand_.slice);
  std::byte* to = context.buffers.Address(result_.slice);
  ScratchTensor operand, result;
  if (converts) {
    const Shape computed(type, shape.dims());
    ASSIGN_OR_RETURN(operand, ScratchTensor::Allocate(computed));
    ASSIGN_OR_RETURN(result, ScratchTensor::Allocate(computed));
    ConvertElements(context.buffers.View(operand_), operand.view());
    from = operand.bytes();
    to = result.bytes();
  }
  const int64_t n = shape.dim(shape.rank() - 1);
  const int64_t count = shape.element_count() / (n * n);
  const int64_t per_piece = std::max<int64_t>(1, kWorkPerPiece / (n * n * n));
  const int64_t pieces = (count + per_piece - 1) / per_piece;
  DispatchComputeType<kFloatTypes | kComplexTypes>(
      type, [&]<typename T>(std::type_identity<T>) {
        ParallelFor(context.intra_op_threads, pieces, [&](int64_t piece) {
          const int64_t end = std::min(count, (piece + 1) * per_piece);
          for (int64_t i = piece * per_piece; i < end; ++i) {
            Factorize(reinterpret_cast<const T*>(from) + i * n * n, n,
                      is_lower_, reinterpret_cast<T*>(to) + i * n * n);
          }
        });
      });
  if (converts) {
    ConvertElements(result.view(), context.buffers.MutableView(result_));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
