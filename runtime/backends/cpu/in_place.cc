#include "runtime/backends/cpu/in_place.h"

#include "runtime/backends/cpu/thunks/scatter_thunk.h"
#include "runtime/kernels/in_place.h"

namespace lockstep::internal {

std::vector<InPlaceUse> CpuInPlaceUses(const Op& op) {
  if (op.name() == "stablehlo.dynamic_update_slice") {
    for (int i = 1; i < op.operand_count(); ++i) {
      if (op.operand(i) == op.operand(0)) return {};
    }
    return {{0, 0}};
  }
  if (ScatterThunk::HasCodeFor(op)) {
    std::vector<InPlaceUse> uses;
    for (int i = 0; i < op.result_count(); ++i) uses.push_back({i, i});
    return uses;
  }
  return KernelInPlaceUses(op);
}

}  // namespace lockstep::internal
