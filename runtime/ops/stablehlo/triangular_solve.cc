#include <complex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/compute_literal.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/convert.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct Equation {
  bool left_side = true;  // op(a) x = b, else x op(a) = b
  bool is_lower = false;  // the triangle of a
  bool unit_diagonal = false;
  bool is_transposed = false;
  bool is_conjugated = false;
};

absl::StatusOr<Equation> EquationOf(const Op& op) {
  Equation equation;
  ASSIGN_OR_RETURN(equation.left_side, op.BoolAttributeOr("left_side", false));
  ASSIGN_OR_RETURN(equation.is_lower, op.BoolAttributeOr("lower", false));
  ASSIGN_OR_RETURN(equation.unit_diagonal,
                   op.BoolAttributeOr("unit_diagonal", false));
  ASSIGN_OR_RETURN(const std::string transpose,
                   op.EnumAttribute("transpose_a"));
  if (transpose == "TRANSPOSE" || transpose == "ADJOINT") {
    equation.is_transposed = true;
    equation.is_conjugated = transpose == "ADJOINT";
  } else if (transpose != "NO_TRANSPOSE") {
    return op.Error(absl::StrCat("transpose_a: expected NO_TRANSPOSE, ",
                                 "TRANSPOSE or ADJOINT, found ", transpose));
  }
  return equation;
}

absl::StatusOr<std::vector<Type>> InferTriangularSolve(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  RETURN_IF_ERROR(CheckElementType(op, 0, kFloatTypes | kComplexTypes));
  RETURN_IF_ERROR(CheckSameElementType(op, 0, 1));  // (C1)
  ASSIGN_OR_RETURN(const Equation equation, EquationOf(op));
  const Shape& a = op.operand(0)->shape();
  const Shape& b = op.operand(1)->shape();
  bool fits = a.rank() >= 2 && a.rank() == b.rank();  // (C2)
  for (int64_t dim = 0; fits && dim < a.rank() - 2; ++dim) {
    fits = a.dim(dim) == b.dim(dim);  // (C3)
  }
  fits = fits && a.dim(a.rank() - 1) == a.dim(a.rank() - 2) &&
         a.dim(a.rank() - 1) == b.dim(b.rank() - (equation.left_side ? 2 : 1));
  if (!fits) {
    return op.Error(absl::StrCat(
        "expected square matrices a and matrices b that fit them on the ",
        equation.left_side ? "right" : "left", ", found ", a.ToString(),
        " and ", b.ToString()));
  }
  return std::vector<Type>{op.operand(1)->type()};  // (C4)
}

// Where element (i, j) is: data[i * row + j * column].
template <typename T>
struct MatrixView {
  T* data;
  int64_t row, column;
  T& operator()(int64_t i, int64_t j) const {
    return data[i * row + j * column];
  }
};

// x := the solution of a x = x, for n unknowns and `count` right sides. Only
// the triangle of `a` that is_lower tells is read.
template <typename T>
void Substitute(const MatrixView<const T>& a, const MatrixView<T>& x, int64_t n,
                int64_t count, bool is_lower, bool unit_diagonal) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = is_lower ? step : n - 1 - step;
    const int64_t first = is_lower ? 0 : i + 1;
    const int64_t last = is_lower ? i : n;
    for (int64_t c = 0; c < count; ++c) {
      T sum = x(i, c);
      for (int64_t j = first; j < last; ++j) sum -= a(i, j) * x(j, c);
      x(i, c) = unit_diagonal ? sum : sum / a(i, i);
    }
  }
}

template <typename T>
void Solve(const Equation& equation, const Literal& a, Literal& x) {
  const Shape& shape = x.shape();
  const int64_t n = a.shape().dim(a.shape().rank() - 1);
  const int64_t rows = shape.dim(shape.rank() - 2);
  const int64_t columns = shape.dim(shape.rank() - 1);
  // x op(a) = b is op(a)^T x^T = b^T.
  const bool swaps_a = equation.is_transposed == equation.left_side;
  const T* matrix = a.data<T>().data();
  T* unknowns = x.mutable_data<T>().data();
  const int64_t batch = shape.element_count() / (rows * columns);
  for (int64_t i = 0; i < batch; ++i) {
    const MatrixView<const T> left = {matrix + i * n * n, swaps_a ? 1 : n,
                                      swaps_a ? n : 1};
    T* data = unknowns + i * rows * columns;
    const MatrixView<T> right = equation.left_side
                                    ? MatrixView<T>{data, columns, 1}
                                    : MatrixView<T>{data, 1, columns};
    Substitute(left, right, n, equation.left_side ? columns : rows,
               equation.is_lower != swaps_a, equation.unit_diagonal);
  }
}

template <typename T>
void ConjugateAll(Literal& literal) {
  if constexpr (kIsComplex<T>) {
    for (T& x : literal.mutable_data<T>()) x = std::conj(x);
  }
}

absl::Status EvaluateTriangularSolve(
    EvaluationContext&, const Op& op, absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const Equation equation, EquationOf(op));
  const Shape& shape = results[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  const ElementType type = ComputeElementType(shape.element_type());
  Literal a(Shape(type, operands[0].shape().dims()));
  Literal x(Shape(type, shape.dims()));
  ConvertElements(operands[0], a.mutable_view());
  ConvertElements(operands[1], x.mutable_view());
  DispatchComputeType<kFloatTypes | kComplexTypes>(
      type, [&]<typename T>(std::type_identity<T>) {
        if (equation.is_conjugated) ConjugateAll<T>(a);
        Solve<T>(equation, a, x);
      });
  ConvertElements(x, results[0]);
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> TriangularSolveRule(const Op& op,
                                                   const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const Equation equation, EquationOf(op));
  const Shape& b = op.operand(1)->shape();
  const int64_t row = b.rank() - 2;
  const int64_t column = b.rank() - 1;
  // Of a: the dim that stays in the product op(a) x or x op(a), and the other.
  const bool row_is_free = equation.left_side != equation.is_transposed;
  const int64_t free = row_is_free ? row : column;
  const int64_t contracting = row_is_free ? column : row;
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < row; ++dim) rule.Add(b.dim(dim)).Everywhere(dim);
  constexpr auto kKind = FactorKind::kNeedReplication;
  if (equation.left_side) {
    rule.Add(b.dim(row), kKind).Operand(0, free).Operand(1, row);
    rule.Add(b.dim(column), kKind).Operand(1, column).Result(0, column);
    rule.Add(b.dim(row), kKind).Operand(0, contracting).Result(0, row);
  } else {
    rule.Add(b.dim(row), kKind).Operand(1, row).Result(0, row);
    rule.Add(b.dim(column), kKind).Operand(0, free).Operand(1, column);
    rule.Add(b.dim(column), kKind).Operand(0, contracting).Result(0, column);
  }
  return rule.Build();
}

// triangular_solve: x of op(a) x = b, or of x op(a) = b, for a triangular a;
// op(a) is a, its transpose or its conjugate transpose.
//   (I1) a. (I2) b: float or complex tensors. (I3) left_side. (I4) lower: the
//   triangle of a that is read. (I5) unit_diagonal: the diagonal is not read,
//   it is ones. (I6) transpose_a.
REGISTER_OP(OpDef("stablehlo.triangular_solve", OpKind::kLinearAlgebra)
                .Infer(InferTriangularSolve)
                .Evaluate(EvaluateTriangularSolve)
                .Sharding(TriangularSolveRule));

}  // namespace
}  // namespace lockstep::internal
