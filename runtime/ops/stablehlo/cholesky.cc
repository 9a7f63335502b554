#include <cmath>
#include <complex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/compute_literal.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/convert.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferCholesky(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckElementType(op, 0, kFloatTypes | kComplexTypes));
  RETURN_IF_ERROR(op.BoolAttributeOr("lower", false).status());
  const Shape& a = op.operand(0)->shape();
  if (a.rank() < 2 || a.dim(a.rank() - 1) != a.dim(a.rank() - 2)) {  // (C2, C3)
    return op.Error(absl::StrCat("operand: expected square matrices, found ",
                                 a.ToString()));
  }
  return std::vector<Type>{op.operand(0)->type()};  // (C1)
}

template <typename T>
T Conjugate(T x) {
  if constexpr (kIsComplex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

// Of one matrix, in place: the lower triangle L with L L^H = A, or the upper U
// with U^H U = A. The other triangle of A is not read, of the result zero. A
// matrix that is not positive definite gives NaN.
template <typename T>
void Factorize(T* a, int64_t n, bool is_lower) {
  // Element (i, j), i >= j, of L; U is the transposed conjugate of an L.
  const auto at = [=](int64_t i, int64_t j) -> T& {
    return is_lower ? a[i * n + j] : a[j * n + i];
  };
  for (int64_t j = 0; j < n; ++j) {
    auto diagonal = std::real(at(j, j));
    for (int64_t k = 0; k < j; ++k) diagonal -= std::norm(at(j, k));
    const auto pivot = std::sqrt(diagonal);
    at(j, j) = pivot;
    for (int64_t i = j + 1; i < n; ++i) {
      // An upper triangle holds the conjugates of the lower one.
      T sum = at(i, j);
      for (int64_t k = 0; k < j; ++k) {
        sum -= is_lower ? at(i, k) * Conjugate(at(j, k))
                        : Conjugate(at(j, k)) * at(i, k);
      }
      at(i, j) = sum / pivot;
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j)
      (is_lower ? a[i * n + j] : a[j * n + i]) = T{};
  }
}

absl::Status EvaluateCholesky(EvaluationContext&, const Op& op,
                              absl::Span<const LiteralView> operands,
                              absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const bool is_lower, op.BoolAttributeOr("lower", false));
  const Shape& shape = operands[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  const ElementType type = ComputeElementType(shape.element_type());
  const int64_t n = shape.dim(shape.rank() - 1);
  Literal matrices(Shape(type, shape.dims()));
  ConvertElements(operands[0], matrices.mutable_view());
  DispatchComputeType<kFloatTypes | kComplexTypes>(
      type, [&]<typename T>(std::type_identity<T>) {
        T* matrix = matrices.mutable_data<T>().data();
        const T* end = matrix + shape.element_count();
        for (; matrix < end; matrix += n * n) Factorize(matrix, n, is_lower);
      });
  ConvertElements(matrices, results[0]);
  return absl::OkStatus();
}

// "%a, lower = true : T".
absl::Status ParseCholesky(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  if (reader.TryConsume(",")) {
    RETURN_IF_ERROR(reader.Expect("lower"));
    RETURN_IF_ERROR(reader.Expect("="));
    ASSIGN_OR_RETURN(Attribute lower, reader.ParseAttribute());
    state.attributes.Set("lower", std::move(lower));
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(FunctionType type, ParseFunctionType(reader));
    RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
    state.result_types = std::move(type.results);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Type type, reader.ParseType());
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, {type}));
  state.result_types = {std::move(type)};
  return absl::OkStatus();
}

void PrintCholesky(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  if (const Attribute* lower = op.attribute("lower")) {
    writer.Write(", lower = ");
    writer.WriteAttribute(*lower);
  }
  writer.WriteAttributes(op.attributes(), {"lower"});
  writer.Write(" : ");
  writer.WriteType(op.result()->type());
}

absl::StatusOr<OpShardingRule> CholeskyRule(const Op& op,
                                            const ShardingRuleOptions&) {
  const Shape& shape = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    rule.Add(shape.dim(dim), dim < shape.rank() - 2
                                 ? FactorKind::kPassThrough
                                 : FactorKind::kNeedReplication)
        .Everywhere(dim);
  }
  return rule.Build();
}

// cholesky: of symmetric (Hermitian) positive definite matrices.
//   (I1) a: float or complex tensor of rank 2 or more. (I2) lower.
REGISTER_OP(OpDef("stablehlo.cholesky", OpKind::kLinearAlgebra)
                .Assembly({ParseCholesky, PrintCholesky})
                .Infer(InferCholesky)
                .Evaluate(EvaluateCholesky)
                .Sharding(CholeskyRule));

}  // namespace
}  // namespace lockstep::internal
