#include "runtime/ops/collectives/collective_root.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/replica_groups.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {

absl::StatusOr<bool> HasDynamicRoot(const Op& op) {
  return op.BoolAttributeOr("has_dynamic_root", false);
}

absl::StatusOr<absl::Span<Value* const>> DataOperands(const Op& op) {
  const absl::Span<Value* const> operands = op.operands();
  ASSIGN_OR_RETURN(const bool has_dynamic_root, HasDynamicRoot(op));
  if (!has_dynamic_root) return operands;
  RETURN_IF_ERROR(CheckMinOperandCount(op, 2));
  const auto data = operands.subspan(0, operands.size() - 1);
  const Shape& root = operands.back()->shape();
  if (IsInteger(root.element_type()) && root.rank() == 1 &&
      root.dim(0) == static_cast<int64_t>(data.size())) {
    return data;
  }
  return op.Error(absl::StrCat("root: expected a 1-D integer tensor of ",
                               data.size(), " elements, found ",
                               root.ToString()));
}

absl::StatusOr<std::vector<int64_t>> RootPositions(
    const Op& op, int64_t group_size, absl::Span<const LiteralView> operands) {
  ASSIGN_OR_RETURN(const bool has_dynamic_root, HasDynamicRoot(op));
  if (!has_dynamic_root) return std::vector<int64_t>(operands.size(), 0);
  const LiteralView& root = operands.back();
  Literal values(Shape(ElementType::kS64, root.shape().dims()));
  ConvertElements(root, values.mutable_view());
  std::vector<int64_t> positions;
  for (int64_t position : values.data<int64_t>()) {
    if (position < 0 || position >= group_size) {
      return op.Error(absl::StrCat("root: expected 0 to ", group_size - 1,
                                   ", found ", position));
    }
    positions.push_back(position);
  }
  return positions;
}

std::vector<int32_t> GroupOfProcess(const CollectiveSpec& spec,
                                    int32_t replicas, int32_t partitions,
                                    int32_t replica, int32_t partition) {
  const int32_t process = replica * partitions + partition;
  for (auto& group :
       FlattenedGroups(spec.groups, spec.mode, replicas, partitions)) {
    if (absl::c_linear_search(group, process)) return group;
  }
  return {};
}

}  // namespace lockstep::internal
