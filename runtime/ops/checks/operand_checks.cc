#include "runtime/ops/checks/operand_checks.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status CheckTensors(const Op& op) {
  for (int i = 0; i < op.operand_count(); ++i) {
    if (!op.operand(i)->type().is_tensor()) {
      return op.Error(absl::StrCat("operand ", i, ": expected a tensor, found ",
                                   op.operand(i)->type().ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCount(const Op& op, absl::string_view what, int expected,
                        int found) {
  if (expected == found) return absl::OkStatus();
  return op.Error(absl::StrCat("expected ", expected, " ", what,
                               expected == 1 ? "" : "s", ", found ", found));
}

// Small floats compute as the others do, where all of those do.
bool IsOneOf(ElementType type, ElementTypes types) {
  return types.Contains(type) ||
         (IsSmallFloat(type) && (types | kFloatTypes) == types);
}

}  // namespace

absl::Status CheckOperandCount(const Op& op, int count) {
  RETURN_IF_ERROR(CheckCount(op, "operand", count, op.operand_count()));
  return CheckTensors(op);
}

absl::Status CheckMinOperandCount(const Op& op, int count) {
  if (op.operand_count() < count) {
    return op.Error(absl::StrCat("expected at least ", count, " operand",
                                 count == 1 ? "" : "s", ", found ",
                                 op.operand_count()));
  }
  return CheckTensors(op);
}

absl::Status CheckResultCount(const Op& op, int count) {
  return CheckCount(op, "result", count, op.result_count());
}

absl::Status CheckRegionCount(const Op& op, int count) {
  return CheckCount(op, "region", count, op.region_count());
}

absl::Status CheckElementType(const Op& op, int operand, ElementTypes types) {
  const Shape& shape = op.operand(operand)->shape();
  if (IsOneOf(shape.element_type(), types)) return absl::OkStatus();
  return op.Error(absl::StrCat("operand ", operand, ": expected ",
                               types.ToString(), ", found ", shape.ToString()));
}

absl::Status CheckSameType(const Op& op, int a, int b) {
  if (op.operand(a)->type() == op.operand(b)->type()) return absl::OkStatus();
  return op.Error(absl::StrCat("operands ", a, " and ", b,
                               ": expected the same type, found ",
                               op.operand(a)->type().ToString(), " and ",
                               op.operand(b)->type().ToString()));
}

absl::Status CheckSameElementType(const Op& op, int a, int b) {
  const Shape& x = op.operand(a)->shape();
  const Shape& y = op.operand(b)->shape();
  if (x.element_type() == y.element_type()) return absl::OkStatus();
  return op.Error(absl::StrCat("operands ", a, " and ", b,
                               ": expected the same element type, found ",
                               x.ToString(), " and ", y.ToString()));
}

absl::Status CheckRank(const Op& op, int operand, int64_t rank) {
  const Shape& shape = op.operand(operand)->shape();
  if (shape.rank() == rank) return absl::OkStatus();
  return op.Error(absl::StrCat("operand ", operand, ": expected rank ", rank,
                               ", found ", shape.ToString()));
}

absl::Status CheckDim(const Op& op, absl::string_view what, int64_t dim,
                      int64_t rank) {
  if (dim >= 0 && dim < rank) return absl::OkStatus();
  return op.Error(absl::StrCat(what, ": expected a dimension of a tensor of ",
                               "rank ", rank, ", found ", dim));
}

absl::Status CheckDistinctDims(const Op& op, absl::string_view what,
                               absl::Span<const int64_t> dims, int64_t rank) {
  absl::flat_hash_set<int64_t> seen;
  for (int64_t dim : dims) {
    RETURN_IF_ERROR(CheckDim(op, what, dim, rank));
    if (!seen.insert(dim).second) {
      return op.Error(absl::StrCat(
          what, ": expected distinct dimensions, found ", dim, " twice"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOnePerDim(const Op& op, absl::string_view what,
                            absl::Span<const int64_t> values, int64_t rank) {
  if (static_cast<int64_t>(values.size()) == rank) return absl::OkStatus();
  return op.Error(absl::StrCat(what, ": expected ", rank,
                               rank == 1 ? " entry" : " entries",
                               " (one per dimension), found ", values.size()));
}

absl::StatusOr<Shape> ResultShape(const Op& op, ElementType type,
                                  absl::Span<const int64_t> dims) {
  absl::StatusOr<Shape> shape = Shape::Create(type, dims);
  if (!shape.ok()) return op.Error(shape.status().message());
  return shape;
}

absl::StatusOr<Shape> DeclaredShape(const Op& op) {
  RETURN_IF_ERROR(CheckResultCount(op, 1));
  const Type& type = op.result()->type();
  if (!type.is_tensor()) {
    return op.Error(
        absl::StrCat("result: expected a tensor, found ", type.ToString()));
  }
  return type.shape();
}

}  // namespace lockstep::internal
