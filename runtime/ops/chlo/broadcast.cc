#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/chlo/forms.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

constexpr char kPrefix[] = "chlo.broadcast_";
constexpr char kDims[] = "broadcast_dimensions";

// The op on operands of one shape.
std::string InnerName(const Op& op) {
  const std::string name = op.name().substr(sizeof(kPrefix) - 1);
  for (const char* chlo : {"next_after", "polygamma", "zeta"}) {
    if (name == chlo) return absl::StrCat("chlo.", name);
  }
  return absl::StrCat("stablehlo.", name);
}

// Where the dimensions of an operand go: to the last ones of the result, or, of
// the operand with fewer dimensions, to those that the op names.
absl::StatusOr<std::vector<int64_t>> PositionsOf(const Op& op, int operand,
                                                 int64_t rank) {
  const int64_t own = op.operand(operand)->shape().rank();
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < own; ++i) positions.push_back(rank - own + i);
  if (own == rank || op.attribute(kDims) == nullptr) return positions;
  ASSIGN_OR_RETURN(positions, op.IntegersAttribute(kDims));
  RETURN_IF_ERROR(CheckOnePerDim(op, kDims, positions, own));
  RETURN_IF_ERROR(CheckDistinctDims(op, kDims, positions, rank));
  if (absl::c_is_sorted(positions)) return positions;
  return op.Error(absl::StrCat(kDims, ": expected them in order"));
}

struct BroadcastShape {
  Dims dims;
  std::vector<std::vector<int64_t>> positions;  // by operand
};

absl::StatusOr<BroadcastShape> BroadcastShapeOf(const Op& op) {
  BroadcastShape shape;
  int64_t rank = 0;
  for (const Value* operand : op.operands()) {
    rank = std::max(rank, operand->shape().rank());
  }
  shape.dims.resize(rank, 1);
  for (int i = 0; i < op.operand_count(); ++i) {
    ASSIGN_OR_RETURN(std::vector<int64_t> positions, PositionsOf(op, i, rank));
    for (size_t j = 0; j < positions.size(); ++j) {
      const int64_t size = op.operand(i)->shape().dim(j);
      int64_t& result = shape.dims[positions[j]];
      if (result == 1) result = size;
      if (size == 1 || size == result) continue;
      return op.Error(absl::StrCat("operand ", i, " dim ", j,
                                   ": expected 1 or ", result, ", found ",
                                   size));
    }
    shape.positions.push_back(std::move(positions));
  }
  return shape;
}

// What the op does with elements, its expansion checks.
OpDef::VerifyFn VerifyBroadcast(int operand_count) {
  return [operand_count](const Op& op) -> absl::Status {
    RETURN_IF_ERROR(CheckOperandCount(op, operand_count));
    RETURN_IF_ERROR(CheckResultCount(op, 1));
    ASSIGN_OR_RETURN(const BroadcastShape shape, BroadcastShapeOf(op));
    ASSIGN_OR_RETURN(const Shape declared, DeclaredShape(op));
    if (declared.dims() == absl::MakeConstSpan(shape.dims)) {
      return absl::OkStatus();
    }
    return op.Error(absl::StrCat("result: expected the dimensions ",
                                 DimsToString(shape.dims), ", found ",
                                 declared.ToString()));
  };
}

absl::StatusOr<std::vector<Value*>> ExpandBroadcast(const Op& op,
                                                    ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const BroadcastShape shape, BroadcastShapeOf(op));
  std::vector<Value*> operands;
  for (int i = 0; i < op.operand_count(); ++i) {
    operands.push_back(
        builder.Broadcast(op.operand(i), shape.positions[i], shape.dims));
  }
  AttributeMap attributes = op.attributes();
  attributes.Remove(kDims);
  return std::vector<Value*>{builder.Create(InnerName(op), std::move(operands),
                                            op.result()->type(),
                                            std::move(attributes))};
}

// broadcast_OP: OP of operands whose shapes fit: aligned at their last
// dimensions (or as broadcast_dimensions says, for the operand of the lower
// rank), sizes that are equal or 1. Becomes broadcast_in_dim and OP.
//   (I1, I2, ..) the operands of OP. The last: broadcast_dimensions, optional.
//   (C1) what OP demands. (C2) the result has the larger of the sizes.
const bool kAreRegistered = [] {
  for (const char* op : {"add",
                         "and",
                         "atan2",
                         "compare",
                         "complex",
                         "divide",
                         "maximum",
                         "minimum",
                         "multiply",
                         "next_after",
                         "or",
                         "polygamma",
                         "power",
                         "remainder",
                         "shift_left",
                         "shift_right_arithmetic",
                         "shift_right_logical",
                         "subtract",
                         "xor",
                         "zeta"}) {
    AddExpandedOp(OpDef(absl::StrCat(kPrefix, op), OpKind::kElementwise)
                      .Assembly(ArrowForm(2))
                      .Verify(VerifyBroadcast(2)),
                  ExpandBroadcast);
  }
  AddExpandedOp(OpDef("chlo.broadcast_select", OpKind::kElementwise)
                    .Assembly(ArrowForm(3))
                    .Verify(VerifyBroadcast(3)),
                ExpandBroadcast);
  return true;
}();

}  // namespace
}  // namespace lockstep::internal
