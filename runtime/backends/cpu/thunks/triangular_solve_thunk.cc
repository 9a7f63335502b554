#include "runtime/backends/cpu/thunks/triangular_solve_thunk.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <optional>
#include <string>

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

using Equation = TriangularSolveThunk::Equation;

// What a thread should have to do, and the right sides that it has at least.
constexpr int64_t kWorkPerPiece = int64_t{1} << 20;
constexpr int64_t kMinSidesPerPiece = 64;
// Products of a small matrix are done together.
constexpr int64_t kWorkPerBatch = int64_t{1} << 16;

std::optional<Equation> EquationOf(const Op& op) {
  const auto left_side = op.BoolAttributeOr("left_side", false);
  const auto is_lower = op.BoolAttributeOr("lower", false);
  const auto unit_diagonal = op.BoolAttributeOr("unit_diagonal", false);
  const absl::StatusOr<std::string> transpose = op.EnumAttribute("transpose_a");
  if (!left_side.ok() || !is_lower.ok() || !unit_diagonal.ok() ||
      !transpose.ok()) {
    return std::nullopt;
  }
  return Equation{.left_side = *left_side,
                  .is_lower = *is_lower,
                  .unit_diagonal = *unit_diagonal,
                  .is_transposed = *transpose != "NO_TRANSPOSE",
                  .is_conjugated = *transpose == "ADJOINT"};
}

// Whether Eigen can read the matrices as they are.
bool IsPlain(const Equation& equation, ElementType type) {
  return !equation.unit_diagonal &&
         !(equation.is_conjugated && IsComplex(type));
}

// The triangle of a matrix, conjugated and with ones on a unit diagonal.
template <typename T>
void PackTriangle(const Equation& equation, const T* a, int64_t n, T* packed) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t end = equation.is_lower ? i + 1 : n;
    for (int64_t j = equation.is_lower ? 0 : i; j < end; ++j) {
      T& to = packed[i * n + j];
      to = i == j && equation.unit_diagonal ? T{1} : a[i * n + j];
      if constexpr (kIsComplex<T>) {
        if (equation.is_conjugated) to = std::conj(to);
      }
    }
  }
}

}  // namespace

std::unique_ptr<TriangularSolveThunk> TriangularSolveThunk::Create(
    const KernelRequest& request) {
  const std::optional<Equation> equation = EquationOf(*request.op);
  if (!equation.has_value() || request.results[0].shape.element_count() == 0) {
    return nullptr;
  }
  return std::unique_ptr<TriangularSolveThunk>(
      new TriangularSolveThunk(request, *equation));
}

template <typename T>
void TriangularSolveThunk::Pack(const T* a, T* packed, int threads) const {
  const int64_t n = a_.shape.dim(a_.shape.rank() - 1);
  const int64_t matrices = a_.shape.element_count() / (n * n);
  const int64_t together = std::max<int64_t>(1, kWorkPerBatch / (n * n));
  ParallelFor(threads, (matrices + together - 1) / together,
              [&](int64_t piece) {
                const int64_t end = std::min(matrices, (piece + 1) * together);
                for (int64_t i = piece * together; i < end; ++i) {
                  PackTriangle(equation_, a + i * n * n, n, packed + i * n * n);
                }
              });
}

template <typename T>
void TriangularSolveThunk::Solve(const T* a, T* x, int threads) const {
  const Shape& shape = result_.shape;
  const int64_t n = a_.shape.dim(a_.shape.rank() - 1);
  const int64_t size =
      shape.dim(shape.rank() - 1) * shape.dim(shape.rank() - 2);
  const int64_t matrices = shape.element_count() / size;
  const bool is_left = equation_.left_side;
  const int64_t sides = size / n;
  // x op(a) = b is op(a)^T x^T = b^T.
  const bool swaps_a = equation_.is_transposed == is_left;
  // A piece is some right sides of one matrix, or several small matrices.
  const int64_t parts =
      std::clamp<int64_t>(n * n * sides / kWorkPerPiece, 1,
                          std::max<int64_t>(1, sides / kMinSidesPerPiece));
  const int64_t together =
      std::max<int64_t>(1, kWorkPerBatch / (n * n * (sides + 1)));
  const int64_t groups = (matrices + together - 1) / together;
  ParallelFor(threads, groups * parts, [&](int64_t piece) {
    const int64_t part = piece % parts;
    const int64_t first = sides * part / parts;
    const int64_t count = sides * (part + 1) / parts - first;
    const int64_t begin = piece / parts * together;
    const int64_t end = std::min(matrices, begin + together);
    for (int64_t i = begin; i < end; ++i) {
      T* unknowns = x + i * size + first * (is_left ? 1 : n);
      HostDenseSolvers<T>().solve(
          a + i * n * n, n, equation_.is_lower != swaps_a, !swaps_a, unknowns,
          count, is_left ? sides : n, is_left);
    }
  });
}

absl::Status TriangularSolveThunk::ExecuteOnHost(HostContext& context) const {
  const Shape& shape = result_.shape;
  const ElementType type = ComputeElementType(shape.element_type());
  const bool converts = type != shape.element_type();
  const std::byte* a = context.buffers.Address(a_.slice);
  std::byte* x = context.buffers.Address(result_.slice);
  ScratchTensor matrices, packed, unknowns;
  if (converts) {
    ASSIGN_OR_RETURN(matrices,
                     ScratchTensor::Allocate(Shape(type, a_.shape.dims())));
    ASSIGN_OR_RETURN(unknowns,
                     ScratchTensor::Allocate(Shape(type, shape.dims())));
    ConvertElements(context.buffers.View(a_), matrices.view());
    ConvertElements(context.buffers.View(b_), unknowns.view());
    a = matrices.bytes();
    x = unknowns.bytes();
  } else {
    std::memcpy(x, context.buffers.Address(b_.slice), shape.byte_size());
  }
  const bool is_plain = IsPlain(equation_, type);
  if (!is_plain) {
    ASSIGN_OR_RETURN(packed,
                     ScratchTensor::Allocate(Shape(type, a_.shape.dims())));
  }
  DispatchComputeType<kFloatTypes | kComplexTypes>(
      type, [&]<typename T>(std::type_identity<T>) {
        if (!is_plain) {
          Pack(reinterpret_cast<const T*>(a), packed.view().data<T>().data(),
               context.intra_op_threads);
          a = packed.bytes();
        }
        Solve(reinterpret_cast<const T*>(a), reinterpret_cast<T*>(x),
              context.intra_op_threads);
      });
  if (converts) {
    ConvertElements(unknowns.view(), context.buffers.MutableView(result_));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
