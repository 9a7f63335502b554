#include "runtime/kernels/in_place.h"

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/lockstep/fusion.h"

namespace lockstep::internal {
namespace {

// Whether all that follows from `argument` inside the region is elementwise, so
// that no element of it is read in another place than it is written.
bool IsReadInPlace(const Region& region, const Value* argument) {
  absl::flat_hash_set<const Value*> derived = {argument};
  for (const auto& op : region.ops()) {
    if (op.get() == region.terminator()) break;
    bool is_derived = false;
    for (const Value* operand : op->operands()) {
      is_derived = is_derived || derived.contains(operand);
    }
    if (!is_derived) continue;
    if (op->def()->kind() != OpKind::kElementwise) return false;
    for (const auto& result : op->results()) derived.insert(result.get());
  }
  return true;
}

bool HaveSameDims(const Value& a, const Value& b) {
  return a.shape().dims() == b.shape().dims() &&
         a.shape().byte_size() == b.shape().byte_size();
}

}  // namespace

std::vector<InPlaceUse> KernelInPlaceUses(const Op& op) {
  std::vector<InPlaceUse> uses;
  const bool is_loop = op.name() == kFusionOp && FusionKindOf(op).ok() &&
                       *FusionKindOf(op) == FusionKind::kLoop;
  if (!is_loop && !CanEmitElementwise(op)) return {};
  for (int i = 0; i < op.operand_count(); ++i) {
    if (is_loop &&
        !IsReadInPlace(op.region(), op.region().arguments()[i].get())) {
      continue;
    }
    for (int j = 0; j < op.result_count(); ++j) {
      if (HaveSameDims(*op.operand(i), *op.result(j))) uses.push_back({i, j});
    }
  }
  return uses;
}

}  // namespace lockstep::internal
