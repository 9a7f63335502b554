#include "runtime/ops/reduction_body.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/element_types.h"

namespace lockstep::internal {
namespace {

// StableHLO spec, is_promotable.
bool IsPromotable(ElementType from, ElementType to) {
  if (from == to || (IsSmallFloat(from) && IsFloat(to))) return true;
  for (ElementTypes kind :
       {kSignedTypes, kUnsignedTypes, kFloatTypes, kComplexTypes}) {
    if (kind.Contains(from)) {
      return kind.Contains(to) && ByteSize(from) <= ByteSize(to);
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<ElementType>> ReductionBodyTypes(
    const Op& op, const Region& body, absl::Span<Value* const> inputs) {
  ASSIGN_OR_RETURN(const std::vector<Type> returned, ReturnedTypes(op, body));
  if (returned.size() != inputs.size()) {
    return op.Error(absl::StrCat("body: expected ", inputs.size(),
                                 " results, found ", returned.size()));
  }
  std::vector<ElementType> types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ElementType found = returned[i].shape().element_type();
    if (!returned[i].is_tensor() || returned[i].shape().rank() != 0 ||
        !IsPromotable(inputs[i]->shape().element_type(), found)) {
      return op.Error(
          absl::StrCat("body result ", i, ": expected a scalar that ",
                       StablehloName(inputs[i]->shape().element_type()),
                       " can be promoted to, found ", returned[i].ToString()));
    }
    types.push_back(found);
  }
  std::vector<Type> arguments = returned;
  arguments.insert(arguments.end(), returned.begin(), returned.end());
  RETURN_IF_ERROR(CheckRegionArguments(op, "body", body, arguments));
  return types;
}

const Op* SingleOpBody(const Region& body) {
  if (body.ops().size() != 2 || body.arguments().size() != 2) return nullptr;
  const Op* op = body.ops()[0].get();
  const Op* end = body.terminator();
  if (op->operand_count() != 2 || op->result_count() != 1 ||
      op->region_count() != 0 || end->operand_count() != 1 ||
      end->operand(0) != op->result()) {
    return nullptr;
  }
  const Value* x = body.arguments()[0].get();
  const Value* y = body.arguments()[1].get();
  if (op->operand(0) == x && op->operand(1) == y) return op;
  const bool is_swapped = op->operand(0) == y && op->operand(1) == x;
  return is_swapped && IsCommutative(op->name()) ? op : nullptr;
}

bool IsCommutative(absl::string_view op_name) {
  for (absl::string_view name :
       {"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum",
        "stablehlo.minimum", "stablehlo.and", "stablehlo.or",
        "stablehlo.xor"}) {
    if (name == op_name) return true;
  }
  return false;
}

}  // namespace lockstep::internal
